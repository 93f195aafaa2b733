// Which memory a statement of the user replaces, when the statement itself does not say what it is about in the same words. Pure.
import type { Memory } from '@tandem/contract/memory'
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { stems } from '../resolve/revoke.ts'
import { slotNamed, slotOf } from '../resolve/slots.ts'
import { changes, hintsAtChange, isLocal, leaves, switches } from './change.ts'
import { byMeaning, deniedLikeness, type Likeness } from './meaning.ts'
import { isGeneral, peopleOf, peopleWords, stemsOf, topicsOf, weekdays } from './topics.ts'
import { differ, namesOldValue } from './values.ts'

export interface Statement extends Pick<Memory, 'memory_kind' | 'subject' | 'content'> {
  /** Words that end an earlier memory. */
  readonly revokes: readonly string[]
  /** The workspace in which it was said. */
  readonly workspace: string | null
  /** The user's own words, without what was put before them to make them clear. */
  readonly words: string
  /** What the user said before it in the same message. */
  readonly before?: string
  /** It says nothing that is worth keeping, and that something has changed only by a hint: what it means decides. */
  readonly isHint?: boolean
}

export interface Replaced {
  readonly memory: Memory
  /** Of the statement, or of the memory where only that kind has the slot. */
  readonly memory_kind: Memory['memory_kind']
}

/** A word in more statements than this names no single one of them. */
const mostWith = 3
/** How much of the shorter statement both must have in common, if no value tells. */
const leastShare = 0.4

/** What a model takes for replaced must at least be about something that both name. */
export function canReplace(words: string, memory: Memory): boolean {
  return memory.state === 'active' && memory.memory_kind !== 'episodic' && !topicsOf(words).isDisjointFrom(topicsOf(memory.content))
}

/** The memories that have most in common with a text, best first. */
export function relatedTo(text: string, memories: readonly Memory[], most: number): readonly Memory[] {
  const wanted = topicsOf(text)
  return memories
    .map((memory) => ({ memory, shared: topicsOf(memory.content).intersection(wanted).size }))
    .filter(({ shared }) => shared > 0)
    .toSorted((left, right) => right.shared - left.shared)
    .slice(0, most)
    .map(({ memory }) => memory)
}

/** What is compared of each memory, in slices: the first comparison would have to compute it for all of them. */
export function* prepareComparison(memories: readonly Memory[]): SlicedWork<void> {
  for (const { content } of memories) {
    topicsOf(content)
    peopleWords(content)
    stemsOf(content)
    yield
  }
}

/** `likeness` compares meanings; without it, words alone count. */
export function replacedBy(statement: Statement, existing: readonly Memory[], likeness?: Likeness): Replaced | null {
  const isReachable = reachableFrom(statement)
  const reachable = existing.filter(isReachable)
  const sameSlot = statement.isHint ? null : bySlot(statement, reachable)
  // Most statements end and change nothing: they need not be compared with all others.
  const isHint = likeness !== undefined && hintsAtChange(statement.words)
  const isChange = statement.revokes.length > 0 || changes(statement.words) || leaves(statement.words)
  if (sameSlot || (!isChange && !isHint)) return sameSlot
  const known = { existing: reachable, counts: countsOf(reachable), people: peopleOf(existing, statement.words) }
  const found = statement.isHint ? null : byWords(statement, known, likeness)
  if (found || !likeness) return found
  const memory = byMeaning(statement.words, reachable, known.people, likeness)
  return memory ? { memory, memory_kind: statement.memory_kind } : null
}

function byWords(statement: Statement, known: Known, likeness?: Likeness): Replaced | null {
  const changed = byRevokedWords(statement, known) ?? byChange(statement, known)
  return changed && !isDenied(statement, changed, likeness) ? changed : byLeaving(statement, known)
}

/** Words in common and words of change say little if no value differs, nothing is ended, and both mean something else. */
function isDenied({ revokes, words }: Statement, { memory }: Replaced, likeness?: Likeness): boolean {
  if (!likeness || revokes.length > 0 || differ(words, memory.content)) return false
  const score = likeness(words, memory.content)
  return score !== null && score < deniedLikeness
}

/** "Zed is my editor now" is a preference like the one it replaces, although Zed could be a person. */
function bySlot({ memory_kind, content }: Statement, existing: readonly Memory[]): Replaced | null {
  const slots = new Map<string, string | null>()
  const slotAs = (kind: Memory['memory_kind'], subject: string) => {
    const key = `${kind} ${subject.split(':', 1)[0]}`
    if (!slots.has(key)) slots.set(key, slotOf({ memory_kind: kind, subject, content }))
    return slots.get(key)
  }
  for (const memory of existing.toReversed()) {
    if (memory.slot === null || slotNamed(memory.slot)?.holds !== 'one') continue
    const kind = [memory_kind, memory.memory_kind].find((one) => slotAs(one, memory.subject) === memory.slot)
    if (kind !== undefined) return { memory, memory_kind: kind }
  }
  return null
}

