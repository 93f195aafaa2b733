// Memories that state the same become one. Pure.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { end, isAlive, isDecidedAgainst, type Standing } from './standing.ts'

const mostQuotes = 20

/** `standings` have the same statement, in the order of their creation. At any time at most one of them is active. */
export function mergeSame(standings: readonly Standing[]): void {
  let survivor: Standing | undefined
  for (const one of standings) {
    if (!tookPart(one)) continue
    if (!survivor || survivor.ends <= one.moment) {
      survivor = one
      continue
    }
    const [kept, merged] = isBetter(one, survivor) ? [one, survivor] : [survivor, one]
    end(merged, one.moment, kept.memory.id, 'merged')
    survivor = kept
  }
  const decided = standings.filter(({ memory, verdict }) => isDecidedAgainst(memory, verdict)).flatMap(({ memory }) => memory.supersedes)
  for (const one of standings) if (one.memory.state === 'superseded' && decided.includes(one.memory.id)) keepMerged(one)
}

/** The decision may not be handed in any more: what was merged into the loser does not return either. */
function keepMerged(one: Standing): void {
  if (isAlive(one) && !one.verdict?.isKept) one.canBeActive = false
}

/** A memory that the user decided against counts until then: what was merged into it by that time must not return. */
function tookPart({ memory, canBeActive, verdict, moment, ends, reason }: Standing): boolean {
  const isDecided = verdict?.isKept === false || reason === 'decided'
  return memory.state !== 'archived' && (canBeActive || isDecided) && ends > moment
}

/** The one the user kept, then the higher rank; otherwise the earlier one survives. */
function isBetter(later: Standing, earlier: Standing): boolean {
  const [laterKept, earlierKept] = [later, earlier].map(({ verdict }) => (verdict?.isKept ? verdict.until : ''))
  if (laterKept !== earlierKept) return (laterKept ?? '') > (earlierKept ?? '')
  return later.rank > earlier.rank
}

/** Its quotes and those of what was merged into it: all that only it has, then the oldest and the newest of the others. */
export function mergedQuotes(survivor: Memory, merged: readonly Memory[]): readonly MemoryQuote[] {
  const others = inOrder(merged.flatMap(({ quotes }) => quotes))
  const theirs = new Set(others.map(nameOf))
  const own = inOrder(survivor.quotes).filter((quote) => !theirs.has(nameOf(quote)))
  const room = Math.max(0, mostQuotes - own.length)
  if (others.length <= room) return inOrder([...own, ...others])
  const newest = Math.floor(room / 2)
  return inOrder([...own, ...others.slice(0, room - newest), ...others.slice(others.length - newest)])
}

/** Ids of messages are in the order of time. */
function inOrder(quotes: readonly MemoryQuote[]): readonly MemoryQuote[] {
  const byName = new Map(quotes.map((quote) => [nameOf(quote), quote]))
  return [...byName].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, quote]) => quote)
}

const nameOf = ({ message_id, excerpt }: MemoryQuote): string => `${message_id} ${excerpt}`
