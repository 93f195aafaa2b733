// Which of the ranked texts become hits: near-duplicates are collapsed, groups take turns where that is asked, and a budget ends it. Pure.
import type { Ranked } from './rank.ts'

export interface Picked extends Ranked {
  readonly duplicates: readonly number[]
}

export interface PickLimits {
  readonly k: number
  readonly max_tokens: number
  readonly diverse: boolean
}

/** Rather too many than too few: 3.5 characters a token, one for each character of a script without spaces. */
export function tokensOf(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  return Math.ceil((text.length - unspaced) / 3.5) + unspaced + 4
}

/** After so many duplicates the search ends with fewer hits. */
const mostCollapsed = 200

/** `textOf` is asked only for texts that may become hits. */
export function picked(ranking: readonly Ranked[], textOf: (no: number) => string, { k, max_tokens, diverse }: PickLimits): Picked[] {
  const hits: { readonly one: Ranked; readonly outline: Outline; readonly tokens: number; readonly duplicates: number[] }[] = []
  let left = max_tokens
  for (const one of (diverse ? inTurns(ranking) : ranking).slice(0, k + mostCollapsed)) {
    if (hits.length >= k) break
    const text = textOf(one.no)
    const outline = outlineOf(text)
    const same = hits.find((hit) => isNearlySame(hit.outline, outline))
    if (same) {
      same.duplicates.push(one.no)
      continue
    }
    const tokens = tokensOf(text)
    if (tokens > left) continue
    left -= tokens
    hits.push({ one, outline, tokens, duplicates: [] })
  }
  return hits.map(({ one, duplicates }) => ({ ...one, duplicates }))
}

/** The best of each group first, in the order of their scores; then the second of each; a text without a group is a group of its own. */
function inTurns(ranking: readonly Ranked[]): readonly Ranked[] {
  const taken = new Map<number, number>()
  const rounds: Ranked[][] = []
  for (const one of ranking) {
    const round = one.group === null ? 0 : (taken.get(one.group) ?? 0)
    if (one.group !== null) taken.set(one.group, round + 1)
    const list = rounds[round] ?? []
    rounds[round] = list
    list.push(one)
  }
  return rounds.flat()
}

/** The words in their order, as pairs; numbers and negations beside them. */
interface Outline {
  readonly pairs: ReadonlySet<string>
  readonly facts: string
}

const negation = /^(?:no|not|never|none|nor|cannot|without|.*n['’]t)$/u

/** More of a text is not compared. Texts that are longer are duplicates only if they have the same length. */
const comparedCharacters = 4_000

function outlineOf(text: string): Outline {
  const words = text
    .slice(0, comparedCharacters)
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [text]
  const rest = text.length > comparedCharacters ? ` ${text.length}` : ''
  const facts = words.filter((word) => /\p{N}/u.test(word) || negation.test(word)).join(' ') + rest
  return { pairs: new Set(words.map((word, index) => `${words[index - 1] ?? ''} ${word}`)), facts }
}

/** Nearly all pairs of words in common, and the same numbers and negations: a changed fact is not a duplicate of the old one. */
function isNearlySame(left: Outline, right: Outline): boolean {
  if (left.facts !== right.facts) return false
  let shared = 0
  for (const pair of left.pairs) if (right.pairs.has(pair)) shared += 1
  return shared / (left.pairs.size + right.pairs.size - shared) >= 0.9
}
