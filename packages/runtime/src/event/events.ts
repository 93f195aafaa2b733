// The log of observability events. An event is written in the transaction of the fact it reports and published when that is on disk. Fields
// that an event shares with its step are stored once, with the step, and added again when the event is read.
import type { EventData, EventName } from '@tandem/contract/event'
import type { FailureContract } from '@tandem/contract/failure'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { Bus, Topics } from './bus.ts'

interface TellingRun {
  readonly no: number
  readonly run_id: string
  readonly agent_id: string
  readonly conversation_id: string
  readonly device_id: string
  readonly model: string
}

/** What an event refers to; a run adds the ids of its agent, conversation and device. */
export interface EventSubject {
  readonly run?: TellingRun
  /** With `said`, it is the step's own event: the recorded values of the step, by the names of its fields. */
  readonly step?: { readonly seq: number; readonly step_id: string; readonly said?: Readonly<Record<string, unknown>> }
  readonly agent_id?: string
  readonly conversation_id?: string
}

export interface EventQuery {
  /** Only events recorded after this one. */
  readonly after?: number
  readonly run_id?: string
  readonly limit: number
}

export interface Events {
  emit<Name extends EventName>(name: Name, about: EventSubject, data: EventData<Name>, failure_contract?: FailureContract): void
  /** In order of recording. */
  list(query: EventQuery): readonly Topics['event'][]
  /** The number of the event before the last `count` events. */
  beforeLast(count: number): number
  /** Deletes events recorded before `ts`, a batch of the oldest per call. Returns how many were deleted. */
  forget(before: number): number
}

interface EventRow {
  readonly no: number
  readonly event_id: string
  readonly event: EventName
  readonly ts: number
  readonly run_id: string | null
  readonly step_id: string | null
  readonly agent_id: string | null
  readonly conversation_id: string | null
  readonly failure_contract: string | null
  readonly data: string
  readonly body: string | null
  readonly here: string | null
  readonly device_id: string | null
  readonly model: string | null
}

const forgottenAtOnce = 1_000

export function openEvents(store: Store, bus: Bus): Events {
  const { sql, clock, newId } = store

  return {
    emit(name, about, data, failure_contract) {
      const { run, step } = about
      const agent_id = run?.agent_id ?? about.agent_id ?? null
      const conversation_id = run?.conversation_id ?? about.conversation_id ?? null
      const event_id = step?.said ? step.step_id : newId()
      const kept = run && step?.said ? withoutStepFields(name, data, { ...ofRun(run), ...step.said }) : data
      const ts = clock.now()
      const failure = failure_contract ? JSON.stringify(failure_contract) : null
      // Fields that its run and its step already have are not stored twice.
      const { lastInsertRowid } = sql.run`
        INSERT INTO events (event_id, event, ts, run, seq, agent_id, conversation_id, failure_contract, data)
        VALUES (${step?.said ? '' : event_id}, ${name}, ${ts}, ${run?.no ?? null}, ${step?.seq ?? null}, ${run ? null : agent_id},
          ${run ? null : conversation_id}, ${failure}, ${JSON.stringify(kept)})`
      const event = whole({
        event_id,
        event: name,
        ts: timestamp(ts),
        agent_id,
        conversation_id,
        run_id: run?.run_id ?? null,
        step_id: step?.step_id ?? null,
        ...(failure_contract ? { failure_contract } : {}),
        data,
        no: Number(lastInsertRowid),
      })
      store.afterCommit(() => bus.publish('event', event))
    },
    list({ after = 0, run_id, limit }) {
      const rows = sql.all<EventRow>`
        SELECT e.no, e.event_id, e.event, e.ts, r.run_id, s.step_id, s.body, s.here, r.device_id, r.model, coalesce(r.agent_id, e.agent_id) AS agent_id,
          coalesce(c.conversation_id, e.conversation_id) AS conversation_id, e.failure_contract, e.data
        FROM events e
        LEFT JOIN runs r ON r.no = e.run
        LEFT JOIN conversations c ON c.no = r.conversation
        LEFT JOIN agent_run_steps s ON s.run = e.run AND s.seq = e.seq
        WHERE e.no > ${after} AND (${run_id ?? null} IS NULL OR e.run = (SELECT no FROM runs WHERE run_id = ${run_id ?? null}))
        ORDER BY e.no LIMIT ${limit}`
      return rows.map(toEvent)
    },
    beforeLast(count) {
      const row = sql.get`SELECT no FROM events ORDER BY no DESC LIMIT 1 OFFSET ${count}`
      return Number(row?.no ?? 0)
    },
    forget(before) {
      // Only the oldest are examined: finding nothing to delete must not require reading everything.
      const { changes } = sql.run`
        DELETE FROM events WHERE no IN (
          SELECT no FROM (SELECT no, ts FROM events ORDER BY no LIMIT ${forgottenAtOnce}) WHERE ts < ${before})`
      return Number(changes)
    },
  }
}

