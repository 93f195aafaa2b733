import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { useState } from 'react'
import { type ReadRequest, useCommand } from '../client/use-request.ts'

/** Workflow runs have no events of the channel. After a failure, effects may still be undone. */
const busy_ms = 1_500
const idle_ms = 10_000

export function useWorkflowRun(workflow_run_id: string): ReadRequest<{ readonly run: WorkflowSnapshot }> {
  const [every_ms, setEvery] = useState(busy_ms)
  const reading = useCommand('workflow_snapshot', { workflow_run_id }, { every_ms })
  const { state: asked } = reading
  const wanted = asked.state === 'ready' && isTerminalWorkflowState(asked.value.run.state) ? idle_ms : busy_ms
  if (wanted !== every_ms) setEvery(wanted)
  return reading
}
