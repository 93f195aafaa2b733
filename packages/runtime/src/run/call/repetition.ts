// Detects that a run repeats the same calls with the same results, one call or a few in turn. Pure.

/** A call that ended, by its request and its result. */
export interface EndedCall {
  /** The position of the call in its run: parallel calls end in any order, and are stored in the model's order. */
  readonly seq: number
  readonly call: string
  readonly end: string
}

/** The same calls with the same results: the model is warned at the third round, and the run fails at the sixth. */
export const warnAtRound = 3
export const failAtRound = 6
/** Loops of more calls are left to `max_turns`. */
export const longestRepetition = 4
const remembered = longestRepetition * failAtRound

/** The history with one more call, in the model's order, no longer than needed. */
export function withEndedCall(history: readonly EndedCall[], ended: EndedCall): readonly EndedCall[] {
  const at = history.findLastIndex(({ seq }) => seq <= ended.seq) + 1
  return [...history.slice(0, at), ended, ...history.slice(at)].slice(-remembered)
}

/** How many rounds of one loop were already made, if `call` would continue it; zero otherwise. */
export function completedRounds(history: readonly EndedCall[], call: string): number {
  return Math.max(0, ...periods(history, call).map((period) => roundsOf(history, period)))
}

/** The result that the loop predicts for this call; null if it is in none. */
export function predictedResult(history: readonly EndedCall[], call: string): string | null {
  const [period] = periods(history, call).toSorted((left, right) => roundsOf(history, right) - roundsOf(history, left))
  return period === undefined ? null : (history.at(-period)?.end ?? null)
}

function periods(history: readonly EndedCall[], call: string): readonly number[] {
  return Array.from({ length: longestRepetition }, (_, index) => index + 1).filter((period) => history.at(-period)?.call === call)
}

/** Complete rounds of `period` calls at the end of the history, each the same as the last. */
function roundsOf(history: readonly EndedCall[], period: number): number {
  let same = 0
  for (let at = history.length - 1 - period; at >= 0 && isSame(history[at], history[at + period]); at -= 1) same += 1
  return history.length < period ? 0 : Math.floor(same / period) + 1
}

function isSame(left: EndedCall | undefined, right: EndedCall | undefined): boolean {
  return left?.call === right?.call && left?.end === right?.end
}
