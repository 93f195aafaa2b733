// An image in the result of a tool, as it is sent to a model that accepts images.
import { mediaType } from '../../tools/fs/media-type.ts'

/** The same as for attachments. */
const mostBytes = 5 * 1024 * 1024
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Null if it is gone, too large, or not an image that models accept. The content decides, not what a server says. */
export function imageUrl(bytes: Buffer | undefined): string | null {
  if (!bytes || bytes.length > mostBytes) return null
  const type = mediaType(bytes) ?? ''
  return imageTypes.includes(type) ? `data:${type};base64,${bytes.toString('base64')}` : null
}
