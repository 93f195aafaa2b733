// Which runs get a canary, and how the runs of a group went. Pure.
import { createHash } from 'node:crypto'
import type { CanaryGroup, CanaryGroupName } from '@tandem/contract/skill-recommendation'

/** By the first bit of a hash: the same for the same run whenever it is asked, and half of all runs each. */
export function groupOf(recommendation_id: string, run_id: string): CanaryGroupName {
  const [first = 0] = createHash('sha256').update(`${recommendation_id}${run_id}`).digest()
  return first >= 128 ? 'with' : 'without'
}

/** How a run went that has ended. */
export interface RunOutcome {
  readonly score: number
  readonly safety: number | null
  readonly turns: number
}

/** `null`: the run has not ended, or was not evaluated. */
export function summarize(outcomes: readonly (RunOutcome | null)[]): CanaryGroup {
  const ended = outcomes.filter((one) => one !== null)
  const mean = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length)
  return {
    runs: ended.length,
    open_runs: outcomes.length - ended.length,
    score: mean(ended.map(({ score }) => score)),
    safety: mean(ended.flatMap(({ safety }) => safety ?? [])),
    turns: mean(ended.map(({ turns }) => turns)),
  }
}
