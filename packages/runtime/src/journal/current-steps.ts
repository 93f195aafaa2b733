// The current steps: steps that a restore undid stay in the journal, but are no longer part of the run.
import type { JournaledStep } from './recorded-step.ts'

/** A restore goes back to the state at its cursor, which may be before an earlier restore: that is how a restore is undone. */
export function currentSteps(steps: readonly JournaledStep[]): readonly JournaledStep[] {
  const last = steps.findLastIndex(({ step }) => step.kind === 'checkpoint.restored')
  if (last < 0) return steps
  const { step } = steps[last] as JournaledStep
  const cursor = step.kind === 'checkpoint.restored' ? step.cursor_seq : step.seq
  const kept = currentSteps(steps.slice(0, last).filter((one) => one.step.seq <= cursor))
  return [...kept, ...steps.slice(last + 1)]
}
