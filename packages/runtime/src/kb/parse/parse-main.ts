// The parsing process. Its input has a line of JSON per file, followed by the bytes of the file; its output has one line per file, written
// before the next one is read. It reads nothing from disk except its own code.
import { isTextFormat } from '@tandem/contract/knowledge'
import type { ParsedDocument, Unreadable } from './parsed.ts'
import { readDocument } from './read-document.ts'

let buffered: Buffer = Buffer.alloc(0)
const chunks = process.stdin.iterator()

for (let index = 0; ; index++) {
  const line = await nextLine()
  if (line === null) break
  const { name, size } = JSON.parse(line) as { readonly name: string; readonly size: number }
  const bytes = await nextBytes(size)
  await write(`${JSON.stringify({ index, ...(await answer(name, bytes)) })}\n`)
}

async function answer(name: string, bytes: Uint8Array): Promise<{ readonly document: object } | Unreadable> {
  try {
    const result = await readDocument(name, bytes)
    return 'problem' in result ? result : { document: shortened(result) }
  } catch (error) {
    return problemOf(error)
  }
}

/** The caller has the text of a text format already: it is the file. */
function shortened({ text, ...document }: ParsedDocument): object {
  return isTextFormat(document.format) ? document : { ...document, text }
}

function problemOf(error: unknown): Unreadable {
  const detail = error instanceof Error ? error.message : String(error)
  if (/call stack/i.test(detail)) return { problem: 'damaged', detail: 'Its parts are nested too deeply.' }
  if (/allocation failed|invalid (?:string|array) length|out of memory/i.test(detail)) return { problem: 'too_much_memory', detail: null }
  return { problem: 'failed', detail }
}

async function nextLine(): Promise<string | null> {
  for (;;) {
    const end = buffered.indexOf(0x0a)
    if (end >= 0) {
      const line = buffered.subarray(0, end).toString('utf8')
      buffered = buffered.subarray(end + 1)
      return line
    }
    if (!(await readMore(0))) return null
  }
}

async function nextBytes(size: number): Promise<Uint8Array> {
  await readMore(size)
  const bytes = buffered.subarray(0, size)
  buffered = buffered.subarray(size)
  return bytes
}

/** Reads at least one more piece of the input, and until `size` bytes are there. False at its end. */
async function readMore(size: number): Promise<boolean> {
  const pieces = [buffered]
  let length = buffered.length
  let isOpen = true
  while (length < size || (size === 0 && pieces.length === 1)) {
    const { done, value } = await chunks.next()
    if (done) {
      isOpen = false
      break
    }
    pieces.push(value)
    length += value.length
  }
  if (pieces.length > 1) buffered = Buffer.concat(pieces)
  return isOpen
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}
