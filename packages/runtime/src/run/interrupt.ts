// A turn is interrupted because the user has something to say first: nothing of it stays open, and the run goes on with the message.
import type { FailureContract } from '@tandem/contract/failure'
import { failureContract } from '../call/outcome.ts'
import { withoutOutput } from '../pipeline/pipeline.ts'
import type { ActiveRun } from './active-run.ts'
import type { LoopPorts } from './ports.ts'
import { settleInterrupted } from './resume.ts'
import { keepInterruptedText } from './turn/streamed-text.ts'
import { cancelWaits } from './waiting.ts'

/** Of a paused run, in the transaction that resumes it. A call that had started is reported as after a crash; the others are not made. */
export function endTurn(ports: LoopPorts, activeRun: ActiveRun): void {
  const run = activeRun.run()
  const interrupted = settleInterrupted(ports, activeRun)
  for (const { call_id, tool, seq, checkpoint_id } of activeRun.progress().open) {
    if (interrupted.has(call_id)) continue
    activeRun.settle({ call_id, tool, call_seq: seq, ...withoutOutput('canceled', notMade(tool)), checkpoint_id, duration_ms: 0 })
  }
  cancelWaits(ports, run)
  ports.approvals.withdraw(run.no)
  ports.checkpoints.approvalsChanged(run)
  keepInterruptedText(run, ports, activeRun.append)
}

function notMade(tool: string): FailureContract {
  return failureContract('tool_execution', {
    source: tool,
    reason_code: 'canceled',
    message: `${tool} was not called: the user wrote a message first`,
    remedy: 'Read the message of the user, then decide whether the call is still needed.',
    recoverability: 'user_action',
  })
}
