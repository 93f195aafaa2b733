import type { WorkflowSnapshot } from '@tandem/contract/command'
import { useWindowState } from '../../client/use-client.ts'
import { workflowWait } from '../../store/workflow-wait.ts'

/** What a workflow run waits for; see `workflowWait`. Null until it was read. */
export function useWorkflowWait(run: WorkflowSnapshot | null): ReturnType<typeof workflowWait> {
  const pause_reason = useWindowState(({ runs }) => runs.get(run?.run_id ?? '')?.pause_reason ?? null)
  return run === null ? null : workflowWait(run, pause_reason)
}
