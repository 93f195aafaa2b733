// How attachments of a message are sent to the model: texts as text, images as images, anything else by name.
import { limits } from '@tandem/contract/limits'
import type { Message } from '@tandem/contract/run'
import type { WireImage } from '../../model/message.ts'

export interface AttachmentContent {
  /** Appended to the text of the message. */
  readonly text: string
  readonly images: readonly WireImage[]
}

/** For one text; the rest is counted. */
const mostText = 100_000
/** For all texts of one message together. */
const mostTexts = 200_000
const mostImages = 8
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export function attachmentContent(attachments: Message['attachments'], find: (file_id: string) => Buffer | undefined): AttachmentContent {
  const images: WireImage[] = []
  const blocks: string[] = []
  let room = mostTexts
  for (const { file_id, name, media_type, size } of attachments) {
    const title = `The user attached "${oneLine(name)}" (${oneLine(media_type)}, ${size} bytes)`
    const bytes = find(file_id)
    if (!bytes) blocks.push(`${title}. It is not on this device.`)
    else if (imageTypes.includes(media_type)) {
      const fits = images.length < mostImages && bytes.length <= limits.image_bytes
      if (fits) images.push({ name, url: `data:${media_type};base64,${bytes.toString('base64')}` })
      blocks.push(fits ? `${title}. It is shown with this message.` : `${title}. It is too large to be shown to you.`)
    } else {
      const text = textIn(bytes)
      const shown = text?.slice(0, Math.min(mostText, room)) ?? ''
      room -= shown.length
      blocks.push(text === null ? `${title}. It is not text and is not shown to you.` : quoted(title, shown, text.length - shown.length))
    }
  }
  return { text: blocks.join('\n\n'), images }
}

/** Untrusted text is marked by a fence that it does not contain itself. */
function quoted(title: string, text: string, left: number): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const rest = left > 0 ? `\n[${left} more characters are not shown]` : ''
  return `${title}. Its text:\n${fence}\n${text}\n${fence}${rest}`
}

/** Null if it is not UTF-8 text. */
function textIn(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? null : text
  } catch {
    // Not UTF-8: the caller handles it.
    return null
  }
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must be removed.
  return text.replace(/[\u0000-\u001f\u007f"]/g, ' ')
}
