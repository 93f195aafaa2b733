// Asks the user about a call: what it would do, what could be restored, and what could not. The run pauses until there is an answer.
import type { FailureContract } from '@tandem/contract/failure'
import { type ApprovalPrompt, approvalChoices } from '@tandem/contract/run'
import { type CheckpointPlan, hasNoPoint } from '../checkpoint/plan.ts'
import { quotaSetting } from '../checkpoint/quota.ts'
import type { AskedCall, ReadyCall } from '../tools/pipeline.ts'
import { planText } from './checkpointing.ts'
import type { OpenCall } from './course.ts'
import type { LoopPorts } from './ports.ts'
import type { Thread } from './thread.ts'

/** A call for which no recovery point fits into the store. */
export interface Unprotected {
  readonly plan: CheckpointPlan
  readonly failure_contract: FailureContract
}

export function requestApproval(
  { store, approvals, checkpoints, journal, passBy }: LoopPorts,
  thread: Thread,
  call: OpenCall,
  asked: AskedCall,
): 'paused' {
  const promised = planText(asked.plan)
  const unprotected = asked.plan !== null && hasNoPoint(asked.plan)
  const prompt: ApprovalPrompt = {
    approval_id: store.newId(),
    call_id: call.call_id,
    tool: call.tool,
    arguments: asked.arguments,
    working_directory: thread.run().workspace,
    fingerprint: asked.fingerprint,
    touches: asked.effects.map(touch),
    protected: [...promised.protected],
    unprotected: [...promised.unprotected],
    // Whether there is room is a matter of the moment: nobody can approve it for later calls.
    remembers: unprotected ? [] : [...asked.remembers],
    warnings: [...(unprotected ? [storeFull] : []), ...asked.warnings],
    choices: [...(unprotected ? approvalChoices('manual_each_call') : asked.choices)],
  }
  // Who is asked sees all of it; what crosses devices is as long as a step may be.
  const whole = journal.wholes.keep(asked.arguments)
  const kept = { arguments: whole.text, ...(whole.file_id ? { arguments_file_id: whole.file_id } : {}) }
  // On disk before anybody is asked: the answer may come days later, to another process.
  store.transaction(() => {
    approvals.ask(thread.run().no, prompt, asked.plan)
    checkpoints.approvalsChanged(thread.run())
    thread.append({ kind: 'approval.requested', approval: { ...prompt, ...kept } })
    thread.append({ kind: 'run.paused', reason: 'approval' })
  })
  passBy('approval_requested')
  return 'paused'
}

/** The store is full: the call is offered without a recovery point. */
export function requestUnprotected(
  ports: LoopPorts,
  thread: Thread,
  call: OpenCall,
  ready: ReadyCall,
  { plan, failure_contract }: Unprotected,
): 'paused' {
  return ports.store.transaction(() => {
    ports.events.emit('checkpoint_failed', { run: thread.run() }, { checkpoint_id: null, call_id: call.call_id }, failure_contract)
    return requestApproval(ports, thread, call, { ...ready, plan, choices: [], remembers: [], warnings: ready.warnings ?? [] })
  })
}

/** The user has approved exactly this call, and was told that it is not protected. */
export function isApprovedWithoutPoint(
  { approvals }: LoopPorts,
  thread: Thread,
  { call_id }: OpenCall,
  { fingerprint }: ReadyCall,
): boolean {
  const approval = approvals.answered(thread.run().no, call_id)
  if (!approval?.plan || approval.answer === 'no' || approval.answer === 'withdrawn') return false
  return hasNoPoint(approval.plan) && (approval.edited_arguments !== null || approval.fingerprint === fingerprint)
}

const storeFull = `not protected: the store is full. No recovery point can be created, so what this call changes cannot be restored. To make room, set ${quotaSetting} to a larger number of gigabytes and restart Tandem.`

function touch(effect: ReadyCall['effects'][number]): string {
  switch (effect.does) {
    case 'read':
    case 'write':
    case 'delete':
      return `${effect.does} ${effect.path}`
    case 'fetch':
    case 'send':
      return `${effect.does === 'fetch' ? 'fetch from' : 'send to'} ${effect.host}`
    case 'execute':
      return `run ${shortened(effect.command)} in ${effect.cwd}`
    case 'signal':
      return `end process ${effect.pid}`
    case 'note':
      return 'change its own records'
  }
}

/** The whole stands in the arguments. */
function shortened(command: string): string {
  return command.length <= 2_000 ? command : `${command.slice(0, 2_000)}…`
}
