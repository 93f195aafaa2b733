// Which event a step is told by. One table, so that no step of a run can be forgotten by the record.
import type { EventData, EventName } from '@tandem/contract/event'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import type { RunRecord } from './run-record.ts'
import type { Here } from './step.ts'

export interface StepEvent<Name extends EventName = EventName> {
  readonly name: Name
  readonly data: EventData<Name>
  readonly failure_contract?: FailureContract
}

/** Null for steps that are no news by themselves: text on its way, todos, a rename. */
export function eventOf(step: RunStep, run: RunRecord, here: Here): StepEvent | null {
  const duration_ms = here.duration_ms ?? 0
  const lasted = { turns: run.turns, duration_ms: Math.max(0, run.updated_at - run.started_at) }
  switch (step.kind) {
    case 'run.started':
      return tell('run_started', { title: step.title, device_id: step.device_id, model: step.model, sandbox_mode: step.sandbox_mode })
    case 'run.paused':
      return tell('run_paused', { reason: step.reason })
    case 'run.resumed':
      return tell('run_resumed', { resume_contract: step.resume_contract })
    case 'run.completed':
      return tell('run_completed', { usage: step.usage, ...lasted })
    case 'run.failed':
      return tell('run_failed', { usage: step.usage, ...lasted }, step.failure_contract)
    case 'run.canceled':
      return tell('run_canceled', { usage: step.usage, ...lasted, reason: step.reason })
    case 'model.called':
      return tell('model_call_started', {
        model: step.model,
        turn: step.turn,
        message_count: here.message_count ?? 0,
        tool_count: here.tool_count ?? 0,
      })
    case 'model.completed':
      return tell('model_call_completed', {
        model: run.model,
        turn: step.turn,
        usage: step.usage,
        finish_reason: step.finish_reason,
        first_token_ms: here.first_token_ms ?? null,
        duration_ms,
      })
    case 'tool.call':
      return tell('tool_call_requested', { call_id: step.call_id, tool: step.tool })
    case 'tool.started':
      return tell('tool_call_started', { call_id: step.call_id, tool: here.tool ?? '', checkpoint_id: here.checkpoint_id ?? null })
    case 'tool.result': {
      const call = { call_id: step.call_id, tool: here.tool ?? '' }
      if (step.outcome === 'succeeded') {
        const output_bytes = Buffer.byteLength(JSON.stringify(step.output) ?? '')
        return tell('tool_call_completed', { ...call, output_bytes, truncated: step.truncated, duration_ms })
      }
      return tell('tool_call_failed', { ...call, outcome: step.outcome, duration_ms }, step.failure_contract ?? undefined)
    }
    case 'approval.requested': {
      const { approval_id, call_id, tool } = step.approval
      return tell('approval_requested', { approval_id, call_id, tool })
    }
    case 'approval.answered':
      return tell('approval_answered', {
        call_id: step.call_id,
        tool: here.tool ?? '',
        approval_id: step.approval_id,
        answer: step.answer,
        edited: step.edited_arguments !== null,
        waited_ms: here.waited_ms ?? 0,
      })
    case 'question.asked':
      return tell('question_asked', { call_id: step.question.call_id, question_id: step.question.question_id })
    case 'question.answered':
      return tell('question_answered', { call_id: here.call_id ?? '', question_id: step.question_id, waited_ms: here.waited_ms ?? 0 })
    case 'context.compacted': {
      const { tokens_before, tokens_after } = step
      return tell('context_compacted', { tokens_before, tokens_after, through_seq: here.through?.seq ?? 0, duration_ms })
    }
    case 'error':
      // The rejection of a resume is one event, whether or not it is also recorded as a step.
      return step.failure_contract.stage === 'resume'
        ? tell('run_resume_rejected', { requested_run_id: step.run_id, code: 'resume_unavailable' }, step.failure_contract)
        : tell('run_error', { state: run.state }, step.failure_contract)
    // Checkpoints are told by who takes and restores them: the journal does not know their sizes.
    default:
      return null
  }
}

function tell<Name extends EventName>(name: Name, data: EventData<Name>, failure_contract?: FailureContract): StepEvent<Name> {
  return { name, data, ...(failure_contract ? { failure_contract } : {}) }
}
