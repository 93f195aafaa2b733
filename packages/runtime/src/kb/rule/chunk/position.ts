// Where passages are: in the extracted text, and for text formats in the file. Pure, and linear in the length of the text.
import { createHash } from 'node:crypto'
import type { DocumentPosition } from '@tandem/contract/knowledge'
import type { ParsedDocument } from '../../parse/parsed.ts'
import type { Chunk } from './chunk.ts'

export function positionsOf(document: ParsedDocument, chunks: readonly Chunk[]): readonly DocumentPosition[] {
  const { text, encoding } = document
  const text_sha256 = createHash('sha256').update(text).digest('hex')
  const places = encoding ? filePlaces(text, encoding, chunks) : null
  return chunks.map((chunk) => {
    const begin = places?.get(chunk.from)
    const end = places?.get(chunk.to)
    return {
      text: { from: chunk.from, to: chunk.to },
      text_sha256,
      bytes: begin && end ? { from: begin.byte, to: end.byte } : null,
      first_line: begin?.line ?? null,
      last_line: end?.lineBefore ?? null,
      page: chunk.page,
      headings: [...chunk.headings],
      paragraph: chunk.paragraph,
    }
  })
}

interface FilePlace {
  readonly byte: number
  /** Of the next character, and of the last before it. */
  readonly line: number
  readonly lineBefore: number
}

/** The places of all beginnings and ends, found in one pass. */
function filePlaces(
  text: string,
  encoding: NonNullable<ParsedDocument['encoding']>,
  chunks: readonly Chunk[],
): ReadonlyMap<number, FilePlace> {
  const wanted = [...new Set(chunks.flatMap(({ from, to }) => [from, to]))].sort((one, other) => one - other)
  const places = new Map<number, FilePlace>()
  let at = 0
  let byte = encoding.mark_bytes
  let line = 1
  for (const next of wanted) {
    const part = text.slice(at, next)
    byte += bytesOf(part, encoding.name)
    line += lineBreaks(part)
    places.set(next, { byte, line, lineBefore: next > 0 && text[next - 1] === '\n' ? line - 1 : line })
    at = next
  }
  return places
}

function bytesOf(part: string, name: NonNullable<ParsedDocument['encoding']>['name']): number {
  if (name === 'utf-8') return Buffer.byteLength(part)
  return name === 'windows-1252' ? part.length : part.length * 2
}

function lineBreaks(part: string): number {
  let count = 0
  for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) count += 1
  return count
}
