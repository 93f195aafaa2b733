// A table as text: one block, whose first row is the header.
import { trimmedBlock } from './blocks.ts'
import type { Block } from './parsed.ts'
import { trimmedEnd } from './white-space.ts'

export function csvBlocks(text: string): readonly Block[] {
  const table = trimmedBlock(text, { kind: 'table', from: 0, to: text.length })
  if (!table) return []
  const end = trimmedEnd(text, table.from, rowEnd(text, table.from, table.to))
  return [end < table.to && isHeader(text.slice(table.from, end)) ? { ...table, header_to: end } : table]
}

/** Where the row ends, with its line break. A quoted cell may contain line breaks; a quote that is never closed does not swallow the rest. */
export function rowEnd(text: string, from: number, to: number): number {
  let isQuoted = false
  let firstBreak = -1
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isQuoted = !isQuoted
    else if (code === lineFeed) {
      if (!isQuoted) return at + 1
      if (firstBreak < 0) firstBreak = at
    }
    if (firstBreak >= 0 && at - firstBreak > longestCell) return firstBreak + 1
  }
  return firstBreak >= 0 && isQuoted ? firstBreak + 1 : to
}

const quote = 0x22
const lineFeed = 0x0a
const longestCell = 2_000

/** A row of numbers is not a header, and nor is a row that is too long to be repeated. */
function isHeader(row: string): boolean {
  return row.length <= 1_000 && row.split(/[,;\t|]/).some((cell) => /\p{L}/u.test(cell) && !/^\s*"?\d/.test(cell))
}
