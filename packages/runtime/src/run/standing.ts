// The steps that still count: what a restore took back stays in the journal, and is no longer part of the run.
import type { JournaledStep } from '../journal/journal.ts'

/** A restore goes back to how things were at its cursor: also to before an earlier restore, which is how one is undone. */
export function standingSteps(steps: readonly JournaledStep[]): readonly JournaledStep[] {
  const last = steps.findLastIndex(({ step }) => step.kind === 'checkpoint.restored')
  if (last < 0) return steps
  const { step } = steps[last] as JournaledStep
  const cursor = step.kind === 'checkpoint.restored' ? step.cursor_seq : step.seq
  const kept = standingSteps(steps.slice(0, last).filter((one) => one.step.seq <= cursor))
  return [...kept, ...steps.slice(last + 1)]
}
