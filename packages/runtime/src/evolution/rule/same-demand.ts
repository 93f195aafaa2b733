// Whether two sentences ask for the same in other words: by meaning, by words, and by what keeps them apart. Pure.
import { conceptsOf } from './concepts.ts'
import { glossOf, inEnglish, isGerman } from './glossary.ts'

/** What a sentence is compared by. */
export interface Compared {
  readonly asks: boolean
  /** Sorted telling words. */
  readonly words: readonly string[]
  /** Folders, files and hosts. */
  readonly names: readonly string[]
  /** Words of a closed set, such as languages, that are not negated: by the number of the set. */
  readonly chosen: readonly string[]
  readonly negations: number
  /** The person does it themselves: whether it is forbidden to the agent is not said by a negation. */
  readonly ofPerson: boolean
  readonly meaning: Meaning | null
}

/** Comparable with those of the same model only. */
export interface Meaning {
  readonly model: string
  readonly vector: Float32Array
  /** How alike it is to any sentence: short and vague ones are alike to all. */
  readonly level: number
  /** How much the similarities of unrelated sentences differ. */
  readonly spread: number
}

/**
 * Determined on the three parts of the history, each time without the part that was measured: see docs/decisions/0075. In units of the bundled
 * embedder, whose unrelated sentences have a spread of 0.1.
 */
export const leastSame = 0.16
const [ofWords, ofNoRequest, usualSpread, leastWords] = [0.4, 0.15, 0.1, 0.3]

/** Higher is more alike; minus infinity if they contradict each other or are about other things. `weight`: of a word. */
export function sameness(left: Compared, right: Compared, weight: (word: string) => number): number {
  const meant = ofPair(left, right)
  if (meant === Number.NEGATIVE_INFINITY) return meant
  const words = sharedWords(left.words, right.words, weight)
  // What does not ask may be a request: it needs a word in common.
  const doubt = words > 0 ? 0 : (left.asks ? 0 : ofNoRequest) + (right.asks ? 0 : ofNoRequest)
  // By words alone, so that both ways have the same threshold.
  return meant === null ? leastSame + words - leastWords - doubt : meant + ofWords * words - doubt
}

/** What two sentences have to do with each other does not change, and the latest ones are compared again and again. */
const pairs = new WeakMap<Compared, WeakMap<Compared, number | null>>()

/** How alike their meanings are; null if they cannot be compared, minus infinity if the sentences must stay apart. */
function ofPair(left: Compared, right: Compared): number | null {
  const known = pairs.get(left) ?? new WeakMap<Compared, number | null>()
  pairs.set(left, known)
  const before = known.get(right)
  if (before !== undefined) return before
  const [one, other] = [left.meaning, right.meaning]
  const isApart = contradicts(left, right) || isAboutOther(left, right)
  const found = isApart ? Number.NEGATIVE_INFINITY : one && other && one.model === other.model ? likeness(one, other) : null
  known.set(right, found)
  return found
}

/** Of the same model: above what any two sentences have in common. */
export function likeness(one: Meaning, other: Meaning): number {
  return ((dot(one.vector, other.vector) - (one.level + other.level) / 2) * usualSpread) / one.spread
}

/** From 0 to 1. */
function sharedWords(left: readonly string[], right: readonly string[], weight: (word: string) => number): number {
  let [shared, ofLeft, ofRight] = [0, 0, 0]
  for (const word of left) ofLeft += weight(word)
  for (const word of right) {
    ofRight += weight(word)
    if (left.includes(word)) shared += weight(word)
  }
  return shared === 0 ? 0 : shared / Math.sqrt(ofLeft * ofRight)
}

const nearlyAll = 0.75

/** Almost the same words, and only one of both is negated. */
function contradicts(left: Compared, right: Compared): boolean {
  if (left.ofPerson || right.ofPerson || left.negations % 2 === right.negations % 2) return false
  const shared = left.words.filter((word) => right.words.includes(word)).length
  return shared > 0 && shared >= nearlyAll * (left.words.length + right.words.length - shared)
}

function isAboutOther(left: Compared, right: Compared): boolean {
  const apart = (one: readonly string[], other: readonly string[]) =>
    one.length > 0 && other.length > 0 && !one.some((name) => other.includes(name))
  if (apart(left.names, right.names)) return true
  return sets.some((_, set) => apart(ofSet(left, set), ofSet(right, set)))
}

function ofSet({ chosen }: Compared, set: number): readonly string[] {
  return chosen.filter((one) => one.startsWith(`${set} `))
}

/** Of these, a sentence means the one it names, and no other. */
const sets: readonly ReadonlySet<string>[] = [
  'german english french spanish italian dutch polish turkish russian chinese japanese',
  'monday tuesday wednesday thursday friday saturday sunday',
  'january february march april june july august september october november december',
].map((list) => new Set(list.split(' ')))

const negating: ReadonlySet<string> = new Set(
  'not no never nothing none neither without instead rather avoid skip omit forbid spare dont cannot'.split(' '),
)
const ofThePerson: ReadonlySet<string> = new Set('i myself mine'.split(' '))

export function comparedBy(text: string, asks: boolean, meaning: Meaning | null): Compared {
  const german = isGerman(text)
  const said = text.match(/[\p{L}\p{N}][\p{L}\p{N}_./\\@#'’-]*/gu) ?? []
  const plain = said.map((word) => word.toLowerCase().replace(/[.'’-]+$/, ''))
  const english = plain.flatMap((word) => (german ? (glossOf(word) ?? word) : word).split(' '))
  const isNegation = (word: string | undefined) => word !== undefined && (negating.has(word) || /n['’]t$/.test(word))
  const negated = (index: number) => [1, 2, 3].some((back) => isNegation(english[index - back]))
  const words = conceptsOf(text).map(({ name }) => name)
  return {
    asks,
    words: words.filter((word) => !negating.has(word)),
    names: plain.filter((word) => isPlace.test(word)).map((word) => word.replace(/\/.*$/, '')),
    chosen: english.flatMap((word, index) => {
      const set = sets.findIndex((one) => one.has(word))
      return set < 0 || negated(index) ? [] : [`${set} ${word}`]
    }),
    negations: english.filter(isNegation).length,
    ofPerson: english.some((word) => ofThePerson.has(word)),
    meaning,
  }
}

const isPlace = /^[\w.-]+\/|^(?!\d)[\w-]+\.[a-z]{2,5}$/

/** What the embedder is given: German in English words, without politeness. */
export function embeddedText(text: string): string {
  const plain = inEnglish(text)
    .replace(/(?<!\p{L})(?:please|pls|thereby|and|but|so|also)(?!\p{L}),?/giu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ ,]+/, '')
    .trim()
  return plain === '' ? text : plain
}

export function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}
