// Stores facts of other devices in the same tables as our own. A fact that could not be read back unchanged is kept aside instead. All are
// `marked`: they are sent again exactly as they arrived.
import { isDeepStrictEqual } from 'node:util'
import type { Message, RunStep, ToolCall } from '@tandem/contract/run'
import type { Change, ChangePayload, EntityType } from '@tandem/contract/sync'
import type { Store } from '../../store/store.ts'
import type { Entities, FactPosition } from './entities.ts'
import { isStep, isWorkflowRunEvent, matchesSchema, unknownStep } from './shapes.ts'

/** `early`: what it belongs to has not arrived yet. */
export type UnreadableReason = 'unknown_shape' | 'early' | 'does_not_fit'

export type FactArrival =
  | {
      readonly kind: 'new'
      readonly conversation: number | null
      readonly run: number | null
      readonly place: FactPosition
      readonly step?: RunStep
    }
  | { readonly kind: 'known' }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }

export interface FactStore {
  arrive(change: Change): FactArrival
  /** Reads again what a newer Tandem had written; returns the runs of what can be read now. */
  reread(): readonly number[]
}

/** Until the first step of a run arrives. */
const unknown = { title: 'Untitled', model: 'unknown', device_id: '' }

interface RunPlace {
  readonly no: number
  readonly conversation: number
  readonly device_id: string
}

const known = { kind: 'known' } as const
const nowhere: FactPosition = { run: null, seq: null }

type StepOf<Kind extends RunStep['kind']> = Extract<RunStep, { kind: Kind }>

