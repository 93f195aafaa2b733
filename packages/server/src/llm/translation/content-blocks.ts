// The content of a chat message as content blocks of Anthropic's Messages API. Pure.
import { isRecord } from '../relay/usage.ts'
import { UntranslatableError } from './untranslatable.ts'

export interface ContentBlock extends Readonly<Record<string, unknown>> {
  readonly type: string
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** The API refuses texts without a visible character: they are left out. */
export function contentBlocks(content: unknown, param: string): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content)
  const parts = Array.isArray(content) ? content : []
  return parts.flatMap((part, index) => partBlocks(part, `${param}.content.${index}`))
}

function partBlocks(part: unknown, param: string): ContentBlock[] {
  if (typeof part === 'string') return textBlocks(part)
  const { type, text, refusal, image_url, file } = isRecord(part) ? part : {}
  if (type === 'text' || type === 'refusal') return textBlocks(text ?? refusal)
  if (type === 'image_url') return [imageBlock(isRecord(image_url) ? image_url.url : image_url, param)]
  if (type === 'file' && isRecord(file)) return [documentBlock(file.file_data, param)]
  const name = typeof type === 'string' ? type.slice(0, 40) : 'without a type'
  throw new UntranslatableError(param, `This model cannot read content of the type ${name}. Send text, images or PDF files.`)
}

function textBlocks(text: unknown): ContentBlock[] {
  return typeof text === 'string' && text.trim() !== '' ? [textBlock(text)] : []
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function imageBlock(url: unknown, param: string): ContentBlock {
  if (typeof url === 'string' && /^https:\/\//i.test(url)) return { type: 'image', source: { type: 'url', url } }
  const encoded = encodedIn(url)
  if (encoded && imageTypes.has(encoded.media_type)) return { type: 'image', source: { type: 'base64', ...encoded } }
  throw new UntranslatableError(param, 'This model cannot read the image. Send a PNG, JPEG, GIF or WebP image.')
}

function documentBlock(url: unknown, param: string): ContentBlock {
  const encoded = encodedIn(url)
  if (encoded?.media_type === 'application/pdf') return { type: 'document', source: { type: 'base64', ...encoded } }
  throw new UntranslatableError(param, 'This model cannot read the file. Send a PDF file, or its text.')
}

function encodedIn(url: unknown): { media_type: string; data: string } | undefined {
  if (typeof url !== 'string') return undefined
  const comma = url.indexOf(',')
  const [, media_type] = /^data:([a-z]+\/[a-z0-9.+-]+);base64$/i.exec(url.slice(0, Math.max(0, comma))) ?? []
  return media_type === undefined ? undefined : { media_type: media_type.toLowerCase(), data: url.slice(comma + 1) }
}
