// JSON Lines: a block per line.
import { rangeBlocks } from './blocks.ts'
import { isJson } from './json.ts'
import type { Block } from './parsed.ts'
import { ranges } from './plain-text.ts'

export function jsonlBlocks(text: string): readonly Block[] {
  return rangeBlocks(
    text,
    ranges(text, () => true),
    'code',
  )
}

/** Whether the first lines are objects or arrays. One line alone is not enough. */
export function isJsonl(text: string): boolean {
  const lines = firstLines(text)
  return lines.length > 1 && lines.every(isJson)
}

const examinedLines = 20
const longestLine = 100_000

function firstLines(text: string): readonly string[] {
  const lines: string[] = []
  let from = 0
  while (lines.length < examinedLines && from < text.length) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to - from > longestLine) return []
    const line = text.slice(from, to).trim()
    if (line !== '') lines.push(line)
    from = to + 1
  }
  return lines
}
