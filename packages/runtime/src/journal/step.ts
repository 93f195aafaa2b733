// A step as it is written: the fields its run and its place in the journal say already are added by the journal. And what each kind of step
// means: for the state of its run, for the record of events, and for those who listen to the lifecycle of runs.

import type { EventData, EventName } from '@tandem/contract/event'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep, RunTrigger, Usage, WrittenStep } from '@tandem/contract/run'
import type { BindingPolicy } from '@tandem/contract/skill'
import type { NewLifecycleEvent } from '../event/lifecycle/lifecycle-event.ts'
import type { DatedEvent } from '../event/lifecycle/store.ts'
import type { Store } from '../store/store.ts'
import type { RunRecord } from './run-record.ts'

type Placed = 'step_id' | 'run_id' | 'conversation_id' | 'agent_id' | 'device_id' | 'seq' | 'ts'
type WithoutPlace<Step> = Step extends unknown ? Omit<Step, Placed> : never

export type NewStep = WithoutPlace<WrittenStep>
export type StepKind = RunStep['kind']
export type StepOf<Kind extends StepKind> = Extract<RunStep, { kind: Kind }>

/** Steps that change the state of their run, and along which row of its table. */
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

/** What only this device needs of a step. Never synchronized. */
export interface Here {
  /** The model's own name for a call: answers go back to it under that name. */
  readonly wire_id?: string
  /** The arguments were no JSON: kept as they came. */
  readonly malformed?: true
  /** The call only looks: after a crash it is simply made again. */
  readonly looks?: true
  /** Of what the call was asked and answered, other devices see the ids alone. */
  readonly leaves?: 'ids'
  /** Where the whole of what was too long for the step is kept. */
  readonly file?: string
  /** Up to which step of which run a compaction speaks for. */
  readonly through?: { readonly run: number; readonly seq: number }
  readonly checkpoint_id?: string
  /** Nobody resumed it: it was tried again by itself. */
  readonly by_itself?: true
  /** When a run that no model answered is tried again by itself. */
  readonly retry_at?: number
  readonly duration_ms?: number
  /** The model refused, in these words. */
  readonly refused?: string
  /** What a call of the model beside the turns cost: a summary. */
  readonly usage?: Usage
  readonly first_token_ms?: number | null
  readonly message_count?: number
  readonly tool_count?: number
  readonly waited_ms?: number
  /** The tool, for steps that name only the call; the name a model made up, for calls of tools there are not. */
  readonly tool?: string
  readonly call_id?: string
  /** What the provider of the model wants back with the next request. */
  readonly provider?: ProviderTurn
  /** The same, of one call. */
  readonly provider_fields?: Readonly<Record<string, unknown>>
  /** The skills a call of the model was given, and what they cost. */
  readonly skills?: GivenSkills
  /** The layers of policies that were in force when the model was called. */
  readonly policy_layers?: LayerNames
}

/** Fields that are no part of the API and of no use to another model. They may hold what a model thought: they stay on this device. */
export interface ProviderTurn {
  readonly model: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Layers of policies by name: those that changed the policy of at least one tool, and overlays that were ignored. */
export interface LayerNames {
  readonly in_force: readonly string[]
  readonly ignored: readonly string[]
}

export interface GivenSkills {
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

/** How much of a skill: its description, its instructions, or the files beside them too. */
export type SkillLevel = 'summary' | 'body' | 'full'

/** Which event a step is told by. One table, so that no step of a run can be forgotten by the record. */
interface StepEvent<Name extends EventName = EventName> {
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

interface OfRun {
  readonly run_id: string
  readonly conversation_id: string
  readonly agent_id: string
}

/** Which steps are lifecycle events of their run: recorded with the step, and read again for a listener that starts at the beginning. */
const ends = { 'run.completed': 'completed', 'run.failed': 'failed', 'run.canceled': 'canceled' } as const

/** The step's own id names the event: it is the same whenever and however often the event is made. */
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

/** Those of the runs of this device, in the order in which they happened; runs of other devices have theirs there. */
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
