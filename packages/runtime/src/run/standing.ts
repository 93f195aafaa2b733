// The steps that still count: what a restore took back stays in the journal, and is no longer part of the run.
import type { JournaledStep } from '../journal/journal.ts'

export function standingSteps(steps: readonly JournaledStep[]): readonly JournaledStep[] {
  let standing: JournaledStep[] = []
  for (const journaled of steps) {
    const { step } = journaled
    if (step.kind === 'checkpoint.restored') standing = standing.filter((one) => one.step.seq <= step.cursor_seq)
    else standing.push(journaled)
  }
  return standing
}
