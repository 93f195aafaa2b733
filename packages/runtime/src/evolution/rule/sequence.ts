// Which calls belong together because they occur together in many runs, in whatever order. Pure.
//
// A sequence is a set of shapes, because independent steps are done in any order and other calls come in between. It counts only if so many
// runs share it that chance does not explain it: everyday calls meet each other all the time.
import { createHash } from 'node:crypto'

export interface ShapeSet {
  readonly run: number
  readonly shapes: ReadonlySet<string>
}

export interface Window {
  /** The earlier runs that are compared, without the run itself. */
  readonly runs: number
  /** In how many of them a shape occurs. */
  countOf(shape: string): number
  isEffectful(shape: string): boolean
}

export interface FoundSequence {
  readonly shapes: readonly string[]
  /** The earlier runs that have all of them. */
  readonly runs: readonly number[]
}

export const fewest = { runs: 3, effectful: 3 } as const

/** Of the sorted shapes: the order of independent steps does not matter. */
export function signatureOf(kind: string, parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...new Set(parts)].toSorted()))
    .digest('hex')
}

/** How many different shapes there could be; the more, the more often chance finds something. */
const [frequentShapes, mostChance] = [300, 0.01]
const mostSets = 400

/** The closed set of shapes that is hardest to explain by chance; null if chance explains all. */
export function findSequence(shapes: ReadonlySet<string>, earlier: readonly ShapeSet[], window: Window): FoundSequence | null {
  const shared = earlier
    .map(({ run, shapes: others }) => ({ run, both: shapes.intersection(others) }))
    .filter(({ both }) => isEnough(both, window))
  const sets = new Map<string, ReadonlySet<string>>()
  const add = (set: ReadonlySet<string>) => {
    if (sets.size < mostSets && isEnough(set, window)) sets.set([...set].toSorted().join('\n'), set)
  }
  for (const { both } of shared) add(both)
  for (const [index, { both }] of shared.entries()) for (const other of shared.slice(index + 1)) add(both.intersection(other.both))
  let [best, least]: [FoundSequence | null, number] = [null, Math.log(mostChance)]
  for (const [, set] of [...sets].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const runs = shared.filter(({ both }) => set.isSubsetOf(both)).map(({ run }) => run)
    if (runs.length + 1 < fewest.runs) continue
    const chance = chanceOf(set, runs.length + 1, window)
    if (chance < least) [best, least] = [{ shapes: [...set].toSorted(), runs }, chance]
  }
  return best
}

function isEnough(set: ReadonlySet<string>, { isEffectful }: Window): boolean {
  let count = 0
  for (const shape of set) if (isEffectful(shape)) count += 1
  // A routine that mostly reads and judges has fewer effects, but more steps.
  return count >= fewest.effectful || (count === fewest.effectful - 1 && set.size > fewest.effectful + 1)
}

/** The logarithm of the chance that so many runs share any such set if calls were independent of each other. */
export function chanceOf(set: ReadonlySet<string>, support: number, { runs, countOf }: Window): number {
  const all = runs + 1
  let expected = Math.log(all)
  let sets = 0
  let size = 0
  for (const shape of set) {
    // Without the runs that support it: a routine must not hide itself. As if twenty more runs had happened, one of them with it.
    expected += Math.log(Math.min(1, (Math.max(0, countOf(shape) + 1 - support) + 1) / (all - support + 20)))
    size += 1
    sets += Math.log(frequentShapes - size + 1) - Math.log(size)
  }
  if (Math.exp(expected) >= support) return 0
  let factorial = 0
  for (let n = 2; n <= support; n += 1) factorial += Math.log(n)
  return support * expected - Math.exp(expected) - factorial + sets
}

/** A shape of a known sequence. */
export interface CoreShape {
  readonly shape: string
  /** How many of its runs have it. */
  readonly share: number
  /** How many other runs have it. */
  readonly elsewhere: number
  readonly effectful: boolean
}

const leastScore = 0.55

/** How much of a known sequence a run has, from 0 to 1; 0 if it is not the same. What is rare elsewhere says more than what is common. */
export function likeness(shapes: ReadonlySet<string>, core: readonly CoreShape[]): number {
  let [found, all, steps, effects] = [0, 0, 0, 0]
  for (const { shape, share, elsewhere, effectful } of core) {
    const weight = share * Math.log(1 + 1 / (elsewhere + 0.02))
    all += weight
    if (!shapes.has(shape)) continue
    found += weight
    steps += 1
    if (effectful) effects += 1
  }
  const score = all === 0 ? 0 : found / all
  return steps >= 3 && effects >= 2 && score >= leastScore ? score : 0
}

const leastShared = 0.62

/**
 * Two sequences are ways of one routine if they share at least three steps, two of them with effects, and these are most of what both have, by
 * how rare they are in all other runs. Files of another format in the same folder are the same step. `together`: the core of the runs of both.
 */
export function areVariants(one: ReadonlySet<string>, other: ReadonlySet<string>, together: readonly CoreShape[]): boolean {
  const [places, otherPlaces] = [one, other].map((shapes) => new Set([...shapes].map(withoutFormat)))
  let [shared, all, steps, effects] = [0, 0, 0, 0]
  for (const shape of one.union(other)) {
    const core = together.find((step) => step.shape === shape)
    const isShared = places?.has(withoutFormat(shape)) === true && otherPlaces?.has(withoutFormat(shape)) === true
    // A step of one way only may be too rare in both together to be seen there: it counts as any rare step of half of the runs.
    const weight = core ? core.share * Math.log(1 + 1 / (core.elsewhere + 0.02)) : isShared ? 0 : 0.5 * Math.log(1 + 1 / 0.02)
    all += weight
    if (!isShared || !core) continue
    shared += weight
    steps += 1
    if (core.effectful) effects += 1
  }
  return steps >= 3 && effects >= 2 && shared >= leastShared * all
}

function withoutFormat(shape: string): string {
  return shape.replace(/\/\*\.[a-z]{1,5}$/, '/*')
}

/** A shape belongs to a sequence if at least half of its runs have it, and far more of them than of other runs. */
export function isCore(share: number, shareElsewhere: number): boolean {
  return share >= 0.5 && share >= 2 * shareElsewhere
}

/** The shapes that a single run repeats together, at least three times. */
export function repeatedWithin(
  shapes: readonly string[],
  isEffectful: (shape: string) => boolean,
): { readonly shapes: readonly string[]; readonly times: number } | null {
  const counts = new Map<string, number>()
  for (const shape of shapes) if (isEffectful(shape)) counts.set(shape, (counts.get(shape) ?? 0) + 1)
  const often = [...counts].filter(([, count]) => count >= fewest.runs)
  if (often.length < fewest.effectful) return null
  return { shapes: often.map(([shape]) => shape).toSorted(), times: Math.min(...often.map(([, count]) => count)) }
}
