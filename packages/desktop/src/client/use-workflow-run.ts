import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { useState } from 'react'
import { type ReadRequest, useCommand, useNewestEventNumber } from './use-request.ts'
import { useThrottled } from './use-throttled.ts'

/** Not every change of a workflow run has an event: a wait that ends, a round of a loop, a workflow that it started. */
const busy_ms = 1_500
const throttle_ms = 400

interface When {
  /** Another value reads it again. */
  readonly version?: string
  /** How often it is read after it has ended. After a failure, effects may still be undone. */
  readonly idle_ms?: number
}

/** A workflow run as it is now: read again after each event of the run that executes it, and at intervals. */
export function useWorkflowRun(
  workflow_run_id: string,
  { version = '', idle_ms }: When = {},
): ReadRequest<{ readonly run: WorkflowSnapshot }> {
  const [known, setKnown] = useState<{ readonly run_id: string; readonly isOver: boolean }>({ run_id: '', isOver: false })
  const events = useThrottled(useNewestEventNumber(/./, known.run_id), throttle_ms)
  const every_ms = known.isOver ? idle_ms : busy_ms
  const when = { version: `${version} ${events}`, ...(every_ms === undefined ? {} : { every_ms }) }
  const reading = useCommand('workflow_snapshot', { workflow_run_id }, when)
  const { state: asked } = reading
  const run = asked.state === 'ready' ? asked.value.run : null
  const isOver = run === null ? asked.state === 'failed' : isTerminalWorkflowState(run.state)
  const run_id = run?.run_id ?? ''
  if (run_id !== known.run_id || isOver !== known.isOver) setKnown({ run_id, isOver })
  return reading
}
