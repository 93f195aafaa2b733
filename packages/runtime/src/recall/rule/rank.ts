// The ranking: a weighted sum of signals, each brought to 0…1 over the candidates of one query. Pure.
import type { RecallSignal, SignalShares } from '../answer.ts'

/** What is known of a candidate before ranking. Absent where a signal did not find it. */
export interface Candidate {
  readonly no: number
  readonly group: number | null
  readonly before: number | null
  readonly after: number | null
  /** Higher is better, on any scale. */
  readonly text?: number | undefined
  readonly characters?: number | undefined
  readonly meaning?: number | undefined
  readonly isNamedSpeaker: boolean
}

export interface Ranked {
  readonly no: number
  readonly group: number | null
  readonly score: number
  readonly shares: SignalShares
}

export type Weights = Readonly<Record<RecallSignal, number>>

export const weights: Weights = { text: 1, group: 0.7, neighbors: 0.3, speaker: 0.2, characters: 1, meaning: 1.5 }

/** Best first; equal scores by id, so that the order of indexing does not matter. */
export function ranked(
  candidates: readonly Candidate[],
  groupScores: ReadonlyMap<number, number>,
  idOf: (no: number) => string,
  by: Weights = weights,
): Ranked[] {
  const text = scaled(candidates.map((one) => one.text))
  const characters = ofMost(candidates.map((one) => one.characters))
  const meaning = scaled(candidates.map((one) => one.meaning))
  const groups = new Map([...zip([...groupScores.keys()], scaled([...groupScores.values()]))])
  const textOf = new Map(candidates.map(({ no }, index) => [no, text[index] ?? 0]))
  const scoreOf = (no: number | null) => (no === null ? 0 : (textOf.get(no) ?? 0))
  return candidates
    .map(({ no, group, before, after, isNamedSpeaker }, index) => {
      const shares: SignalShares = {
        text: by.text * (text[index] ?? 0),
        group: group === null ? 0 : by.group * (groups.get(group) ?? 0),
        neighbors: by.neighbors * (scoreOf(before) + scoreOf(after)),
        speaker: isNamedSpeaker ? by.speaker : 0,
        characters: by.characters * (characters[index] ?? 0),
        meaning: by.meaning * (meaning[index] ?? 0),
      }
      return { no, group, score: sum(shares), shares }
    })
    .sort((left, right) => right.score - left.score || (idOf(left.no) < idOf(right.no) ? -1 : 1))
}

/** To 0…1 over the values that are there. One value alone, or equal ones, count fully; an absent one counts nothing. */
function scaled(values: readonly (number | undefined)[]): number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value === undefined) continue
    if (value < least) least = value
    if (value > most) most = value
  }
  return values.map((value) => (value === undefined ? 0 : most === least ? 1 : (value - least) / (most - least)))
}

/** The share of the highest. A match of characters says much, so even the least of them counts. */
function ofMost(values: readonly (number | undefined)[]): number[] {
  const most = values.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0)
  return values.map((value) => (value === undefined ? 0 : most === 0 ? 1 : value / most))
}

function* zip<Left, Right>(left: readonly Left[], right: readonly Right[]): Iterable<[Left, Right]> {
  for (let index = 0; index < left.length; index += 1) yield [left[index] as Left, right[index] as Right]
}

function sum(shares: SignalShares): number {
  return shares.text + shares.group + shares.neighbors + shares.speaker + shares.characters + shares.meaning
}
