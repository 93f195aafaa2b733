// Estimates the cost of a request: text by its bytes, images by their size class, other encoded media by their bytes. Pure.
import { tokensIn } from './usage.ts'

/** The maximum bytes of an image file, and the tokens that providers charge for images of about that size. */
const imageClasses = [
  { bytes: 32 * 1024, tokens: 300 },
  { bytes: 256 * 1024, tokens: 800 },
  { bytes: Number.POSITIVE_INFINITY, tokens: 1_600 },
] as const

/** Documents and audio vary too much for classes: this is between a page of a scanned PDF and a second of audio. */
const mediaBytesPerToken = 64

/** Shorter ones are counted as text: an error of a few tokens. */
const shortest = 512
const quote = 0x22
/** As bytes: searching for text would encode it for each request. */
const [dataUrl, dataKey] = [Buffer.from(';base64,'), Buffer.from('"data"')]

/** Base64 in a data URL, or as the value of `data`, is counted as what it encodes; all other bytes as text. */
export function estimateInput(body: Buffer): number {
  // Nearly every request.
  if (!body.includes(dataUrl) && !body.includes(dataKey)) return tokensIn(body.length)
  let text = body.length
  let media = 0
  for (const { start, type } of mediaIn(body)) {
    const end = body.indexOf(quote, start)
    if (end - start < shortest || !isBase64(body, start, end)) continue
    const bytes = (end - start) * 0.75
    const isImage = type === undefined ? imageStart.test(body.toString('latin1', start, start + 20)) : type === 'image'
    text -= end - start
    media += isImage ? imageTokens(bytes) : Math.ceil(bytes / mediaBytesPerToken)
  }
  return tokensIn(text) + media
}

interface Media {
  /** Where its bytes start. */
  readonly start: number
  /** The type in a data URL. */
  readonly type: 'image' | 'other' | undefined
}

function* mediaIn(body: Buffer): Generator<Media> {
  for (const at of placesOf(body, dataUrl)) {
    const before = body.toString('latin1', Math.max(0, at - 200), at)
    const url = before.slice(before.lastIndexOf('"') + 1)
    yield { start: at + dataUrl.length, type: /^data:image\b/i.test(url) ? 'image' : 'other' }
  }
  for (const at of placesOf(body, dataKey)) {
    const value = /^\s*:\s*"/.exec(body.toString('latin1', at + 6, at + 26))
    if (value) yield { start: at + 6 + value[0].length, type: undefined }
  }
}

function* placesOf(body: Buffer, text: Buffer): Generator<number> {
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) yield at
}

/** JSON may escape the slash, and encoders may insert line breaks. */
const base64 = /^[A-Za-z0-9+/_=\\-]+$/
/** The magic bytes of PNG, JPEG, GIF and WebP. */
const imageStart = /^(?:iVBORw0KGgo|\\?\/9j\\?\/|R0lGOD|UklGR)/
const [samples, sampleBytes] = [16, 256]

/** Only some positions are checked: a request of many megabytes must not block the others. */
function isBase64(body: Buffer, start: number, end: number): boolean {
  const step = Math.max(sampleBytes, Math.floor((end - start) / samples))
  for (let at = start; at < end; at += step) {
    if (!base64.test(body.toString('latin1', at, Math.min(end, at + sampleBytes)))) return false
  }
  return true
}

function imageTokens(bytes: number): number {
  return imageClasses.find((one) => bytes <= one.bytes)?.tokens ?? 0
}
