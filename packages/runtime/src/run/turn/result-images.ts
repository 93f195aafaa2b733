// The images in results of tools, for models that accept images. The journal has only their ids: the bytes are stored once, by their hash.
import { mediaType } from '../../tools/fs/media-type.ts'

/** The same as for attachments. */
const mostBytes = 5 * 1024 * 1024
const mostPerResult = 4
/** Older ones are left out of a request: they cost as much as the newest. */
export const mostResultImages = 8
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The ids of the images in the output of a tool: one of its own (files, screenshots), or those of its parts (MCP servers). */
export function imageIdsOf(output: unknown): readonly string[] {
  const parts = [output, ...(isFields(output) && Array.isArray(output.content) ? output.content : [])]
  const ids = parts.flatMap((part) => (isFields(part) && typeof part.file_id === 'string' ? [part.file_id] : []))
  return [...new Set(ids)].slice(0, mostPerResult)
}

/** As it is sent; null if it is gone, too large, or not an image that models accept. The content decides, not what a server says. */
export function imageUrl(bytes: Buffer | undefined): string | null {
  if (!bytes || bytes.length > mostBytes) return null
  const type = mediaType(bytes) ?? ''
  return imageTypes.includes(type) ? `data:${type};base64,${bytes.toString('base64')}` : null
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
