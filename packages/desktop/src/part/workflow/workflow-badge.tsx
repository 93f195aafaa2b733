import type { WorkflowSnapshot } from '@tandem/contract/command'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { Badge } from '../badge.tsx'
import { runTones } from '../state-tones.ts'
import { useWorkflowWait } from './use-workflow-wait.ts'

/** The state of a workflow run. One that waits is not shown as paused: a user need not, and cannot, resume it. */
export function WorkflowBadge({ run }: { run: WorkflowSnapshot }) {
  const wait = useWorkflowWait(run)
  if (wait === 'person') return <Badge tone="warn">{workflowWords.run.waitsForYou}</Badge>
  if (wait === 'event') return <Badge tone="cloud">{workflowGraphWords.run.waits}</Badge>
  return <Badge tone={runTones[run.state]}>{workflowWords.states[run.state]}</Badge>
}
