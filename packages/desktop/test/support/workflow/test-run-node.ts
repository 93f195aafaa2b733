import type { WorkflowRunNode } from '@tandem/contract/command'

/** A node of a workflow run that has not started, with the fields that a test names. */
export function runNode(node_id: string, fields: Partial<WorkflowRunNode> = {}): WorkflowRunNode {
  return {
    ...{ node_id, iteration: [], state: 'pending', outcome: null, attempt: 1, waits_for: null, until: null, reason: null },
    ...{ failure_contract: null, call_id: null, child_run_id: null, started_at: null, ended_at: null, tokens: null },
    ...fields,
  }
}
