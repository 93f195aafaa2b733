// How the bytes of a file become text. Windows-1252 is the last resort: it gives every byte a character.
import type { TextEncoding } from './parsed.ts'

export interface DecodedText {
  readonly text: string
  readonly encoding: { readonly name: TextEncoding; readonly mark_bytes: number }
}

/** Null if the bytes are not text. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const { name, mark_bytes } = markOf(bytes)
  if (name) return decodedAs(name, bytes, mark_bytes)
  const head = bytes.subarray(0, examinedBytes)
  if (head.includes(0)) {
    const wide = wideEncoding(head)
    return wide ? decodedAs(wide, bytes, 0) : null
  }
  return decodedAs('utf-8', bytes, 0) ?? (looksLikeText(head) ? decodedAs('windows-1252', bytes, 0) : null)
}

/** The text of the bytes in this encoding, without the mark; null if they are not valid. */
export function decodedAs(name: TextEncoding, bytes: Uint8Array, mark_bytes: number): DecodedText | null {
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(mark_bytes))
    return text.slice(0, examinedBytes).includes('\0') ? null : { text, encoding: { name, mark_bytes } }
  } catch {
    // The bytes are not valid in this encoding.
    return null
  }
}

const examinedBytes = 64 * 1024

function markOf([first, second, third]: Uint8Array): { readonly name: TextEncoding | null; readonly mark_bytes: number } {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: 'utf-8', mark_bytes: 3 }
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', mark_bytes: 2 }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', mark_bytes: 2 }
  return { name: null, mark_bytes: 0 }
}

/** In UTF-16 without a mark, the upper byte of many characters is 0, and the lower byte of nearly none. */
function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  let even = 0
  let odd = 0
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const many = head.length / 20
  if (odd >= many && even <= odd / 50) return 'utf-16le'
  if (even >= many && odd <= even / 50) return 'utf-16be'
  return null
}

/** Control characters are rare in text, and bytes without a character rarer. */
function looksLikeText(head: Uint8Array): boolean {
  const strange = head.reduce((count, byte) => count + (isStrange(byte) ? 1 : 0), 0)
  return strange <= head.length / 50
}

function isStrange(byte: number): boolean {
  if (byte < 0x20) return byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b
  return byte === 0x7f || byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d
}
