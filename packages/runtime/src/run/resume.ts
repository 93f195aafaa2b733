// How a paused run resumes: on what terms, with which answers, and what happens to calls that a crash interrupted.
import type { ApprovalAnswer, QuestionAnswer, ResumeContract } from '@tandem/contract/run'
import { leavesOf } from '../call/tool.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { withoutOutput } from '../pipeline/pipeline.ts'
import type { ActiveRun } from './active-run.ts'
import { interruptedCall } from './call/unmade-calls.ts'
import type { LoopPorts } from './ports.ts'
import type { OpenCall } from './run-progress.ts'
import { endWaitsFor, pendingWaitMessage } from './waiting.ts'

type Disposition = ResumeContract['pending_calls'][number]['disposition']

/** What happens to a call that was open when the run paused. A call with an answer continues with it. */
function dispositionOf({ pipeline }: Pick<LoopPorts, 'pipeline'>, call: OpenCall, waiting: readonly string[]): Disposition {
  if (call.progress === 'waiting') return waiting.includes(call.call_id) ? 'await_approval' : 'repeat'
  if (call.progress !== 'started' || call.looks) return 'repeat'
  return pipeline.canRepeat(call.tool, call.call_id) ? 'repeat' : 'report_interrupted'
}

export function resumeContract(ports: LoopPorts, activeRun: ActiveRun, run: RunRecord): ResumeContract {
  const { open } = activeRun.progress()
  const approvals = ports.approvals.pending(run.no)
  const question = ports.questions.pending(run.run_id)[0]
  const waiting = ports.journal.waits.open(run.no).map(({ call_id }) => call_id)
  return {
    run_id: run.run_id,
    resumed_from: run.pause_reason ?? 'user',
    checkpoint_id: run.pause_reason === 'restore' ? restoredCheckpoint(ports, run) : openCheckpoint(open),
    // An answer may have been written since the run was read.
    cursor_seq: activeRun.run().next_seq,
    pending_calls: open.map((call) => ({ call_id: call.call_id, tool: call.tool, disposition: dispositionOf(ports, call, waiting) })),
    pending_approvals: approvals.map(({ approval_id }) => approval_id),
    pending_question: question?.question_id ?? null,
    policy_rechecked: true,
  }
}

/** After a restore: the checkpoint that was restored. */
function restoredCheckpoint({ journal }: LoopPorts, { run_id }: RunRecord): string | null {
  const restored = journal.steps(run_id).findLast(({ step }) => step.kind === 'checkpoint.restored')?.step
  return restored?.kind === 'checkpoint.restored' ? restored.checkpoint_id : null
}

/** Otherwise: the one that was created for a call that is still open. */
function openCheckpoint(open: readonly OpenCall[]): string | null {
  return open.find(({ checkpoint_id }) => checkpoint_id !== null)?.checkpoint_id ?? null
}

export type WaitAnswer =
  | {
      readonly kind: 'approval'
      readonly approval_id: string
      readonly fingerprint: string
      readonly answer: ApprovalAnswer
      readonly edited_arguments?: string
      readonly reason?: string
    }
  | { readonly kind: 'question'; readonly question_id: string; readonly answer: QuestionAnswer }

export type AnswerRefusal = { readonly code: 'nothing_pending' | 'answer_mismatch' | 'run_busy'; readonly message: string }

/** Records the answer with its step; null if it was accepted. Called inside the transaction that resumes the run. */
export function recordAnswer(ports: LoopPorts, activeRun: ActiveRun, run: RunRecord, answer: WaitAnswer): AnswerRefusal | null {
  return answer.kind === 'approval' ? recordApproval(ports, activeRun, run, answer) : recordQuestion(ports, activeRun, run, answer)
}

