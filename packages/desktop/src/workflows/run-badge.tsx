import type { ListedWorkflowRun } from '@tandem/contract/command'
import type { PauseReason } from '@tandem/contract/run'
import { useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { runTones } from '../part/state-tones.ts'
import { workflowGraphWords } from '../strings/workflow-graph.ts'
import { workflowWords } from '../strings/workflows.ts'

/** Paused with another reason, a run waits for nothing: a user or a failure paused it. */
const waits: ReadonlySet<PauseReason> = new Set(['time', 'child'])

type ListedRun = Pick<ListedWorkflowRun, 'run_id' | 'state' | 'needs_user'>

/** The state of a workflow run in a list. `run_id` is the run that executes it. */
export function ListedRunBadge({ run: { run_id, state, needs_user } }: { run: ListedRun }) {
  const pause_reason = useWindowState(({ runs }) => runs.get(run_id)?.pause_reason ?? null)
  if (needs_user) return <Badge tone="warn">{workflowWords.run.waitsForYou}</Badge>
  if (state === 'paused' && pause_reason !== null && waits.has(pause_reason))
    return <Badge tone="cloud">{workflowGraphWords.run.waits}</Badge>
  return <Badge tone={runTones[state]}>{workflowWords.states[state]}</Badge>
}
