import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { runTones } from '../part/state-tones.ts'
import { workflowWords } from '../strings/workflows.ts'

/** In a list: a paused run in which something needs the user says so. `run_id` is the run that executes it. */
export function ListedRunBadge({ run_id, state }: { run_id: string; state: WorkflowRunState }) {
  const pause_reason = useWindowState(({ runs }) => runs.get(run_id)?.pause_reason ?? null)
  const isForUser = state === 'paused' && (pause_reason === 'approval' || pause_reason === 'question')
  return isForUser ? <Badge tone="warn">{workflowWords.run.waitsForYou}</Badge> : <WorkflowRunBadge state={state} />
}

export function WorkflowRunBadge({ state }: { state: WorkflowRunState }) {
  return <Badge tone={runTones[state]}>{workflowWords.states[state]}</Badge>
}
