// The headings of a text in the outline of the page: below its title, and without gaps, whatever levels the agent chose.
import type { Block } from './block.ts'

/** The heading of the page is the first. */
const highest = 2
const lowest = 6

export interface Outlined {
  readonly blocks: readonly Block[]
  /** The levels of the headings that what follows is below. */
  readonly open: readonly number[]
}

/** Gives each heading its rank. `open`: from the piece before. */
export function outlined(blocks: readonly Block[], open: readonly number[]): Outlined {
  let now = open
  const all = blocks.map((block): Block => {
    switch (block.kind) {
      case 'heading': {
        const above = now.filter((level) => level < block.level)
        now = [...above, block.level]
        return { ...block, rank: Math.min(highest + above.length, lowest) }
      }
      case 'quote':
      case 'footnote':
        return { ...block, blocks: inside(block.blocks) }
      case 'list':
        return { ...block, items: block.items.map((item) => ({ ...item, blocks: inside(item.blocks) })) }
      default:
        return block
    }
  })
  return { blocks: all, open: now }

  function inside(own: readonly Block[]): readonly Block[] {
    const found = outlined(own, now)
    now = found.open
    return found.blocks
  }
}
