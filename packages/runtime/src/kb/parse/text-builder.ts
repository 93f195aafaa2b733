// Builds the text of a document whose bytes are not its text, block by block.
import { limitedBlocks } from './blocks.ts'
import type { Block } from './parsed.ts'

export interface TextBuilder {
  /** Adds a block, if its text is not only white space. `header` is how much of it is the header of a table. */
  add(text: string, block: Pick<Block, 'kind' | 'level' | 'page'>, header?: number): void
  built(): { readonly text: string; readonly blocks: readonly Block[] }
}

export function openTextBuilder(): TextBuilder {
  const parts: string[] = []
  const blocks: Block[] = []
  let length = 0
  return {
    add(raw, block, header = 0) {
      // Spaces at the beginning matter in code only.
      const text = (block.kind === 'code' ? raw.replace(/^(?:[^\S\n]*\n)+/, '') : raw.trimStart()).trimEnd().toWellFormed()
      if (text === '') return
      const from = length === 0 ? 0 : length + separator.length
      if (length > 0) parts.push(separator)
      parts.push(text)
      length = from + text.length
      blocks.push({ ...block, from, to: length, ...(header > 0 && header < text.length ? { header_to: from + header } : {}) })
    },
    built: () => ({ text: parts.join(''), blocks: limitedBlocks(blocks) }),
  }
}

const separator = '\n\n'
