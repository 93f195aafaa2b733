import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { currentSteps } from '../../journal/current-steps.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { nodesToReset } from '../rule/undone.ts'
import type { EnginePorts } from './ports.ts'
import type { WorkflowRunLog } from './run-log.ts'

/** After a restore: the nodes whose calls were undone are to be run again. To do this twice changes nothing. */
export function resetUndone({ journal }: Pick<EnginePorts, 'journal'>, { run_id }: Pick<RunRecord, 'run_id'>, log: WorkflowRunLog): void {
  const steps = currentSteps(journal.steps(run_id)).map(({ step }) => step)
  const results = new Set(steps.flatMap((step) => (step.kind === 'tool.result' ? [step.call_id] : [])))
  const replaced = new Set(steps.flatMap((step) => (step.kind === 'tool.call' && step.replaces ? [step.replaces] : [])))
  const open = new Set(steps.flatMap((step) => (step.kind === 'tool.call' && !replaced.has(step.call_id) ? [step.call_id] : [])))
  // Calls of an earlier run of the workflow are not affected.
  const nodes = new Map([...log.run.nodes].filter(([, node]) => node.run_id === run_id))
  const undone = nodesToReset({ nodes }, (call_id, hasEnded) => (hasEnded ? results : open).has(call_id))
  for (const record of undone) log.appendNode('node.reset', record, {})
  const { state, name } = log.run
  if (undone.length > 0 && (state === 'running' || isTerminalWorkflowState(state)))
    log.append({ kind: 'state', name, state: 'paused', reason: 'a recovery point was restored' })
}
