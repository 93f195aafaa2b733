// The tokens that agents have used for a workflow run, also those of the workflows that its nodes started.
import type { WorkflowNodeRecord, WorkflowRunRecord } from '@tandem/contract/workflow-run'
import type { Journal } from '../journal/journal.ts'

export interface Tokens {
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface WorkflowUsage {
  ofRun(run: Pick<WorkflowRunRecord, 'nodes'>): Tokens
  /** Input and output together; null if it started no run, or one that is not on this device. */
  ofNode(node: Pick<WorkflowNodeRecord, 'child_run_id'>): number | null
}

export interface UsagePorts {
  readonly journal: Pick<Journal, 'run'>
  workflowRun(workflow_run_id: string): Pick<WorkflowRunRecord, 'nodes'> | undefined
}

const none: Tokens = { input_tokens: 0, output_tokens: 0 }

export function openWorkflowUsage({ journal, workflowRun }: UsagePorts): WorkflowUsage {
  /** A child is the run of an agent, or another workflow run. */
  function ofChild(child_run_id: string): Tokens | null {
    const run = journal.run(child_run_id)
    if (run) return run.usage
    const workflow = workflowRun(child_run_id)
    return workflow ? ofRun(workflow) : null
  }

  function ofRun({ nodes }: Pick<WorkflowRunRecord, 'nodes'>): Tokens {
    let [input_tokens, output_tokens] = [0, 0]
    for (const { child_run_id } of nodes.values()) {
      const used = child_run_id === null ? none : (ofChild(child_run_id) ?? none)
      input_tokens += used.input_tokens
      output_tokens += used.output_tokens
    }
    return { input_tokens, output_tokens }
  }

  return {
    ofRun,
    ofNode({ child_run_id }) {
      const used = child_run_id === null ? null : ofChild(child_run_id)
      return used === null ? null : tokensOf(used)
    },
  }
}

export function tokensOf({ input_tokens, output_tokens }: Tokens): number {
  return input_tokens + output_tokens
}
