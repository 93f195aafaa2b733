import { isTerminalRunState, type RunState } from '@tandem/contract/run'
import { draftAddress, followLink } from '../address.ts'
import { words } from '../strings/window.ts'

/** A run has calls to repeat only when it has ended; one that completed after its first turn only answered. */
export function canBeWorkflow({ state, turns }: { readonly state: RunState; readonly turns?: number }): boolean {
  return isTerminalRunState(state) && !(state === 'completed' && turns !== undefined && turns <= 1)
}

/** Opens the calls of a run as a new workflow. */
export function MakeWorkflow({ run_id, title }: { run_id: string; title: string }) {
  return (
    <a
      href={draftAddress(run_id)}
      onClick={followLink}
      aria-label={words.runs.makeWorkflowOf(title)}
      className="text-cloud underline underline-offset-4"
    >
      {words.runs.makeWorkflow}
    </a>
  )
}
