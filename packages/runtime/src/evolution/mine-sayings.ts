// Finds what a person says again and again in other words. The latest sayings are compared with each other whenever something is said, so the
// order in which they came does not matter; a group keeps its pattern while most of it stays together.
import type { Store } from '../store/store.ts'
import type { Meanings } from './meanings.ts'
import type { RepeatedPatterns } from './record/repeated.ts'
import { type NewSaying, openSayings, type SaidKind, type Saying } from './record/sayings.ts'
import { type BehaviorFacts, lineOf } from './rule/behavior.ts'
import { demandsIn } from './rule/constraint.ts'
import { averageLinkage } from './rule/linkage.ts'
import { corrects, remediationsIn } from './rule/remediation.ts'
import { type Compared, comparedBy, leastSame, sameness } from './rule/same-demand.ts'
import { signatureOf } from './rule/sequence.ts'

export interface SayingMiner {
  /** Adds what was said in a run. Returns the group of each, in order. */
  put(what: SaidKind, run: number, said: readonly NewSaying[]): readonly number[]
  /** Whether a group is a way of working that is asked for, whatever the task is. */
  isConstraint(pattern: number): boolean
  forget(run: number): void
}

/** Of one run; more is a text, not what someone says. */
const mostSaid = 6

export function demandsOf({ said }: BehaviorFacts): readonly NewSaying[] {
  return said
    .filter((message) => message.about === null && !corrects(message))
    .flatMap(({ message_id, text, starts }) =>
      demandsIn({ text, starts }).map(({ text: demand, ...rest }) => ({ ...rest, text: lineOf(demand), message_id })),
    )
    .slice(0, mostSaid)
}

/** What is compared in a run: to be embedded before it is mined. */
export function saidIn(facts: BehaviorFacts): readonly string[] {
  const corrections = remediationsIn(facts).flatMap(({ kind, words }) => (kind === 'corrected_agent' && words !== null ? [words] : []))
  return [...demandsOf(facts).map(({ text }) => text), ...corrections.slice(0, mostSaid)]
}

export interface SayingMinerOptions {
  readonly meanings: Meanings
  readonly repeated: RepeatedPatterns
  /** Only measurements use another one. */
  readonly least?: number
}

export function openSayingMiner(store: Pick<Store, 'sql'>, { meanings, repeated, least = leastSame }: SayingMinerOptions): SayingMiner {
  const sayings = openSayings(store)
  const compared = new Map<number, Compared>()

  function comparedOf({ no, text, asks }: Saying): Compared {
    const known = compared.get(no)
    // What had no meaning when it was said may have one now.
    if (known && (known.meaning !== null) === (meanings.of(text) !== null)) return known
    const found = comparedBy(text, asks, meanings.of(text))
    compared.set(no, found)
    return found
  }

  function groupsOf(all: readonly Saying[]): readonly (readonly Saying[])[] {
    const parts = all.map(comparedOf)
    const counts = new Map<string, number>()
    for (const { words } of parts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    const weights = new Map([...counts].map(([word, count]) => [word, Math.log(1 + 100 / count)]))
    const weight = (word: string) => weights.get(word) ?? 0
    const score = (left: number, right: number) => {
      const [one, other] = [parts[left], parts[right]]
      return one && other ? sameness(one, other, weight) : Number.NEGATIVE_INFINITY
    }
    return averageLinkage(parts.length, score, least).map((group) => group.flatMap((at) => all[at] ?? []))
  }

  /** The pattern that most of a group has, unless a larger group has it. */
  function patternOf(what: SaidKind, group: readonly Saying[], taken: ReadonlySet<number>): number {
    const votes = [...Map.groupBy(group, ({ pattern }) => pattern)]
      .flatMap(([pattern, voters]) => (pattern === null || taken.has(pattern) ? [] : [{ pattern, votes: voters.length }]))
      .toSorted((left, right) => right.votes - left.votes || left.pattern - right.pattern)
    if (votes[0]) return votes[0].pattern
    const [first] = group
    const words = first ? comparedOf(first).words : []
    const plain = repeated.ensure(what, signatureOf(what, words))
    return taken.has(plain) || isUsed(plain, group) ? repeated.ensure(what, signatureOf(what, [...words, `${first?.no}`])) : plain
  }

  /** By sayings of another group. */
  function isUsed(pattern: number, group: readonly Saying[]): boolean {
    const own = new Set(group.map(({ run }) => run))
    return sayings.figures(pattern).sayings > 0 && !group.some((one) => own.has(one.run) && one.pattern === pattern)
  }

  function regroup(what: SaidKind): void {
    const all = sayings.latest(what)
    const groups = groupsOf(all).toSorted((left, right) => right.length - left.length || (left[0]?.no ?? 0) - (right[0]?.no ?? 0))
    const taken = new Set<number>()
    const changed = new Map<string, readonly [pattern: number, run: number]>()
    for (const group of groups) {
      const pattern = patternOf(what, group, taken)
      taken.add(pattern)
      for (const { no, run, pattern: before } of group) {
        if (before === pattern) continue
        sayings.setPattern(no, pattern)
        for (const one of before === null ? [pattern] : [before, pattern]) changed.set(`${one} ${run}`, [one, run])
      }
    }
    for (const [pattern, run] of changed.values()) {
      repeated.remove(pattern, run)
      for (const { text, forbids, message_id } of sayings.of(pattern, run))
        repeated.add(pattern, run, { repetitions: 1, forbids, words: text, message_ids: [message_id], keys: [] })
    }
    const current = new Set(all.map(({ no }) => no))
    for (const no of compared.keys()) if (!current.has(no) && compared.size > 2 * all.length + 100) compared.delete(no)
  }

  return {
    put(what, run, said) {
      if (said.length === 0) return []
      for (const one of said) sayings.add(what, run, one)
      regroup(what)
      return sayings
        .latest(what)
        .flatMap((one) => (one.run === run && one.pattern !== null ? [one.pattern] : []))
        .slice(-said.length)
    },
    isConstraint(pattern) {
      const { sayings: count, asking, tasks } = sayings.figures(pattern)
      return 3 * asking >= count && tasks >= 2
    },
    forget: (run) => sayings.forget(run),
  }
}