function toEvent({ ts, failure_contract, data, body, here, device_id, model, ...ids }: EventRow): Topics['event'] {
  const failure = failure_contract === null ? {} : { failure_contract: JSON.parse(failure_contract) }
  const told = { ...ids, ts: timestamp(ts), ...failure, data: JSON.parse(data) }
  if (ids.event_id !== '') return whole(told)
  const said = { ...ofRun({ device_id, model }), ...JSON.parse(body ?? '{}'), ...JSON.parse(here ?? '{}') }
  return whole({ ...told, event_id: ids.step_id ?? '', data: withStepFields(ids.event, told.data, said) })
}

/** An event of any name. That name, ids and data match was checked where it was emitted. */
interface Parts extends Pick<EventRow, 'no' | 'event_id' | 'event' | 'run_id' | 'step_id' | 'agent_id' | 'conversation_id'> {
  readonly ts: string
  readonly failure_contract?: FailureContract
  readonly data: unknown
}

function whole(parts: Parts): Topics['event'] {
  return parts as Topics['event']
}

/** Constant during a run, and part of the events of many steps. */
function ofRun<Run extends { readonly device_id: unknown; readonly model: unknown }>({ device_id, model }: Run) {
  return { device_id, model }
}

/** The fields that an event shares with its step or its run, under the same names. */
const saidByStep = {
  run_started: ['title', 'device_id', 'model', 'sandbox_mode'],
  run_paused: ['reason'],
  run_resumed: ['resume_contract'],
  run_completed: ['usage'],
  run_failed: ['usage'],
  run_canceled: ['usage', 'reason'],
  model_call_started: ['model', 'turn', 'message_count', 'tool_count'],
  model_call_completed: ['model', 'turn', 'usage', 'finish_reason', 'first_token_ms', 'duration_ms'],
  tool_call_requested: ['call_id', 'tool'],
  tool_call_started: ['call_id', 'tool', 'checkpoint_id'],
  tool_call_completed: ['call_id', 'tool', 'duration_ms'],
  tool_call_failed: ['call_id', 'tool', 'duration_ms'],
  approval_answered: ['call_id', 'tool', 'approval_id', 'answer', 'waited_ms'],
  question_answered: ['call_id', 'question_id', 'waited_ms'],
} as const satisfies { readonly [Name in EventName]?: readonly (keyof EventData<Name>)[] }

type Facts = Readonly<Record<string, unknown>>

/** The fields that remain to be stored if `said` is stored elsewhere. */
export function withoutStepFields(name: EventName, data: Facts, said: Facts): Facts {
  const common = new Set(commonTo(name).filter((field) => JSON.stringify(data[field]) === JSON.stringify(said[field])))
  return Object.fromEntries(Object.entries(data).filter(([field]) => !common.has(field)))
}

/** The data of the event as it was emitted. */
export function withStepFields(name: EventName, kept: Facts, said: Facts): Facts {
  const missing = commonTo(name).filter((field) => !(field in kept) && said[field] !== undefined)
  return { ...Object.fromEntries(missing.map((field) => [field, said[field]])), ...kept }
}

function commonTo(name: EventName): readonly string[] {
  return Object.hasOwn(saidByStep, name) ? saidByStep[name as keyof typeof saidByStep] : []
}
