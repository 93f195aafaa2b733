// Facts of other devices, put into the same tables as our own. A fact that would not read back as it came is kept aside instead.
// All are `marked`: they leave again exactly as they came.
import { isDeepStrictEqual } from 'node:util'
import type { Message, RunStep, ToolCall } from '@tandem/contract/run'
import type { Change } from '@tandem/contract/sync'
import type { Store } from '../store/store.ts'
import type { Entities, Place } from './entities.ts'
import { fits } from './shapes.ts'

/** `early`: what it belongs to has not come yet. */
export type Unreadable = 'unknown_shape' | 'early' | 'does_not_fit'

export type FactArrival =
  | { readonly kind: 'new'; readonly conversation: number; readonly run: number | null; readonly place: Place; readonly step?: RunStep }
  | { readonly kind: 'known' }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable }

export interface Facts {
  arrive(change: Change): FactArrival
}

/** Until the first step of a run says more. */
const unknown = { title: 'Untitled', model: 'unknown', device_id: '' }

interface RunPlace {
  readonly no: number
  readonly conversation: number
  readonly device_id: string
}

const known = { kind: 'known' } as const

export function openFacts({ sql }: Pick<Store, 'sql'>, entities: Entities): Facts {
  /** Made elsewhere: here it has no folder to work in. */
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
    const { message_id, role, text, text_file_id = null, attachments } = payload
    if (sql.get`SELECT no FROM messages WHERE message_id = ${message_id}`) return known
    const at = Date.parse(payload.created_at)
    const conversation = conversationOf(payload.conversation_id, payload.agent_id, at)
    const run = payload.run_id === null ? null : runOf(payload.run_id, conversation, payload.agent_id, unknown.device_id, at).no
    const attached = attachments.length === 0 ? null : JSON.stringify(attachments)
    sql.run`
      INSERT INTO messages (message_id, conversation, run, role, text, text_file, attachments, created_at, marked)
      VALUES (${message_id}, ${conversation}, ${run}, ${role}, ${text}, ${text_file_id}, ${attached}, ${at}, 1)`
    return { kind: 'new', conversation, run, place: { run: null, seq: null } }
  }

  function step(payload: RunStep): FactArrival {
    const { step_id, run_id, conversation_id, agent_id, device_id, seq, ts, kind, ...body } = payload
    const at = Date.parse(ts)
    const conversation = conversationOf(conversation_id, agent_id, at)
    const run = runOf(run_id, conversation, agent_id, device_id, at)
    const there = sql.get`SELECT step_id FROM agent_run_steps WHERE run = ${run.no} AND seq = ${seq}`
    if (there) return there.step_id === step_id ? known : { kind: 'unreadable', reason: 'does_not_fit' }
    const place = { run: run.no, seq }
    sql.run`
      INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body, marked)
      VALUES (${run.no}, ${seq}, ${step_id}, ${at}, ${kind}, ${JSON.stringify(shortBody(payload, body, run.no))}, 1)`
    return { kind: 'new', conversation, run: run.no, place, step: payload }
  }

  /** What the call's own row says is not kept twice. */
  function shortBody(payload: RunStep, body: object, run: number): object {
    if (payload.kind !== 'tool.result') return body
    const row = sql.get<{ output: string }>`SELECT output FROM tool_calls WHERE run = ${run} AND call_id = ${payload.call_id}`
    return row && row.output === JSON.stringify(payload.output ?? null) ? { call_id: payload.call_id } : body
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
    if (entity_type === 'messages' && fits(entity_type, payload)) return message(payload)
    if (entity_type === 'agent_run_steps' && fits(entity_type, payload)) return step(payload)
    if (entity_type === 'tool_calls' && fits(entity_type, payload)) return toolCall(payload)
    return { kind: 'unreadable', reason: 'unknown_shape' }
  }

  function takeBack({ entity_type, entity_id }: Change, { run, seq }: Place): void {
    if (entity_type === 'messages') sql.run`DELETE FROM messages WHERE message_id = ${entity_id}`
    if (entity_type === 'agent_run_steps') sql.run`DELETE FROM agent_run_steps WHERE run = ${run} AND seq = ${seq}`
    if (entity_type === 'tool_calls') sql.run`DELETE FROM tool_calls WHERE run = ${run} AND call_id = ${entity_id}`
  }

  return {
    arrive(change) {
      if (entityIdOf(change) !== change.entity_id) return { kind: 'unreadable', reason: 'unknown_shape' }
      const arrival = put(change)
      if (arrival.kind !== 'new') return arrival
      const back = entities.payload(change.entity_type, change.entity_id, arrival.place)
      if (isDeepStrictEqual(back, change.payload)) return arrival
      takeBack(change, arrival.place)
      return { kind: 'unreadable', reason: 'does_not_fit' }
    },
  }
}

/** The id a fact has within itself; `workflow_run_events` have no table here yet, and any id will do. */
function entityIdOf({ entity_type, entity_id, payload }: Change): unknown {
  const names: Partial<Record<Change['entity_type'], string>> = {
    messages: 'message_id',
    agent_run_steps: 'step_id',
    tool_calls: 'call_id',
  }
  const name = names[entity_type]
  return name === undefined ? entity_id : payload[name]
}
