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

export interface TextRange {
  readonly from: number
  readonly to: number
}

/** One block per range, all of the same kind. */
export function rangeBlocks(text: string, ranges: Iterable<TextRange>, kind: Block['kind']): readonly Block[] {
  return completeBlocks(text, blocksOf(ranges, kind), kind)
}

function* blocksOf(ranges: Iterable<TextRange>, kind: Block['kind']): Generator<Block> {
  for (const { from, to } of ranges) yield { kind, from, to }
}

/** The blocks, trimmed, with everything between them as blocks of the given kind. */
export function completeBlocks(text: string, blocks: Iterable<Block>, kind: Block['kind']): readonly Block[] {
  let complete: Block[] = []
  let end = 0
  const add = (block: Block) => {
    const trimmed = trimmedBlock(text, block)
    if (trimmed) complete.push(trimmed)
  }
  for (const block of blocks) {
    if (block.from < end) continue
    add({ kind, from: end, to: block.from })
    add(block)
    end = block.to
    if (complete.length > 2 * mostBlocks) complete = joinedBlocks(complete)
  }
  add({ kind, from: end, to: text.length })
  return limitedBlocks(complete)
}

/** If there are too many, neighbors are joined, and everything becomes text. */
export function limitedBlocks(blocks: readonly Block[]): readonly Block[] {
  if (blocks.length <= mostBlocks) return blocks
  const joined = joinedBlocks(blocks)
  return joined.length < blocks.length ? limitedBlocks(joined) : blocks
}

/** Half as many, unless each is on another page. */
function joinedBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  let isPair = true
  for (const { from, to, page } of blocks) {
    const before = joined.at(-1)
    if (before && !isPair && before.page === page) {
      joined[joined.length - 1] = { ...before, to }
      isPair = true
    } else {
      joined.push({ kind: 'paragraph', from, to, ...(page === undefined ? {} : { page }) })
      isPair = false
    }
  }
  return joined
}
