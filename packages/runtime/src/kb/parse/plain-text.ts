// Paragraphs: what is between blank lines.
import { rangeBlocks, type TextRange } from './blocks.ts'
import type { Block } from './parsed.ts'
import { nextVisible } from './white-space.ts'

export function plainTextBlocks(text: string): readonly Block[] {
  return rangeBlocks(
    text,
    ranges(text, ({ isBlank }) => isBlank),
    'paragraph',
  )
}

export interface LineBreak {
  /** The first visible characters of the lines around it. */
  readonly before: number
  readonly after: number
  /** Whether a blank line is between them. */
  readonly isBlank: boolean
}

/** The parts of a text: each ends at a line break for which `isEnd` is true. */
export function* ranges(text: string, isEnd: (between: LineBreak) => boolean): Generator<TextRange> {
  let from = 0
  let line = nextVisible(text, 0)
  while (line < text.length) {
    const end = lineEnd(text, line)
    const next = nextVisible(text, end)
    if (next >= text.length) break
    const second = text.indexOf('\n', end + 1)
    const isBlank = second >= 0 && second < next
    if (isEnd({ before: line, after: next, isBlank })) {
      yield { from, to: end }
      from = end
    }
    line = next
  }
  if (from < text.length) yield { from, to: text.length }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
