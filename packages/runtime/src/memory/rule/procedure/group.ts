// Runs of the same flow: similar requests, answered with the same steps in the same order. Pure.
import type { ProcedureStep } from '@tandem/contract/memory'
import { distillHeuristic, flowOf, type RunTrace, sharedSteps, wentWell } from './distill.ts'
import { isSameRequest, requestWords } from './request.ts'

export interface RequestedRun {
  readonly trace: RunTrace
  /** What it was asked to do. */
  readonly request: string
}

export interface FlowGroup<Run extends RequestedRun> {
  /** At least two, all of which went well, in the order of their ids. */
  readonly runs: readonly Run[]
  readonly steps: readonly ProcedureStep[]
}

/** Fewer steps are no procedure. */
export const fewestSteps = 3
/** What worked once may be chance. */
const fewestRuns = 2
/** The steps that two runs share are at least this share of the shorter run: otherwise they only begin alike. */
const commonShare = 0.5

/** The order of `runs` does not matter. A run is in one group at most. */
export function groupFlows<Run extends RequestedRun>(
  runs: readonly Run[],
  hasSecret: (text: string) => boolean,
): readonly FlowGroup<Run>[] {
  const groups: { runs: Run[]; words: ReadonlySet<string>; steps: readonly ProcedureStep[] }[] = []
  for (const run of runs.toSorted((left, right) => (left.trace.run_id < right.trace.run_id ? -1 : 1))) {
    const flow = wentWell(run.trace) ? flowOf(run.trace, hasSecret) : []
    if (flow.length < fewestSteps) continue
    const words = requestWords(run.request)
    const group = groups.find((one) => isSameRequest(one.words, words) && isSameFlow(one.steps, flow))
    if (group) {
      group.runs.push(run)
      group.steps = distillHeuristic(
        group.runs.map(({ trace }) => trace),
        hasSecret,
      )
    } else groups.push({ runs: [run], words, steps: flow })
  }
  return groups.filter((group) => group.runs.length >= fewestRuns).map(({ runs: members, steps }) => ({ runs: members, steps }))
}

function isSameFlow(steps: readonly ProcedureStep[], flow: readonly ProcedureStep[]): boolean {
  return sharedSteps(steps, flow) >= Math.max(fewestSteps, Math.min(steps.length, flow.length) * commonShare)
}
