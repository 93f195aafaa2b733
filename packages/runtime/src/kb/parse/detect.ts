// What a file is: by its content first. Its name decides only what kind of text it is.
import type { DocumentFormat } from '@tandem/contract/knowledge'
import { type DecodedText, decodeText } from './decode.ts'
import { isJson } from './json.ts'
import { isJsonl } from './jsonl.ts'
import type { Unreadable } from './parsed.ts'
import { textFormatByName } from './text-format.ts'
import { isPartOf, zipNames } from './zip-names.ts'

export type Detected = { readonly format: 'pdf' } | { readonly format: 'docx' } | DetectedText

export interface DetectedText extends DecodedText {
  readonly format: Exclude<DocumentFormat, 'pdf' | 'docx'>
}

export function detect(name: string, bytes: Uint8Array): Detected | Unreadable {
  const container = containerOf(bytes)
  if (container) return container
  const decoded = decodeText(bytes)
  if (decoded) return { format: textFormatOf(name, decoded.text), ...decoded }
  return isPartOf(bytes.subarray(0, 1_024), '%PDF-') ? { format: 'pdf' } : notText('an unknown binary format')
}

/** Whether it is probably read by a library that needs much time and memory. Only to group files: `detect` decides. */
export function isCostly(name: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  return isPacked(bytes) || /\.x?html?$/i.test(name) || isHtml(head.replace(/^\xef\xbb\xbf/, ''))
}

/** Whether it probably contains pictures and fonts besides its text. */
export function isPacked(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  return head.includes('%PDF-') || head.startsWith('PK\x03\x04')
}

/** Pictures, programs and archives, by their first bytes: they need not be read. Null for everything else. */
export function notDocument(beginning: Uint8Array): Unreadable | null {
  const text = Buffer.from(beginning.subarray(0, 64)).toString('latin1')
  const known = signatures.find(([signature]) => text.startsWith(signature))
  return known ? notText(known[1]) : null
}

/** Formats that are recognized by their first bytes; null for everything else. */
function containerOf(bytes: Uint8Array): Detected | Unreadable | null {
  const begins = (text: string) => text.split('').every((char, index) => bytes[index] === char.charCodeAt(0))
  if (begins('%PDF-')) return { format: 'pdf' }
  if (begins('PK\x03\x04') || begins('PK\x05\x06')) return zipFormat(bytes)
  if (begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return compoundFile(bytes)
  if (begins('{\\rtf')) return unknown('RTF')
  const known = signatures.find(([signature]) => begins(signature))
  return known ? notText(known[1]) : null
}

const signatures: readonly (readonly [string, string])[] = [
  ['\x89PNG\r\n', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF87a', 'a GIF picture'],
  ['GIF89a', 'a GIF picture'],
  ['\x7fELF', 'a program'],
  ['\x1f\x8b\x08', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!\x1a\x07', 'a RAR archive'],
  ['\xfd7zXZ\0', 'an xz archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['SQLite format 3\0', 'a database'],
  ['\0asm', 'a program'],
  ['\0\0\0\x18ftyp', 'a video'],
  ['\0\0\0\x1cftyp', 'a video'],
  ['\0\0\0 ftyp', 'a video'],
]

function zipFormat(bytes: Uint8Array): Detected | Unreadable {
  const names = zipNames(bytes)
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  // Without a readable list of names, the file is damaged; what it was can still be recognized.
  if (has(/^word\/document\d*\.xml$/) || (names.length === 0 && isPartOf(bytes, 'word/document.xml'))) return { format: 'docx' }
  if (has(/^xl\//)) return unknown('Excel')
  if (has(/^ppt\//)) return unknown('PowerPoint')
  if (has(/^META-INF\/container\.xml$/)) return unknown('EPUB')
  if (has(/^mimetype$/) && has(/^content\.xml$/)) return unknown('OpenDocument')
  return notText('a ZIP archive')
}

/** The format of Word before 2007. Documents with a password are such files, too. */
function compoundFile(bytes: Uint8Array): Unreadable {
  const isEncrypted = isPartOf(bytes, [...'EncryptedPackage'].join('\0'))
  return isEncrypted ? { problem: 'encrypted', detail: null } : unknown('Office 97–2003')
}

function unknown(format: string): Unreadable {
  return { problem: 'unknown_format', detail: `The format is ${format}.` }
}

function notText(kind: string): Unreadable {
  return { problem: 'not_text', detail: `It is ${kind}.` }
}

function textFormatOf(name: string, text: string): Exclude<DocumentFormat, 'pdf' | 'docx'> {
  const head = text.slice(0, 4_096)
  if (isHtml(head)) return 'html'
  const named = textFormatByName(name)
  if (/\.x?html?$/i.test(name) && /<[a-z!]/i.test(head)) return 'html'
  if (isJsonl(text)) return 'jsonl'
  if (isJson(text)) return /\.(?:jsonl|ndjson)$/i.test(name) ? 'jsonl' : 'json'
  if (named) return named
  return head.startsWith('#!') || head.startsWith('<?xml') ? 'code' : 'text'
}

/** A declaration, or the first element, after comments. */
function isHtml(head: string): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*<(?:!doctype\s+html|html)\b/i.test(head)
}
