// What a workflow run waits for as a whole.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import type { PauseReason } from '@tandem/contract/run'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { isForPerson } from './workflow-progress.ts'

/** Only a user can end these, by resuming the run. */
const stops: readonly (PauseReason | null)[] = ['user', 'crash', 'restore', 'budget']

/**
 * `person`: a node needs an approval or an answer. `event`: it continues by itself, at a time or when something has ended. Null: it does not
 * wait. A run whose nodes all wait is paused, but there is nothing to resume; `pause_reason`, of the run that executes it, tells these apart.
 */
export function workflowWait(
  { state, nodes }: Pick<WorkflowSnapshot, 'state' | 'nodes'>,
  pause_reason: PauseReason | null,
): 'person' | 'event' | null {
  if (isTerminalWorkflowState(state) || (state === 'paused' && stops.includes(pause_reason))) return null
  const waiting = nodes.filter((node) => node.state === 'waiting')
  if (waiting.some(({ waits_for }) => isForPerson(waits_for))) return 'person'
  return state === 'paused' && waiting.length > 0 ? 'event' : null
}
