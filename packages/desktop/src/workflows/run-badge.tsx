import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import { Badge } from '../part/badge.tsx'
import { runTones } from '../part/state-tones.ts'
import { workflowWords } from '../strings/workflows.ts'

export function WorkflowRunBadge({ state }: { state: WorkflowRunState }) {
  return <Badge tone={runTones[state]}>{workflowWords.states[state]}</Badge>
}
