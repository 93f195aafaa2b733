// Which of the ranked texts become hits: near-duplicates are collapsed, groups take turns where that is asked, and a budget ends it. Pure.
import type { Ranked } from './rank.ts'

export interface Picked extends Ranked {
  readonly duplicates: readonly string[]
}

export interface PickLimits {
  readonly k: number
  readonly max_tokens: number
  readonly diverse: boolean
}

/** About four characters a token: too many rather than too few. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 3.5) + 4
}

/** `textOf` is asked only for texts that may become hits. */
export function picked(ranking: readonly Ranked[], textOf: (no: number) => string, { k, max_tokens, diverse }: PickLimits): Picked[] {
  const hits: { readonly one: Ranked; readonly words: ReadonlySet<string>; readonly tokens: number; readonly duplicates: string[] }[] = []
  let left = max_tokens
  for (const one of diverse ? inTurns(ranking) : ranking) {
    if (hits.length >= k) break
    const text = textOf(one.no)
    const words = wordsOf(text)
    const same = hits.find((hit) => isNearlySame(hit.words, words))
    if (same) {
      same.duplicates.push(one.id)
      continue
    }
    const tokens = tokensOf(text)
    if (tokens > left) continue
    left -= tokens
    hits.push({ one, words, tokens, duplicates: [] })
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

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [text],
  )
}

/** Nine words of ten in common, of at least four: short texts are the same only when all their words are. */
function isNearlySame(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [small, large] = left.size < right.size ? [left, right] : [right, left]
  if (small.size / large.size < 0.9) return false
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return small.size < 4 ? shared === large.size : shared / (left.size + right.size - shared) >= 0.9
}
