import type { PauseReason } from '@tandem/contract/run'
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { runTones } from '../part/state-tones.ts'
import { workflowGraphWords } from '../strings/workflow-graph.ts'
import { workflowWords } from '../strings/workflows.ts'

/** Paused with another reason, a run waits for nothing: a user or a failure paused it. */
const waits: Partial<Record<PauseReason, 'person' | 'event'>> = { approval: 'person', question: 'person', time: 'event', child: 'event' }

/** The state of a workflow run in a list. `run_id` is the run that executes it. */
export function ListedRunBadge({ run_id, state }: { run_id: string; state: WorkflowRunState }) {
  const pause_reason = useWindowState(({ runs }) => runs.get(run_id)?.pause_reason ?? null)
  const wait = state === 'paused' && pause_reason !== null ? waits[pause_reason] : undefined
  if (wait === 'person') return <Badge tone="warn">{workflowWords.run.waitsForYou}</Badge>
  if (wait === 'event') return <Badge tone="cloud">{workflowGraphWords.run.waits}</Badge>
  return <Badge tone={runTones[state]}>{workflowWords.states[state]}</Badge>
}