const negated = /^(?:no|not|never|nothing|don't|do not)\b/iu

function byRevokedWords({ memory_kind, revokes, words }: Statement, { existing, counts, people }: Known): Replaced | null {
  const wanted = new Set([...stems(revokes.join(' '))].filter((word) => !isGeneral(word) && !people.has(word)))
  const topics = topicsOf(words).difference(people)
  const days = [...stems(revokes.join(' '))].filter((word) => weekdays.has(word))
  // "That Thursday to Sunday thing": two days name it where nothing else does.
  const hasDays = (content: string) => wanted.size === 0 && days.length >= 2 && days.every((day) => stemsOf(content).has(day))
  const named = existing.flatMap((memory) => {
    const found = wanted.intersection(stemsOf(memory.content))
    // Most of what is ended must be there, with a word that names few other things. "No fish on the menu" still holds without the fish.
    const isNamed =
      !negated.test(memory.content) && found.size * 2 >= wanted.size && [...found].some((word) => (counts.get(word) ?? 0) <= mostWith)
    return isNamed || hasDays(memory.content) ? [{ memory, shared: topicsOf(memory.content).intersection(topics).size }] : []
  })
  const isChosen = (memory: Memory) => (memory.memory_kind === 'decision' || memory.memory_kind === 'preference' ? 1 : 0)
  // Of equal ones what was chosen rather than what was noticed, then the newest.
  const best = named.toSorted((left, right) => left.shared - right.shared || isChosen(left.memory) - isChosen(right.memory)).at(-1)
  return best ? { memory: best.memory, memory_kind } : null
}

function byChange({ memory_kind, words }: Statement, { existing, counts, people }: Known): Replaced | null {
  if (!changes(words)) return null
  const wanted = topicsOf(words).difference(people)
  const found = existing.flatMap((memory) => {
    const topics = topicsOf(memory.content)
    const all = topics.intersection(wanted)
    const shared = [...all].filter((topic) => (counts.get(topic) ?? 0) <= mostWith)
    const weight = shared.reduce((sum, topic) => sum + 1 / (counts.get(topic) ?? 1), 0)
    const isMuch = shared.length >= 2 && shared.length >= leastShare * Math.min(topics.size, wanted.size)
    // A short one is all about it, however many others mention it.
    const isAll = topics.size > 0 && topics.isSubsetOf(wanted) && differ(words, memory.content)
    const isSame = isAll || isMuch || (shared.length >= 1 && (differ(words, memory.content) || isSwitched(shared, words, memory)))
    const isOldValue = !topics.isDisjointFrom(topicsOf(words)) && namesOldValue(words, memory.content)
    return isSame || isOldValue ? [{ memory, weight: weight + (isOldValue ? 2 : 0) + (isAll ? 1 : 0) }] : []
  })
  const [best, second] = found.toSorted((left, right) => right.weight - left.weight)
  if (!best || (second && second.weight === best.weight)) return null
  return { memory: best.memory, memory_kind }
}

/** "DPD lost a pallet. We're switching to Parcelforce.": what is in use is named before. */
function byLeaving({ memory_kind, words, before = '' }: Statement, { existing, counts, people }: Known): Replaced | null {
  if (!leaves(words)) return null
  const said = stemsOf(before)
  const found = existing.filter(({ content }) =>
    [...content.matchAll(inUse)].some(([, name = '']) => {
      const [stem = ''] = stems(name)
      return said.has(stem) && !people.has(stem) && (counts.get(stem) ?? 0) <= mostWith && !stemsOf(words).has(stem)
    }),
  )
  const last = found.at(-1)
  return last ? { memory: last, memory_kind } : null
}

/** A name after a word of use. */
const inUse =
  /\b(?:use|uses|using|on|with|to|via|through) (?:the )?(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)(\p{Lu}[\p{L}\p{N}]+)/gu

interface Known {
  readonly existing: readonly Memory[]
  /** How many memories have each word. */
  readonly counts: ReadonlyMap<string, number>
  /** Names of people say who is concerned, not what has changed. */
  readonly people: ReadonlySet<string>
}

function countsOf(existing: readonly Memory[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { content } of existing) for (const topic of topicsOf(content)) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return counts
}

/** "Marp is a pain, I've moved over to Slidev": what both name is a name, and it is given up. */
function isSwitched(shared: readonly string[], words: string, memory: Memory): boolean {
  const isName = (text: string) => wordsIn(text).some((word) => /^\p{Lu}/u.test(word) && shared.some((topic) => stems(word).has(topic)))
  return switches(words) && isName(words) && isName(memory.content)
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

function reachableFrom({ subject, content, workspace }: Statement): (memory: Memory) => boolean {
  const isHere = isLocal(content)
  const named = stems(subject.startsWith('entity:') ? `${subject.slice('entity:'.length)} ${content}` : content)
  return (memory) => {
    if (memory.state !== 'active' || memory.memory_kind === 'episodic') return false
    if (memory.subject === subject) return true
    if (memory.subject === 'user') return !isHere
    if (memory.subject.startsWith('workspace:')) return memory.subject === `workspace:${workspace}`
    return memory.subject.startsWith('entity:') && !stemsOf(memory.subject.slice('entity:'.length)).isDisjointFrom(named)
  }
}
