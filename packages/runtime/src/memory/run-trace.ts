// What is known of a run that has ended, read from the journal: its calls, and whether the user was content with it.
import type { OutcomeVerdict } from '@tandem/contract/learning'
import { currentSteps } from '../journal/current-steps.ts'
import type { Journal } from '../journal/journal.ts'
import type { MessageRecord } from '../journal/messages.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Corrections } from './record/corrections.ts'
import { isCorrection } from './rule/procedure/correction.ts'
import type { RequestedRun } from './rule/procedure/group.ts'
import type { RunTrace, TracedCall } from './rule/procedure/trace.ts'

export interface TracedRun extends RequestedRun {
  readonly run: RunRecord
  /** The message it answers; null if there is none. */
  readonly message: MessageRecord | null
}

export interface RunTracePorts {
  readonly journal: Journal
  readonly corrections: Corrections
  /** How the evaluation of a run ended; null if there is none. */
  verdictOf(run_id: string): OutcomeVerdict | null
}

const day_ms = 24 * 60 * 60 * 1_000
/** How far to look for the next message of the user: what agents and tools write in between does not count. */
const laterMessages = 200
const memoryIds = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

export function traceRun({ journal, corrections, verdictOf }: RunTracePorts, run: RunRecord): TracedRun {
  const all = journal.steps(run.run_id)
  const steps = currentSteps(all)
  const message = messageOf(journal, run.run_id)
  const calls = callsIn(journal, steps)
  const trace: RunTrace = {
    run_id: run.run_id,
    // A restore pauses a run that had ended.
    state: run.state === 'completed' || run.state === 'failed' ? run.state : 'canceled',
    calls,
    denied: calls.some(({ outcome }) => outcome === 'denied') || steps.some(({ step }) => isRefusal(step)),
    corrected_next: isCorrectedRun({ journal, corrections }, run, message),
    restored_within_a_day: message?.set_aside === true || all.some(({ step }) => isRestore(step, run.ended_at)),
    verdict: verdictOf(run.run_id),
    cites: [...new Set(answersIn(journal, steps).flatMap((text) => text.match(memoryIds) ?? []))],
  }
  return { run, message, trace, request: message?.text ?? '' }
}

type Step = JournaledStep['step']

function isRefusal(step: Step): boolean {
  return step.kind === 'approval.answered' && step.answer === 'no'
}

function isRestore(step: Step, ended_at: number | null): boolean {
  return step.kind === 'checkpoint.restored' && (ended_at === null || Date.parse(step.ts) <= ended_at + day_ms)
}

/** As they ran: with the arguments that the user changed, and whether the user approved exactly this call. */
function callsIn(journal: Journal, steps: readonly JournaledStep[]): readonly TracedCall[] {
  const answers = new Map(steps.flatMap(({ step }) => (step.kind === 'approval.answered' ? [[step.call_id, step] as const] : [])))
  const outcomes = new Map(steps.flatMap(({ step }) => (step.kind === 'tool.result' ? [[step.call_id, step.outcome] as const] : [])))
  return steps.flatMap(({ step }) => {
    if (step.kind !== 'tool.call') return []
    const answer = answers.get(step.call_id)
    const whole = step.arguments_file_id === undefined ? undefined : journal.wholes.find(step.arguments_file_id)
    return [
      {
        tool: step.tool,
        arguments: answer?.edited_arguments ?? whole ?? step.arguments,
        // Of a call without a result nobody knows how it ended.
        outcome: outcomes.get(step.call_id) ?? 'interrupted',
        approved_by_person: answer !== undefined && answer.answer !== 'no',
      },
    ]
  })
}

function answersIn(journal: Journal, steps: readonly JournaledStep[]): readonly string[] {
  return steps.flatMap(({ step }) => (step.kind === 'message.completed' ? (journal.messages.get(step.message_id)?.text ?? []) : []))
}

/** By a command, or by what the user wrote next. */
export function isCorrectedRun(
  { journal, corrections }: Pick<RunTracePorts, 'journal' | 'corrections'>,
  run: RunRecord,
  message: MessageRecord | null,
): boolean {
  return corrections.isCorrected(run) || (message !== null && isCorrectedNext(journal, message))
}

/** The message that a run answers; null if there is none. */
export function messageOf(journal: Pick<Journal, 'messages' | 'steps'>, run_id: string): MessageRecord | null {
  const [first] = journal.steps(run_id, { limit: 1 })
  const message_id = first?.step.kind === 'run.started' ? first.step.message_id : null
  return (message_id === null ? undefined : journal.messages.get(message_id)) ?? null
}

function isCorrectedNext(journal: Journal, { conversation, no }: MessageRecord): boolean {
  const next = journal.messages.of(conversation, { after: no, limit: laterMessages }).find((one) => one.persons_word && !one.set_aside)
  return next !== undefined && isCorrection(next.text)
}
