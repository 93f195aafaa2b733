// A text file: its bytes, and how they represent text: encoding, byte order mark, line endings.
// The form is detected from a sample, and kept when a file is changed.
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { ToolFailure } from '../../call/failure.ts'
import type { FileVersion, ReadableFiles } from '../../call/files.ts'
import { mediaType } from './media-type.ts'

export interface StoredFile {
  readonly real: string
  readonly bytes: Buffer
  readonly version: FileVersion
  readonly sha256: string
}

export interface FoundFile extends Omit<StoredFile, 'bytes'> {
  readonly bytes: Buffer | null
  readonly size: number
}

/** What is needed to read a file; available to a tool when it runs, and for a preview. */
export interface FileReader {
  readonly files: Pick<ReadableFiles, 'read'>
  readonly signal: AbortSignal
}

/** Larger files should be changed by programs, not by a model. */
export const maxTextBytes = 16 * 1024 * 1024

export async function loadFile(path: string, { files }: FileReader): Promise<StoredFile> {
  return files.read(path, async ({ real, handle, facts, version }) => {
    if (facts.size > maxTextBytes) throw tooLarge(path, facts.size)
    const bytes = await handle.readFile()
    return { real, bytes, version, sha256: sha256(bytes) }
  })
}

/** The file that will be replaced; only the hash for a large file. `null` if nothing is there. */
export async function loadFileIfAny(path: string, { files, signal }: FileReader): Promise<FoundFile | null> {
  try {
    return await files.read(path, async ({ real, handle, facts, version }) => {
      if (facts.size > maxTextBytes) return { real, bytes: null, size: facts.size, version, sha256: await hashOf(handle, signal) }
      const bytes = await handle.readFile()
      return { real, bytes, size: bytes.length, version, sha256: sha256(bytes) }
    })
  } catch (error) {
    if (error instanceof Error && 'reason_code' in error && error.reason_code === 'not_found') return null
    throw error
  }
}

async function hashOf(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024, signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** A caller that gives a hash wants to change exactly that version. */
export function expectHash(path: string, stored: Pick<FoundFile, 'sha256'> | null, expected: string | undefined): void {
  if (expected === undefined || stored?.sha256 === expected.toLowerCase()) return
  throw new ToolFailure(
    'changed_since_read',
    stored === null ? `"${path}" no longer exists.` : `"${path}" has changed since it was read: its SHA-256 is ${stored.sha256}.`,
    {
      subject: path,
      remedy: 'Read it again and repeat the change with its current content.',
    },
  )
}

export function tooLarge(path: string, size: number): ToolFailure {
  return new ToolFailure('too_large', `"${path}" has ${size} bytes; this tool can change files of at most ${maxTextBytes} bytes.`, {
    subject: path,
    remedy: 'Change it with a program (script.run), or split it into smaller files.',
  })
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export interface TextForm {
  /** `utf-8`, `utf-16le`, `utf-16be`, or a name that iconv-lite knows. */
  readonly encoding: string
  readonly bom: boolean
  /** Whether the bytes determine it; a guess is good enough for reading, not for writing back. */
  readonly certain: boolean
}

export type LineEnding = 'lf' | 'crlf' | 'mixed' | 'none'

/** How much of a file is read to detect its form. */
export const sampleBytes = 64 * 1024

/** `null` for binary. */
export function recognizeText(sample: Uint8Array): TextForm | null {
  const mark = recognizeMark(sample)
  if (mark) return { ...mark, bom: true, certain: true }
  if (mediaType(sample)) return null
  if (sample.includes(0)) return recognizeUtf16(sample)
  if (isUtf8(sample)) return controls(sample) > 0.1 ? null : { encoding: 'utf-8', bom: false, certain: true }
  return controls(sample) > 0.02 ? null : { encoding: 'windows-1252', bom: false, certain: false }
}

function recognizeMark([first, second, third, fourth]: Uint8Array): { encoding: string } | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8' }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be' }
  // Followed by two zeros it would be UTF-32, which is practically never used.
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return { encoding: 'utf-16le' }
  return null
}

/** Latin text has a zero in every other byte, and almost none in the rest. */
function recognizeUtf16(sample: Uint8Array): TextForm | null {
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const half = Math.max(1, sample.length / 2)
  const [even = 0, odd = 0] = zeros.map((count) => count / half)
  if (odd > 0.4 && even < 0.02) return { encoding: 'utf-16le', bom: false, certain: false }
  if (even > 0.4 && odd < 0.02) return { encoding: 'utf-16be', bom: false, certain: false }
  return null
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    // A sample may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

function controls(sample: Uint8Array): number {
  let count = 0
  for (const byte of sample) if (byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) count++
  return count / Math.max(1, sample.length)
}

export function lineEnding(text: string): LineEnding {
  const all = text.split('\n').length - 1
  const crlf = text.split('\r\n').length - 1
  if (all === 0) return 'none'
  return crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed'
}

/** The normalized name, or a failure that lists the valid names. */
export async function knownEncoding(name: string): Promise<string> {
  const plain = name.toLowerCase().replace(/^utf-?(8|16le|16be)$/, 'utf-$1')
  if (isUnicode(plain)) return plain
  if (plain !== 'base64' && plain !== 'hex' && (await iconv()).encodingExists(plain)) return plain
  throw new ToolFailure('unknown_encoding', `"${name.slice(0, 100)}" is not a known encoding.`, {
    subject: name.slice(0, 100),
    remedy: 'Use utf-8, utf-16le, utf-16be, latin1, windows-1252, shift_jis, gb18030, euc-kr or another name that iconv supports.',
  })
}

export interface StreamDecoder {
  write(chunk: Uint8Array): string
  end(): string
}

/** Lenient: invalid bytes become U+FFFD. The byte order mark is removed. */
export async function streamDecoder({ encoding }: TextForm): Promise<StreamDecoder> {
  if (isUnicode(encoding)) {
    const decoder = new TextDecoder(encoding)
    return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() }
  }
  const decoder = (await iconv()).getDecoder(encoding)
  return { write: (chunk) => decoder.write(Buffer.from(chunk)), end: () => decoder.end() ?? '' }
}

/** The whole text without its mark; `null` if writing it back would not give the same bytes. */
export async function decodeExactly(bytes: Uint8Array, form: TextForm): Promise<string | null> {
  const decoder = await streamDecoder(form)
  const text = decoder.write(bytes) + decoder.end()
  const again = await encodeText(text, form).catch(() => null)
  return again && Buffer.compare(again, bytes) === 0 ? text : null
}

export async function encodeText(text: string, { encoding, bom }: Pick<TextForm, 'encoding' | 'bom'>): Promise<Buffer> {
  if (!text.isWellFormed()) throw unwritable(encoding, 'an unpaired surrogate')
  const whole = bom ? `\uFEFF${text}` : text
  if (encoding === 'utf-8') return Buffer.from(whole, 'utf8')
  if (encoding === 'utf-16le') return Buffer.from(whole, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(whole, 'utf16le').swap16()
  const { encode, decode } = await iconv()
  const bytes = encode(whole, encoding)
  if (decode(bytes, encoding, { stripBOM: false }) !== whole) throw unwritable(encoding, 'characters that it does not support')
  return bytes
}

function unwritable(encoding: string, what: string): ToolFailure {
  return new ToolFailure('not_representable', `The text cannot be written as ${encoding}: it contains ${what}.`, {
    subject: encoding,
    remedy: 'Write it as utf-8, or remove those characters.',
  })
}

function isUnicode(encoding: string): boolean {
  return encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'utf-16be'
}

async function iconv() {
  return (await import('iconv-lite')).default
}
