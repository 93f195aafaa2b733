// A step as it is written: the journal adds the fields of its run and its position. Also what each kind of step means for the state of its
// run, for the event log, and for lifecycle listeners.

import type { EventData, EventName } from '@tandem/contract/event'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep, RunTrigger, UnknownStep, Usage, WrittenStep } from '@tandem/contract/run'
import type { BindingPolicy } from '@tandem/contract/skill'
import { timestamp } from '../clock/clock.ts'
import type { NewLifecycleEvent } from '../event/lifecycle/lifecycle-event.ts'
import type { DatedEvent } from '../event/lifecycle/store.ts'
import type { Store } from '../store/store.ts'
import type { RunRecord } from './run-record.ts'

type Placed = 'step_id' | 'run_id' | 'conversation_id' | 'agent_id' | 'device_id' | 'seq' | 'ts'
type WithoutPlace<Step> = Step extends unknown ? Omit<Step, Placed> : never

export type NewStep = WithoutPlace<WrittenStep>
export type StepKind = RunStep['kind']
export type StepOf<Kind extends StepKind> = Extract<RunStep, { kind: Kind }>

/** Steps that change the state of their run, with the trigger in its transition table. */
const stepTriggers = {
  'run.paused': 'pause',
  'run.resumed': 'resume_agent_run',
  'run.completed': 'complete',
  'run.failed': 'fail',
  'run.canceled': 'cancel',
  'checkpoint.restored': 'restore_run_checkpoint',
} as const satisfies Partial<Record<StepKind, RunTrigger>>

export function triggerOf(kind: StepKind): RunTrigger | undefined {
  return Object.hasOwn(stepTriggers, kind) ? stepTriggers[kind as keyof typeof stepTriggers] : undefined
}

/** Data about a step that only this device needs. Never synchronized. */
export interface DeviceOnlyFields {
  /** The model's own id for a call: its result is sent back under that id. */
  readonly wire_id?: string
  /** The arguments were not valid JSON; stored as received. */
  readonly malformed?: true
  /** The call only reads: after a crash it is simply repeated. */
  readonly looks?: true
  /** Other devices get only the ids from the arguments and the result of the call. */
  readonly leaves?: 'ids'
  /** The file with the full text that was too long for the step. */
  readonly file?: string
  /** The last step, and its run, that a compaction covers. */
  readonly through?: { readonly run: number; readonly seq: number }
  readonly checkpoint_id?: string
  /** It was retried automatically, not resumed by a user. */
  readonly by_itself?: true
  /** When a run whose model did not respond is retried automatically. */
  readonly retry_at?: number
  /** When the run really stopped, if that was noticed only at the next start. */
  readonly stopped_at?: number
  readonly duration_ms?: number
  /** The model's refusal, in its own words. */
  readonly refused?: string
  /** The usage of a model call outside the turns, such as a summary. */
  readonly usage?: Usage
  readonly first_token_ms?: number | null
  readonly message_count?: number
  readonly tool_count?: number
  readonly waited_ms?: number
  /** The tool, for steps that have only the call; for calls of nonexistent tools, the name that the model used. */
  readonly tool?: string
  readonly call_id?: string
  /** What the model's provider expects back with the next request. */
  readonly provider?: ProviderTurn
  /** The same, for one call. */
  readonly provider_fields?: Readonly<Record<string, unknown>>
  /** The skills included in a model call, and their cost. */
  readonly skills?: InjectedSkills
  /** The memories included in a model call, and their cost. */
  readonly memories?: { readonly items: readonly { readonly id: string; readonly version: number }[]; readonly tokens: number }
  /** The policy layers that were in force when the model was called. */
  readonly policy_layers?: LayerNames
  /** The canaries of policies that applied to this turn. */
  readonly canaries?: readonly string[]
}

