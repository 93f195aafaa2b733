// The geometry of the chart of outcomes, and its text. Pure.
import type { OutcomeDimension, OutcomeEvaluation, OutcomeVerdict } from '@tandem/contract/learning'

export type ChartScore = 'overall' | OutcomeDimension

export interface ChartPoint {
  readonly evaluation: OutcomeEvaluation
  readonly score: number
  readonly x: number
  readonly y: number
}

export const chartHeight = 168
const margin = { top: 12, right: 14, bottom: 14, left: 56 }
/** The smallest distance at which points can be told apart and touched. */
const closest = 16

/** As many of the latest evaluations as there is room for, oldest first. `latest` has the latest one first. */
export function chartPoints(latest: readonly OutcomeEvaluation[], of: ChartScore, width: number): readonly ChartPoint[] {
  const room = Math.max(1, Math.floor((width - margin.left - margin.right) / closest) + 1)
  const shown = latest.slice(0, room).toReversed()
  const step = shown.length < 2 ? 0 : (width - margin.left - margin.right) / (shown.length - 1)
  return shown.map((evaluation, at) => {
    const score = scoreOf(evaluation, of)
    return { evaluation, score, x: margin.left + at * step, y: yOf(score) }
  })
}

function scoreOf({ score, scores }: OutcomeEvaluation, of: ChartScore): number {
  return of === 'overall' ? score : (scores.find(({ dimension }) => dimension === of)?.score ?? score)
}

export function yOf(score: number): number {
  return margin.top + (1 - score) * (chartHeight - margin.top - margin.bottom)
}

export const chartMargin = margin

export function countVerdicts(evaluations: readonly OutcomeEvaluation[]): Readonly<Record<OutcomeVerdict, number>> {
  const counts = { success: 0, partial: 0, failure: 0 }
  for (const { verdict } of evaluations) counts[verdict] += 1
  return counts
}

/** The average of the latest half compared with the half before it; null if there are too few. */
export function trendOf(
  latest: readonly OutcomeEvaluation[],
  of: ChartScore,
): { readonly runs: number; readonly latest: number; readonly before: number } | null {
  const runs = Math.min(10, Math.floor(latest.length / 2))
  if (runs < 2) return null
  const average = (some: readonly OutcomeEvaluation[]) => some.reduce((sum, one) => sum + scoreOf(one, of), 0) / some.length
  return { runs, latest: average(latest.slice(0, runs)), before: average(latest.slice(runs, 2 * runs)) }
}

/** The reasons for all that is not perfect, the lowest score first. */
export function reasonsOf({ scores }: OutcomeEvaluation): readonly OutcomeEvaluation['scores'][number][] {
  return scores.filter(({ score }) => score < 1).toSorted((one, other) => one.score - other.score)
}
