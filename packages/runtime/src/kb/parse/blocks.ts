// Blocks of a text: they contain everything except white space, and there is a limit to how many.
import type { Block } from './parsed.ts'
import { lineStart, nextVisible, trimmedEnd } from './white-space.ts'

/** A file with more blocks than this gets larger ones. */
export const mostBlocks = 100_000

/** From the beginning of the first line with text to the end of the last; null if there is only white space. */
export function trimmedBlock(text: string, block: Block): Block | null {
  const visible = nextVisible(text, block.from)
  if (visible >= block.to) return null
  return { ...block, from: lineStart(text, visible, block.from), to: trimmedEnd(text, visible, block.to) }
}

/** The blocks, trimmed, with everything between them as blocks of the given kind. */
export function completeBlocks(text: string, blocks: readonly Block[], kind: Block['kind']): readonly Block[] {
  const complete: Block[] = []
  let end = 0
  for (const block of [...blocks, { kind, from: text.length, to: text.length }]) {
    if (block.from < end) continue
    for (const one of [{ kind, from: end, to: block.from }, block]) {
      const trimmed = trimmedBlock(text, one)
      if (trimmed) complete.push(trimmed)
    }
    end = block.to
  }
  return limitedBlocks(complete)
}

/** If there are too many, neighbors of one page are joined, and everything becomes text. */
export function limitedBlocks(blocks: readonly Block[], most = mostBlocks): readonly Block[] {
  if (blocks.length <= most) return blocks
  const size = Math.ceil(blocks.length / most)
  const joined: Block[] = []
  let count = 0
  for (const { from, to, page } of blocks) {
    const before = joined.at(-1)
    if (before && count < size && before.page === page) {
      joined[joined.length - 1] = { ...before, to }
      count += 1
    } else {
      joined.push({ kind: 'paragraph', from, to, ...(page === undefined ? {} : { page }) })
      count = 1
    }
  }
  return joined
}
