// The memories that a resolution cycle needs: those that were touched, and every other one whose state, slot or links can follow from theirs.
import type { Memory, MemoryDecision } from '@tandem/contract/memory'
import type { Memories } from './record/memories.ts'
import type { MemoryTerms } from './record/terms.ts'
import { rarestWords, similarity } from './rule/concern/similar-words.ts'
import { statementTerm, term, wordsOf } from './rule/concern/terms.ts'
import type { ResolutionInput } from './rule/resolve/resolve.ts'
import { stems } from './rule/resolve/revoke.ts'
import { type SimilarPair, slotThreshold } from './rule/resolve/slot-assignment.ts'
import { slotNamed, slotOf } from './rule/resolve/slots.ts'
import { momentOf } from './rule/resolve/standing.ts'

export interface ConcernedPorts {
  readonly memories: Pick<Memories, 'all' | 'contents' | 'ofSubject' | 'revokes' | 'revoking'>
  readonly terms: Pick<MemoryTerms, 'withAll' | 'counts'>
}

/** Words in more memories than this say little, and comparing all of them would take too long. */
const mostCompared = 200

/** `touched` are of one subject and owner. */
export function concernedBy(
  { memories, terms }: ConcernedPorts,
  touched: readonly Memory[],
  decisions: readonly MemoryDecision[],
): ResolutionInput {
  const found = new Map<string, Memory>()
  const slots = new Set<string>()
  const decided = partnersOf(decisions)
  let waiting: Memory[] = []

  function take(list: readonly Memory[]): void {
    for (const memory of list) {
      if (found.has(memory.id)) continue
      found.set(memory.id, memory)
      waiting.push(memory)
    }
  }
  const takeIds = (ids: Iterable<string>) => take(memories.all([...new Set(ids)].filter((id) => !found.has(id))))

  /** What they state, link to and were decided about, and what shares a slot of one value with them. */
  function takeRelated(list: readonly Memory[]): void {
    takeIds(
      list.flatMap((memory) => [
        ...memory.supersedes,
        ...memory.conflicts_with,
        ...(decided.get(memory.id) ?? []),
        ...terms.withAll([statementTerm(memory)]),
        ...terms.withAll([term(memory, 'ended', memory.id)]),
      ]),
    )
    for (const { agent_id, subject, ...memory } of list) {
      const slot = memory.procedure === null ? (slotOf({ ...memory, subject }) ?? memory.slot) : null
      if (slot === null || slots.has(slot) || slotNamed(slot)?.holds !== 'one') continue
      slots.add(slot)
      take(memories.ofSubject(subject, agent_id, slot))
    }
  }

  take(touched)
  const similar = touched.flatMap((memory) => similarTo({ memories, terms }, memory))
  takeIds(similar.map(({ right }) => right))
  const revokes = revokesFor({ memories, terms }, touched)
  for (const { revoking, named } of revokes) takeIds([revoking, ...named])
  while (waiting.length > 0) {
    const list = waiting
    waiting = []
    takeRelated(list)
  }
  return {
    memories: [...found.values()],
    decisions: decisions.filter(({ kept_memory_id, over_memory_ids }) => [kept_memory_id, ...over_memory_ids].some((id) => found.has(id))),
    revokes: new Map(revokes.map(({ revoking, words }) => [revoking, words])),
    similar,
  }
}

function similarTo({ memories, terms }: ConcernedPorts, memory: Memory): readonly SimilarPair[] {
  const byStem = new Map([...wordsOf(memory.content)].map((stem) => [stem, term(memory, 'word', stem)]))
  const counts = terms.counts([...byStem.values()], mostCompared + 1)
  const countOf = (stem: string) => counts.get(byStem.get(stem) ?? 0) ?? 0
  const words = (rarestWords(memory.content, countOf) ?? []).filter((stem) => countOf(stem) <= mostCompared)
  const ids = words.flatMap((stem) => terms.withAll([byStem.get(stem) ?? 0]))
  return memories
    .contents([...new Set(ids)].filter((id) => id !== memory.id))
    .map(({ id, content }) => ({ left: memory.id, right: id, score: similarity(memory.content, content) }))
    .filter(({ score }) => score >= slotThreshold)
}

interface Revoke {
  readonly revoking: string
  readonly words: readonly string[]
  /** What the words may end. */
  readonly named: readonly string[]
}

/** The words of touched memories that end others, and those of later memories that may end a touched one. */
function revokesFor({ memories, terms }: ConcernedPorts, touched: readonly Memory[]): readonly Revoke[] {
  const [first] = touched.toSorted((left, right) => (momentOf(left) < momentOf(right) ? -1 : 1))
  if (!first) return []
  const touchedIds = new Set(touched.map(({ id }) => id))
  const wordsOf = touched.map(({ content }) => stems(content))
  return [...memories.revoking(first.subject, first.agent_id, first.created_at)].flatMap(([revoking, words]) => {
    const wanted = stems(words.join(' '))
    const isConcerned = touchedIds.has(revoking) || wordsOf.some((present) => wanted.isSubsetOf(present))
    if (wanted.size === 0 || !isConcerned) return []
    return [{ revoking, words, named: terms.withAll([...wanted].map((word) => term(first, 'word', word))) }]
  })
}

/** For each memory, those that a decision names together with it. */
function partnersOf(decisions: readonly MemoryDecision[]): ReadonlyMap<string, readonly string[]> {
  const partners = new Map<string, string[]>()
  for (const { kept_memory_id, over_memory_ids } of decisions) {
    const all = [kept_memory_id, ...over_memory_ids]
    for (const id of all) partners.set(id, [...(partners.get(id) ?? []), ...all])
  }
  return partners
}
