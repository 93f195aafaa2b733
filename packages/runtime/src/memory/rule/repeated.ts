// Whether a proposal is remembered already: an agent and a flush often keep the same sentence of the user in other words. Pure.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { isNegated } from './negation.ts'
import { tellingWords } from './quotes-for.ts'

interface Quoting {
  readonly quotes: readonly MemoryQuote[]
}

type Statement = Pick<Memory, 'memory_kind' | 'subject' | 'content'> & Quoting

/** More than this share of the words must be there. */
const least = 0.5

/** Both rest on the same words of the same message, and are about the same subject. */
export function isSaidOf(proposal: Statement, memory: Statement): boolean {
  return proposal.memory_kind === memory.memory_kind && proposal.subject === memory.subject && haveSameWords(proposal, memory)
}

/** Whether memories that rest on the same words have mostly what the proposal states. */
export function isRepeated(proposal: Pick<Statement, 'content'>, memories: readonly Pick<Statement, 'content'>[]): boolean {
  const there = memories.map(({ content }) => content).join('. ')
  return contains(there, proposal.content) && isNegated(there) === isNegated(proposal.content)
}

export function haveSameWords(left: Quoting, right: Quoting): boolean {
  return left.quotes.some((one) =>
    right.quotes.some(
      (other) => one.message_id === other.message_id && (one.excerpt.includes(other.excerpt) || other.excerpt.includes(one.excerpt)),
    ),
  )
}

/** Nothing of it is lost if only the whole is kept. */
export function containsAll(whole: string, content: string): boolean {
  return new Set(tellingWords(content)).isSubsetOf(new Set(tellingWords(whole)))
}

/** Mostly, and something of each part: a sentence of which a memory has only a part states more than the memory. */
function contains(whole: string, content: string): boolean {
  const there = new Set(tellingWords(whole))
  const wanted = tellingWords(content)
  const found = wanted.filter((word) => there.has(word))
  if (found.length <= wanted.length * least) return false
  return content.split(betweenParts).every((part) => {
    const words = tellingWords(part)
    return words.length === 0 || words.some((word) => there.has(word))
  })
}

const betweenParts = /[,;]|\b(?:and|but|or|while)\b/iu
