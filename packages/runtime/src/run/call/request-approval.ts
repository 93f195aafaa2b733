// Requests the user's approval of a call: what it would do, what could be restored, and what could not. The run pauses until then.
import type { FailureContract } from '@tandem/contract/failure'
import { markPath } from '@tandem/contract/marked-path'
import type { CallPreview } from '@tandem/contract/run'
import { leavesOf } from '../../call/tool.ts'
import { type CheckpointPlan, hasNoRecoveryPoint } from '../../checkpoint/plan.ts'
import type { AskedCall, ReadyCall } from '../../pipeline/prepared-call.ts'
import type { ActiveRun } from '../active-run.ts'
import type { LoopPorts } from '../ports.ts'
import type { OpenCall } from '../run-progress.ts'
import { beginWait } from '../waiting.ts'
import { approvalPrompt } from './approval-prompt.ts'

/** A call for which no recovery point fits into the store. */
export interface Unprotected {
  readonly plan: CheckpointPlan
  readonly failure_contract: FailureContract
}

/** Null if there is nothing to show but the arguments. */
type Shown = CallPreview | null

export function requestApproval(ports: LoopPorts, activeRun: ActiveRun, call: OpenCall, asked: AskedCall, preview: Shown): 'paused' {
  const { store, approvals, checkpoints, journal } = ports
  const ids = { approval_id: store.newId(), call_id: call.call_id, tool: call.tool }
  const { workspace } = activeRun.run()
  const prompt = approvalPrompt(ids, asked, workspace)
  const marked = approvalPrompt(ids, asked, workspace, (path) => markPath(path, { workspace, homes: store.user_homes }))
  // The user sees all of it; what is synchronized is limited to the length of a step.
  const whole = journal.wholes.keep(asked.arguments)
  const kept = { arguments: whole.text, ...(whole.file_id ? { arguments_file_id: whole.file_id } : {}) }
  // On disk before anyone is asked: the answer may come days later, to another process.
  return beginWait(ports, activeRun, call, {
    wait: { for: 'approval', id: ids.approval_id },
    begin() {
      // The preview stays on this device: it contains text of files, and no one has approved anything yet.
      approvals.ask(activeRun.run().no, { ...prompt, ...(preview ? { preview } : {}) }, asked.plan)
      checkpoints.approvalsChanged(activeRun.run())
      activeRun.append({ kind: 'approval.requested', approval: { ...marked, ...kept } }, leavesOf(asked.literal))
    },
  })
}

/** The store is full: the call is offered without a recovery point. */
export function requestUnprotected(
  ports: LoopPorts,
  activeRun: ActiveRun,
  call: OpenCall,
  ready: ReadyCall,
  { plan, failure_contract }: Unprotected,
  preview: Shown,
): 'paused' {
  return ports.store.transaction(() => {
    ports.events.emit('checkpoint_failed', { run: activeRun.run() }, { checkpoint_id: null, call_id: call.call_id }, failure_contract)
    const asked = { notes: [], instructions: [], ...ready, plan, choices: [], remembers: [], warnings: ready.warnings ?? [] }
    return requestApproval(ports, activeRun, call, asked, preview)
  })
}

/** The user has approved exactly this call, knowing that it is not protected. */
export function isApprovedWithoutPoint(
  { approvals }: LoopPorts,
  activeRun: ActiveRun,
  { call_id }: OpenCall,
  { fingerprint }: ReadyCall,
): boolean {
  const approval = approvals.answered(activeRun.run().no, call_id)
  if (!approval?.plan || approval.answer === 'no' || approval.answer === 'withdrawn') return false
  return hasNoRecoveryPoint(approval.plan) && (approval.edited_arguments !== null || approval.fingerprint === fingerprint)
}
