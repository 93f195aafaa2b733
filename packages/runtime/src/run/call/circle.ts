// Whether a run goes in circles: the same calls with the same ends, one after the other or a few in turn. Pure.

/** A call that came to its end, by what was asked and by how it ended. */
export interface EndedCall {
  /** The place of the call in its run: calls made side by side end in any order, and stand in the model's. */
  readonly seq: number
  readonly call: string
  readonly end: string
}

/** The same calls with the same ends: told so at the third round, given up at the sixth. */
export const told = 3
export const givenUp = 6
/** Circles of more calls than these are left to `max_turns`. */
export const longestCircle = 4
const remembered = longestCircle * givenUp

/** The history with one more call, in the model's order, no longer than any circle needs. */
export function withEnd(history: readonly EndedCall[], ended: EndedCall): readonly EndedCall[] {
  const at = history.findLastIndex(({ seq }) => seq <= ended.seq) + 1
  return [...history.slice(0, at), ended, ...history.slice(at)].slice(-remembered)
}

/** How many rounds of one circle were made already, if `call` would go on with it; nought when it leads somewhere new. */
export function roundsBefore(history: readonly EndedCall[], call: string): number {
  return Math.max(0, ...periods(history, call).map((period) => roundsOf(history, period)))
}

/** What the circle says of the end this call would have; null when it is in none. */
export function endForetold(history: readonly EndedCall[], call: string): string | null {
  const [period] = periods(history, call).toSorted((left, right) => roundsOf(history, right) - roundsOf(history, left))
  return period === undefined ? null : (history.at(-period)?.end ?? null)
}

function periods(history: readonly EndedCall[], call: string): readonly number[] {
  return Array.from({ length: longestCircle }, (_, index) => index + 1).filter((period) => history.at(-period)?.call === call)
}

/** Whole rounds of `period` calls at the end of the history, each the same as the last. */
function roundsOf(history: readonly EndedCall[], period: number): number {
  let same = 0
  for (let at = history.length - 1 - period; at >= 0 && isSame(history[at], history[at + period]); at -= 1) same += 1
  return history.length < period ? 0 : Math.floor(same / period) + 1
}

function isSame(left: EndedCall | undefined, right: EndedCall | undefined): boolean {
  return left?.call === right?.call && left?.end === right?.end
}
