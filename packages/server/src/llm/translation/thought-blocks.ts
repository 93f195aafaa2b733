// Thoughts of a model, which its next turn needs unchanged and at their place. A chat completion has no field for them: they are in
// `thinking_blocks`, as other gateways have them, and callers send the field back. Pure.
import { isRecord } from '../relay/usage.ts'
import type { ContentBlock } from './content-blocks.ts'

/** `index`: the place of the block in its turn. */
export interface ThoughtPiece extends Readonly<Record<string, unknown>> {
  readonly index: number
}

/** What callers merge by `index`; undefined for a block that is no thought. */
export function thoughtPiece(block: unknown, index: number): ThoughtPiece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'thinking') return { index, type: 'thinking', thinking: text(block.thinking), signature: text(block.signature) }
  return block.type === 'redacted_thinking' ? { index, type: 'redacted_thinking', data: text(block.data) } : undefined
}

/** The other blocks of a turn, with its thoughts back at their places. Thoughts without a signature are not accepted, so not sent. */
export function withThoughts(given: unknown, others: readonly ContentBlock[]): ContentBlock[] {
  const thoughts = (Array.isArray(given) ? given : []).flatMap((one, position) => {
    const block = blockOf(one)
    return block ? [{ index: isRecord(one) && typeof one.index === 'number' ? one.index : position, block }] : []
  })
  const blocks = [...others]
  for (const { index, block } of thoughts.toSorted((left, right) => left.index - right.index)) blocks.splice(index, 0, block)
  return blocks
}

function blockOf(thought: unknown): ContentBlock | undefined {
  const { type, thinking, signature, data } = isRecord(thought) ? thought : {}
  if (type === 'redacted_thinking' && text(data) !== '') return { type, data }
  if (type !== 'thinking' || text(signature) === '') return undefined
  return { type, thinking: text(thinking), signature }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
