// Entities as they are synchronized, read from their tables. Device-only data is not included. A marked fact is sent exactly as it is
// stored; a fact that an older Tandem recorded here is sent as that version sent it.
import { limits } from '@tandem/contract/limits'
import type { Message, MessageAuthor, RunStep, ToolCall } from '@tandem/contract/run'
import type { Change, ChangePayload, EntityType } from '@tandem/contract/sync'
import type { WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import { timestamp } from '../../clock/clock.ts'
import type { DeviceOnlyFields } from '../../journal/step.ts'
import type { Store } from '../../store/store.ts'
import { callWithIds, eventWithIds, messageWithoutWords, stepWithIds } from './ids-only.ts'
import { openOwnRuns, ownFolders, shortenFailurePaths, shortenPaths, shortenStepPaths } from './legacy-paths.ts'
import { openWorkflowContent } from './workflow-content.ts'

/** Run and number, for facts that are identified by them. */
export interface FactPosition {
  readonly run: number | null
  readonly seq: number | null
}

export interface Entities {
  /** Undefined if it is no longer here. */
  payload(type: EntityType, entity_id: string, place: FactPosition): ChangePayload | undefined
  /** The run and number of a local fact. */
  place(change: Change): FactPosition
  /** How a local call ended, according to its step and its record. */
  outcome(run: number, call_id: string): Readonly<Record<string, unknown>> | undefined
}

interface StepRow {
  readonly step_id: string
  readonly seq: number
  readonly ts: number
  readonly kind: RunStep['kind']
  readonly body: string
  readonly here: string | null
  readonly marked: number
  readonly run_id: string
  readonly device_id: string
  readonly agent_id: string
  readonly conversation_id: string
  readonly workflow_run_id: string | null
  readonly workspace: string
}

interface CallRow {
  readonly outcome: ToolCall['outcome']
  readonly output: string
  readonly output_file: string | null
  readonly truncated: number
  readonly failure: string | null
  readonly checkpoint_id: string | null
  readonly settled_at: number
  readonly call_seq: number
  readonly marked: number
  readonly extra: string | null
}

interface MessageRow {
  readonly conversation_id: string
  readonly agent_id: string
  readonly workspace: string
  readonly run_id: string | null
  readonly device_id: string | null
  readonly role: Message['role']
  readonly author: MessageAuthor | null
  readonly parent_message_id: string | null
  readonly extra: string | null
  readonly text: string
  readonly text_file: string | null
  readonly attachments: string | null
  readonly created_at: number
  readonly marked: number
  /** Of the workflow whose node the conversation belongs to. */
  readonly workflow_run_id: string | null
}

export function openEntities(store: Pick<Store, 'sql' | 'device_id' | 'home'>): Entities {
  const { sql, device_id: own } = store
  const folders = ownFolders(store)
  const ownRun = openOwnRuns(store)
  const workflowContent = openWorkflowContent(store)

  function message(message_id: string): Message | undefined {
    const row = sql.get<MessageRow>`
      SELECT c.conversation_id, c.agent_id, coalesce(r.older_workspace, r.own_workspace, c.workspace) AS workspace, r.run_id, r.device_id, m.role, m.author,
        m.parent_message_id, m.extra, m.text, m.text_file, m.attachments, m.created_at, m.marked, w.workflow_run_id
      FROM messages m JOIN conversations c ON c.no = m.conversation LEFT JOIN runs r ON r.no = m.run
      LEFT JOIN workflow_conversations w ON w.conversation_id = c.conversation_id
      WHERE m.message_id = ${message_id}`
    if (!row) return undefined
    const { conversation_id, agent_id, workspace, run_id, device_id, role, author, parent_message_id, text, text_file } = row
    const told: Message = {
      message_id,
      conversation_id,
      agent_id,
      run_id,
      role,
      ...(author === null ? {} : { author }),
      ...(parent_message_id === null ? {} : { parent_message_id }),
      text,
      ...(text_file === null ? {} : { text_file_id: text_file }),
      attachments: row.attachments === null ? [] : JSON.parse(row.attachments),
      created_at: timestamp(row.created_at),
      ...restOf(row),
    }
    const isTask = role === 'user' && author === 'workflow'
    if (isTask && workflowContent.isIn(row.workflow_run_id, row.created_at)) return messageWithoutWords(told)
    const asRecorded = row.marked === 1 || role === 'user' || run_id === null || device_id !== own
    return asRecorded ? told : shortenPaths(told, { ...folders, run_id, workspace })
  }

  function step({ run, seq }: FactPosition): RunStep | undefined {
    const row = sql.get<StepRow>`
      SELECT s.step_id, s.seq, s.ts, s.kind, s.body, s.here, s.marked, r.run_id, r.device_id, r.agent_id, r.workflow_run_id, c.conversation_id,
        coalesce(r.older_workspace, r.own_workspace, c.workspace) AS workspace
      FROM agent_run_steps s JOIN runs r ON r.no = s.run JOIN conversations c ON c.no = r.conversation
      WHERE s.run = ${run} AND s.seq = ${seq}`
    if (!row || run === null) return undefined
    const { step_id, run_id, conversation_id, agent_id, device_id, ts, kind } = row
    const place = { step_id, run_id, conversation_id, agent_id, device_id, seq: row.seq, ts: timestamp(ts) }
    const here = row.marked === 0 && device_id === own ? { ...folders, run_id, workspace: row.workspace } : null
    const leaves = shortenStepPaths({ ...place, kind, ...stepBody(run, row) } as RunStep, here)
    const ofWorkflow = device_id === own && workflowContent.isIn(row.workflow_run_id, ts)
    return ofWorkflow || onlyIdsLeave(run, row) ? stepWithIds(leaves) : leaves
  }

  /** Recorded with the call, because its tool may be gone when the fact is sent. */
  function onlyIdsLeave(run: number, { kind, body, here }: Pick<StepRow, 'kind' | 'body' | 'here'>): boolean {
    if (kind !== 'tool.result') return holdsIdsOnly(here)
    const call = callRow(run, String(JSON.parse(body).call_id))
    return call !== undefined && isCallOfIds(run, call)
  }

  function isCallOfIds(run: number, { call_seq, output, settled_at }: CallRow): boolean {
    const row = sql.get<{ here: string | null; ts: number; workflow_run_id: string | null; device_id: string }>`
      SELECT s.here, s.ts, r.workflow_run_id, r.device_id FROM agent_run_steps s JOIN runs r ON r.no = s.run
      WHERE s.run = ${run} AND s.seq = ${call_seq}`
    if (!row) return false
    if (holdsIdsOnly(row.here)) return true
    if (row.device_id !== own) return false
    // The result of a workflow may be computed from such content, too.
    return workflowContent.isIn(row.workflow_run_id, row.ts) || workflowContent.isIn(workflowIn(output), settled_at)
  }

  /** The output of a call made here is stored once, in its `tool_calls` row. */
  function stepBody(run: number, { kind, body }: StepRow): object {
    const said = JSON.parse(body) as { readonly call_id?: string; readonly outcome?: string }
    if (kind !== 'tool.result' || said.outcome !== undefined) return said
    const call = callRow(run, String(said.call_id))
    return call ? { ...said, ...outcomeOf(call) } : said
  }

  function callRow(run: number, call_id: string): CallRow | undefined {
    return sql.get<CallRow>`SELECT * FROM tool_calls WHERE run = ${run} AND call_id = ${call_id}`
  }

  function toolCall(call_id: string, { run }: FactPosition): ToolCall | undefined {
    const row = run === null ? undefined : callRow(run, call_id)
    const asked = row && step({ run, seq: row.call_seq })
    if (!row || asked?.kind !== 'tool.call') return undefined
    const { run_id, conversation_id, tool, arguments_file_id } = asked
    const here = row.marked === 1 ? null : ownRun(run_id)
    const outcome = outcomeOf(row)
    const call: ToolCall = {
      call_id,
      run_id,
      conversation_id,
      tool,
      arguments: asked.arguments,
      ...(arguments_file_id === undefined ? {} : { arguments_file_id }),
      ...outcome,
      failure_contract: shortenFailurePaths(outcome.failure_contract, here),
      checkpoint_id: row.checkpoint_id,
      requested_at: asked.ts,
      settled_at: timestamp(row.settled_at),
      ...restOf(row),
    }
    return bounded(shortenPaths(isCallOfIds(run ?? 0, row) ? callWithIds(call) : call, here))
  }

  function record(type: EntityType, entity_id: string): ChangePayload | undefined {
    const row = sql.get<{ payload: string }>`SELECT payload FROM records WHERE entity_type = ${type} AND entity_id = ${entity_id}`
    return row && JSON.parse(row.payload)
  }

  function unread(type: EntityType, entity_id: string): ChangePayload | undefined {
    const row = sql.get<{ change: string }>`SELECT change FROM sync_unread WHERE entity_type = ${type} AND entity_id = ${entity_id}`
    return row && (JSON.parse(row.change) as Change).payload
  }

  function event(event_id: string): ChangePayload | undefined {
    const row = sql.get<{ payload: string }>`SELECT payload FROM workflow_run_events WHERE event_id = ${event_id}`
    const told: WrittenWorkflowRunEvent | undefined = row && JSON.parse(row.payload)
    return told && workflowContent.inEvent(told) ? eventWithIds(told) : told
  }

  return {
    outcome(run, call_id) {
      const row = callRow(run, call_id)
      return row && outcomeOf(row)
    },
    place({ entity_type, entity_id, payload }) {
      const run = sql.get`SELECT no FROM runs WHERE run_id = ${String(payload.run_id)}`?.no
      if (typeof run !== 'number' || entity_type === 'messages' || entity_type === 'workflow_run_events') return { run: null, seq: null }
      if (entity_type === 'agent_run_steps') return { run, seq: Number(payload.seq) }
      const seq = sql.get`SELECT call_seq FROM tool_calls WHERE run = ${run} AND call_id = ${entity_id}`?.call_seq
      return { run, seq: typeof seq === 'number' ? seq : null }
    },
    payload(type, entity_id, place) {
      switch (type) {
        case 'messages':
          return message(entity_id) ?? unread(type, entity_id)
        case 'agent_run_steps':
          return step(place) ?? unread(type, entity_id)
        case 'tool_calls':
          return toolCall(entity_id, place) ?? unread(type, entity_id)
        case 'workflow_run_events':
          return event(entity_id) ?? unread(type, entity_id)
        default:
          return record(type, entity_id) ?? unread(type, entity_id)
      }
    },
  }
}

/** The workflow run that an output is about. */
function workflowIn(output: string): string | null {
  return /"workflow_run_id":"([^"]+)"/.exec(output)?.[1] ?? null
}

function holdsIdsOnly(here: string | null): boolean {
  return here !== null && (JSON.parse(here) as DeviceOnlyFields).leaves === 'ids'
}

/** The fields of a fact that have no column. */
function restOf({ extra }: { readonly extra: string | null }): object {
  return extra === null ? {} : JSON.parse(extra)
}

function outcomeOf({ outcome, output, output_file, truncated, failure }: CallRow) {
  return {
    outcome,
    output: JSON.parse(output),
    ...(output_file === null ? {} : { output_file_id: output_file }),
    truncated: truncated === 1,
    failure_contract: failure === null ? null : JSON.parse(failure),
  }
}

const shortArguments = 16_384

/** Arguments and output together may exceed a payload. The full arguments are in the `tool.call` step: here their beginning is enough. */
function bounded(call: ToolCall): ToolCall {
  if (call.arguments.length <= shortArguments) return call
  if (Buffer.byteLength(JSON.stringify(call)) <= limits.payload_bytes) return call
  const cut = call.arguments.slice(0, shortArguments)
  return { ...call, arguments: /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut }
}