/** Fields outside the API that no other model can use. They may contain reasoning of a model, so they stay on this device. */
export interface ProviderTurn {
  readonly model: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Policy layers by name: those that changed the policy of at least one tool, and overlays that were ignored. */
export interface LayerNames {
  readonly in_force: readonly string[]
  readonly ignored: readonly string[]
}

export interface InjectedSkills {
  readonly tokens: number
  readonly skills: readonly {
    readonly skill_name: string
    readonly binding_policy: BindingPolicy
    readonly level: SkillLevel
    readonly content_sha256: string
    readonly allowed_tools: readonly string[]
    readonly tokens: number
  }[]
  readonly left_out: readonly { readonly skill_name: string; readonly level: SkillLevel; readonly reason: string; readonly title: string }[]
}

/** How much of a skill: its description, its instructions, or also the files next to them. */
export type SkillLevel = 'summary' | 'body' | 'full'

/** Which event reports a step. One table, so that no step of a run can be missing from the log. */
interface StepEvent<Name extends EventName = EventName> {
  readonly name: Name
  readonly data: EventData<Name>
  readonly failure_contract?: FailureContract
}

/** Null for steps that have no event: streamed text, todos, a rename. */
export function eventOf(step: RunStep, run: RunRecord, here: DeviceOnlyFields): StepEvent | null {
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
      // A rejected resume is one event, whether or not it is also recorded as a step.
      return step.failure_contract.stage === 'resume'
        ? tell('run_resume_rejected', { requested_run_id: step.run_id, code: 'resume_unavailable' }, step.failure_contract)
        : tell('run_error', { state: run.state }, step.failure_contract)
    // Events of checkpoints are emitted where they are taken and restored: the journal does not know their sizes.
    default:
      return null
  }
}

function tell<Name extends EventName>(name: Name, data: EventData<Name>, failure_contract?: FailureContract): StepEvent<Name> {
  return { name, data, ...(failure_contract ? { failure_contract } : {}) }
}

interface OfRun {
  readonly run_id: string
  readonly conversation_id: string
  readonly agent_id: string
}

/** Which steps are lifecycle events of their run: recorded with the step, and read again for a listener that starts at the beginning. */
const ends = { 'run.completed': 'completed', 'run.failed': 'failed', 'run.canceled': 'canceled' } as const

/** The event has the step's own id, so it is the same however often it is created. */
export function lifecycleOf(event_id: string, step: NewStep, { run_id, conversation_id, agent_id }: OfRun): NewLifecycleEvent | null {
  const ids = { run_id, conversation_id, agent_id }
  switch (step.kind) {
    case 'run.completed':
    case 'run.failed':
    case 'run.canceled':
      return { event: 'run_ended', event_id, data: { ...ids, state: ends[step.kind] } }
    case 'checkpoint.restored': {
      const { checkpoint_id, cursor_seq } = step
      return { event: 'checkpoint_restored', event_id, data: { ...ids, checkpoint_id, cursor_seq } }
    }
    default:
      return null
  }
}

/** The events of this device's runs, in the order in which they happened; other devices have those of their own runs. */
export function lifecycleHistory({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): readonly DatedEvent[] {
  const rows = sql.all<OfRun & { step_id: string; ts: number; kind: string; body: string }>`
    SELECT r.run_id, c.conversation_id, r.agent_id, s.step_id, s.ts, s.kind, s.body
    FROM agent_run_steps s JOIN runs r ON r.no = s.run JOIN conversations c ON c.no = r.conversation
    WHERE r.device_id = ${device_id} AND s.kind IN ('run.completed', 'run.failed', 'run.canceled', 'checkpoint.restored')
    ORDER BY s.ts, r.no, s.seq`
  return rows.flatMap(({ step_id, ts, kind, body, ...run }) => {
    const event = lifecycleOf(step_id, { kind, ...JSON.parse(body) } as NewStep, run)
    return event ? [{ ...event, at: ts }] : []
  })
}

type Said = NewStep | Pick<UnknownStep, 'kind' | 'unknown_kind' | 'fields'>

/** The step at its place in the journal of its run. */
export function placed(run: RunRecord, at: { seq: number; step_id: string; ts: number }, fresh: Said): RunStep {
  const { run_id, conversation_id, agent_id, device_id } = run
  return { step_id: at.step_id, run_id, conversation_id, agent_id, device_id, seq: at.seq, ts: timestamp(at.ts), ...fresh } as RunStep
}