export function openFacts({ sql }: Pick<Store, 'sql'>, entities: Entities): FactStore {
  /** Created on another device: here it has no folder to work in. */
  function conversationOf(conversation_id: string, agent_id: string, at: number): number {
    const found = sql.get`SELECT no FROM conversations WHERE conversation_id = ${conversation_id}`
    if (found) return Number(found.no)
    const { lastInsertRowid } = sql.run`
      INSERT INTO conversations (conversation_id, agent_id, title, workspace, created_at, updated_at)
      VALUES (${conversation_id}, ${agent_id}, ${unknown.title}, '', ${at}, ${at})`
    return Number(lastInsertRowid)
  }

  function findRun(run_id: string): RunPlace | undefined {
    return sql.get<RunPlace>`SELECT no, conversation, device_id FROM runs WHERE run_id = ${run_id}`
  }

  function runOf(run_id: string, conversation: number, agent_id: string, device_id: string, at: number): RunPlace {
    const found = findRun(run_id)
    if (found && found.device_id === unknown.device_id && device_id !== unknown.device_id) {
      sql.run`UPDATE runs SET device_id = ${device_id} WHERE no = ${found.no}`
    }
    if (found) return found
    const { lastInsertRowid } = sql.run`
      INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, started_at, updated_at)
      VALUES (${run_id}, ${conversation}, ${agent_id}, ${device_id}, ${unknown.title}, 'running', ${unknown.model}, 'strict', ${at}, ${at})`
    return { no: Number(lastInsertRowid), conversation, device_id }
  }

  function message(payload: Message): FactArrival {
    const { message_id, role, author = null, parent_message_id = null, text, text_file_id = null, attachments } = payload
    if (sql.get`SELECT no FROM messages WHERE message_id = ${message_id}`) return known
    const at = Date.parse(payload.created_at)
    const conversation = conversationOf(payload.conversation_id, payload.agent_id, at)
    const run = payload.run_id === null ? null : runOf(payload.run_id, conversation, payload.agent_id, unknown.device_id, at).no
    const attached = attachments.length === 0 ? null : JSON.stringify(attachments)
    sql.run`
      INSERT INTO messages (message_id, conversation, run, role, author, parent_message_id, text, text_file, attachments, created_at, marked)
      VALUES (${message_id}, ${conversation}, ${run}, ${role}, ${author}, ${parent_message_id}, ${text}, ${text_file_id}, ${attached}, ${at}, 1)`
    return { kind: 'new', conversation, run, place: nowhere }
  }

  /** Whether it can be read or not, it has its position in the journal, and is sent again unchanged. */
  function step(payload: ChangePayload): FactArrival {
    if (!isStep(payload)) return { kind: 'unreadable', reason: 'unknown_shape' }
    const { step_id, run_id, conversation_id, agent_id, device_id, seq, ts, kind, ...body } = payload
    const at = Date.parse(ts)
    const conversation = conversationOf(conversation_id, agent_id, at)
    const run = runOf(run_id, conversation, agent_id, device_id, at)
    const there = sql.get`SELECT step_id FROM agent_run_steps WHERE run = ${run.no} AND seq = ${seq}`
    if (there) return there.step_id === step_id ? known : { kind: 'unreadable', reason: 'does_not_fit' }
    const read = matchesSchema('agent_run_steps', payload) ? payload : null
    const kept = read?.kind === 'tool.result' ? shortBody(read, body, run.no) : body
    sql.run`
      INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body, marked, known)
      VALUES (${run.no}, ${seq}, ${step_id}, ${at}, ${kind}, ${JSON.stringify(kept)}, 1, ${read ? 1 : 0})`
    return { kind: 'new', conversation, run: run.no, place: { run: run.no, seq }, step: read ?? unknownStep(payload) }
  }

  /** What the call's own row contains is not stored twice. */
  function shortBody({ call_id }: StepOf<'tool.result'>, body: Readonly<Record<string, unknown>>, run: number): object {
    const said = entities.outcome(run, call_id)
    if (!said || !Object.entries(said).every(([name, value]) => isDeepStrictEqual(value, body[name]))) return body
    return Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(said, name)))
  }

  function event(payload: ChangePayload): FactArrival {
    if (!isWorkflowRunEvent(payload)) return { kind: 'unreadable', reason: 'unknown_shape' }
    const { event_id, workflow_run_id, run_id, seq, ts } = payload
    if (sql.get`SELECT no FROM workflow_run_events WHERE event_id = ${event_id}`) return known
    sql.run`
      INSERT INTO workflow_run_events (event_id, workflow_run_id, seq, ts, known, payload)
      VALUES (${event_id}, ${workflow_run_id}, ${seq}, ${Date.parse(ts)}, ${matchesSchema('workflow_run_events', payload) ? 1 : 0},
        ${JSON.stringify(payload)})`
    const run = run_id === null ? undefined : findRun(run_id)
    return { kind: 'new', conversation: run?.conversation ?? null, run: run?.no ?? null, place: nowhere }
  }

  function toolCall(payload: ToolCall): FactArrival {
    const { call_id, outcome, output, output_file_id = null, truncated, failure_contract, checkpoint_id } = payload
    const run = findRun(payload.run_id)
    if (!run) return { kind: 'unreadable', reason: 'early' }
    if (sql.get`SELECT 1 AS found FROM tool_calls WHERE run = ${run.no} AND call_id = ${call_id}`) return known
    const asked = sql.get<{ seq: number }>`
      SELECT seq FROM agent_run_steps
      WHERE run = ${run.no} AND kind = 'tool.call' AND json_extract(body, '$.call_id') = ${call_id}
      ORDER BY seq DESC LIMIT 1`
    if (!asked) return { kind: 'unreadable', reason: 'early' }
    const failure = failure_contract === null ? null : JSON.stringify(failure_contract)
    sql.run`
      INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, output_file, truncated, failure, checkpoint_id, settled_at, marked)
      VALUES (${run.no}, ${call_id}, ${asked.seq}, ${outcome}, ${JSON.stringify(output ?? null)}, ${output_file_id}, ${truncated ? 1 : 0},
        ${failure}, ${checkpoint_id}, ${Date.parse(payload.settled_at)}, 1)`
    return { kind: 'new', conversation: run.conversation, run: run.no, place: { run: run.no, seq: asked.seq } }
  }

  function put({ entity_type, payload }: Change): FactArrival {
    if (entity_type === 'messages' && matchesSchema(entity_type, payload)) return message(payload)
    if (entity_type === 'agent_run_steps') return step(payload)
    if (entity_type === 'workflow_run_events') return event(payload)
    if (entity_type === 'tool_calls' && matchesSchema(entity_type, payload)) return toolCall(payload)
    return { kind: 'unreadable', reason: 'unknown_shape' }
  }

  function takeBack({ entity_type, entity_id }: Change, { run, seq }: FactPosition): void {
    if (entity_type === 'messages') sql.run`DELETE FROM messages WHERE message_id = ${entity_id}`
    if (entity_type === 'agent_run_steps') sql.run`DELETE FROM agent_run_steps WHERE run = ${run} AND seq = ${seq}`
    if (entity_type === 'tool_calls') sql.run`DELETE FROM tool_calls WHERE run = ${run} AND call_id = ${entity_id}`
    if (entity_type === 'workflow_run_events') sql.run`DELETE FROM workflow_run_events WHERE event_id = ${entity_id}`
  }

  /**
   * Stores what the columns of a fact do not contain, such as fields of a newer Tandem. False if the fact could not be restored unchanged.
   */
  function keepRest({ entity_type, entity_id, payload }: Change, { run }: FactPosition, told: ChangePayload): boolean {
    if (entity_type !== 'messages' && entity_type !== 'tool_calls') return false
    if (Object.keys(told).some((name) => !Object.hasOwn(payload, name))) return false
    const rest = Object.entries(payload).filter(([name, value]) => !Object.hasOwn(told, name) || !isDeepStrictEqual(told[name], value))
    const extra = JSON.stringify(Object.fromEntries(rest))
    if (entity_type === 'messages') sql.run`UPDATE messages SET extra = ${extra} WHERE message_id = ${entity_id}`
    else sql.run`UPDATE tool_calls SET extra = ${extra} WHERE run = ${run} AND call_id = ${entity_id}`
    return true
  }

  return {
    arrive(change) {
      if (entityIdOf(change) !== change.entity_id) return { kind: 'unreadable', reason: 'unknown_shape' }
      const arrival = put(change)
      if (arrival.kind !== 'new') return arrival
      const told = () => entities.payload(change.entity_type, change.entity_id, arrival.place)
      const first = told()
      if (isDeepStrictEqual(first, change.payload)) return arrival
      if (first && keepRest(change, arrival.place, first) && isDeepStrictEqual(told(), change.payload)) return arrival
      takeBack(change, arrival.place)
      return { kind: 'unreadable', reason: 'does_not_fit' }
    },
    reread() {
      const runs = new Set<number>()
      for (const { run, seq, step_id } of sql.all`SELECT run, seq, step_id FROM agent_run_steps WHERE known = 0`) {
        const place = { run: Number(run), seq: Number(seq) }
        if (!matchesSchema('agent_run_steps', entities.payload('agent_run_steps', String(step_id), place))) continue
        sql.run`UPDATE agent_run_steps SET known = 1 WHERE run = ${place.run} AND seq = ${place.seq}`
        runs.add(place.run)
      }
      for (const { no, payload } of sql.all`SELECT no, payload FROM workflow_run_events WHERE known = 0`) {
        if (matchesSchema('workflow_run_events', JSON.parse(String(payload))))
          sql.run`UPDATE workflow_run_events SET known = 1 WHERE no = ${Number(no)}`
      }
      return [...runs]
    },
  }
}

const idFields: Partial<Record<EntityType, string>> = {
  messages: 'message_id',
  agent_run_steps: 'step_id',
  tool_calls: 'call_id',
  workflow_run_events: 'event_id',
}

/** The id inside the payload of a fact. */
function entityIdOf({ entity_type, entity_id, payload }: Change): unknown {
  const name = idFields[entity_type]
  return name === undefined ? entity_id : payload[name]
}
