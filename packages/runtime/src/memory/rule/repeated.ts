// Whether a proposal is remembered already: an agent and a flush often keep the same sentence of the user in other words. Pure.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { tellingWords } from './quotes-for.ts'

interface Quoting {
  readonly quotes: readonly MemoryQuote[]
}

type Statement = Pick<Memory, 'memory_kind' | 'subject' | 'content'> & Quoting

/** The share of the words of the shorter statement that the other one must have. */
const least = 0.6

/** Both rest on the same words of the same message, and state the same kind of thing about the same subject with mostly the same words. */
export function isRepeated(proposal: Statement, memory: Statement): boolean {
  if (proposal.memory_kind !== memory.memory_kind || proposal.subject !== memory.subject) return false
  return haveSameWords(proposal, memory) && haveSameContent(proposal, memory)
}

export function haveSameWords(left: Quoting, right: Quoting): boolean {
  return left.quotes.some((one) =>
    right.quotes.some(
      (other) => one.message_id === other.message_id && (one.excerpt.includes(other.excerpt) || other.excerpt.includes(one.excerpt)),
    ),
  )
}

function haveSameContent(left: Statement, right: Statement): boolean {
  const [some, others] = [new Set(tellingWords(left.content)), new Set(tellingWords(right.content))]
  const shorter = Math.min(some.size, others.size)
  return shorter > 0 && some.intersection(others).size >= shorter * least
}