function recordApproval(
  ports: LoopPorts,
  activeRun: ActiveRun,
  run: RunRecord,
  given: Extract<WaitAnswer, { kind: 'approval' }>,
): AnswerRefusal | null {
  const { approvals, checkpoints, policies, store } = ports
  const asked = approvals.get(given.approval_id)
  if (!asked || asked.run !== run.no || asked.answer !== null) {
    return { code: 'nothing_pending', message: `approval ${given.approval_id} is not waiting for an answer` }
  }
  if (asked.fingerprint !== given.fingerprint) {
    return { code: 'answer_mismatch', message: 'the answer belongs to a different call than the pending one' }
  }
  if (!asked.prompt.choices.includes(given.answer)) {
    const why = given.answer === 'this_team' ? 'This run belongs to no team, so there is nothing to remember the answer for. ' : ''
    return {
      code: 'answer_mismatch',
      message: `${why}This call cannot be answered with ${given.answer}. Answer with ${asked.prompt.choices.join(', ')}.`,
    }
  }
  if (given.edited_arguments !== undefined && given.answer !== 'once') {
    return {
      code: 'answer_mismatch',
      message: 'edited arguments can be approved only with "once": the other answers cover the call as it was shown',
    }
  }
  const { call_id, prompt } = asked
  const leaves = activeRun.progress().open.find((call) => call.call_id === call_id)?.leaves
  const reason = given.reason ?? null
  const edited_arguments = given.edited_arguments ?? null
  approvals.answer(given.approval_id, { answer: given.answer, reason, edited_arguments })
  endWaitsFor(ports, { for: 'approval', id: given.approval_id }, { outcome: 'completed', value: given.answer })
  checkpoints.approvalsChanged(run)
  activeRun.append(
    { kind: 'approval.answered', approval_id: given.approval_id, call_id, answer: given.answer, reason, edited_arguments },
    { tool: prompt.tool, waited_ms: Math.max(0, store.clock.now() - asked.asked_at), ...leavesOf({ leaves: leaves ?? 'whole' }) },
  )
  if (given.answer === 'always') policies.remember(run.agent_id, prompt.tool, prompt.remembers, run.conversation_id)
  return null
}

function recordQuestion(
  ports: LoopPorts,
  activeRun: ActiveRun,
  run: RunRecord,
  { question_id, answer }: Extract<WaitAnswer, { kind: 'question' }>,
): AnswerRefusal | null {
  const asked = ports.questions.get(question_id)
  if (asked?.run_id !== run.run_id) return { code: 'nothing_pending', message: `question ${question_id} does not belong to this run` }
  const taken = ports.questions.answer(question_id, answer)
  if (!taken.ok) return { code: taken.code === 'not_found' ? 'nothing_pending' : taken.code, message: taken.message }
  endWaitsFor(ports, { for: 'question', id: question_id }, { outcome: 'completed', value: answer })
  const waited_ms = Math.max(0, ports.store.clock.now() - asked.asked_at)
  activeRun.append({ kind: 'question.answered', question_id, answer }, { call_id: asked.call_id, waited_ms })
  return null
}

/** Calls that had started and may have taken effect are reported to the model as interrupted; they are never simply repeated. Returns them. */
export function settleInterrupted(ports: Pick<LoopPorts, 'pipeline'>, activeRun: ActiveRun): ReadonlySet<string> {
  const calls = activeRun.progress().open.filter((one) => dispositionOf(ports, one, []) === 'report_interrupted')
  for (const call of calls) {
    const { call_id, tool, seq, checkpoint_id } = call
    const result = withoutOutput('interrupted', interruptedCall(tool, checkpoint_id))
    activeRun.settle({ call_id, tool, call_seq: seq, ...result, checkpoint_id, duration_ms: 0 })
  }
  return new Set(calls.map(({ call_id }) => call_id))
}

/** A run that waits for a user cannot be resumed without an answer. */
export function stillWaiting(
  ports: LoopPorts,
  run: RunRecord,
  { pending_approvals, pending_question }: ResumeContract,
): AnswerRefusal | null {
  const endsByItself = pendingWaitMessage(ports, run)
  if (endsByItself) return { code: 'run_busy', message: endsByItself }
  const [approval] = pending_approvals
  const waiting = approval ? `approval ${approval}` : pending_question ? `question ${pending_question}` : null
  return waiting ? { code: 'answer_mismatch', message: `${waiting} needs an answer: resume with the answer` } : null
}
