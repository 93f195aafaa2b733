// Writes a run that has ended elsewhere, with its messages and their dates. No event reports it: nothing ran here.
import type { MessageAuthor } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Store } from '../store/store.ts'
import type { Messages } from './messages.ts'
import { emptyUsage } from './run-record.ts'

export interface FinishedRun {
  /** The number of its conversation. */
  readonly conversation: number
  readonly agent_id: string
  readonly title: string
  readonly model: string
  readonly sandbox_mode: SandboxMode
  readonly started_at: number
  readonly ended_at: number
  readonly messages: readonly FinishedMessage[]
}

export interface FinishedMessage {
  readonly role: 'user' | 'assistant'
  readonly author: MessageAuthor
  readonly text: string
  readonly created_at: number
}

type StoredStep = readonly [kind: string, body: object, ts: number]

/** In the transaction of the caller. */
export function writeFinishedRun(
  { sql, newId, device_id }: Pick<Store, 'sql' | 'newId' | 'device_id'>,
  journal: { readonly messages: Messages },
  given: FinishedRun,
): void {
  const { conversation, agent_id, title, model, sandbox_mode, started_at, ended_at } = given
  const { lastInsertRowid } = sql.run`
    INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, next_seq, started_at, updated_at, ended_at)
    VALUES (${newId()}, ${conversation}, ${agent_id}, ${device_id}, ${title}, 'completed', ${model}, ${sandbox_mode}, 0, ${started_at},
      ${ended_at}, ${ended_at})`
  const run = Number(lastInsertRowid)
  const usage = { ...emptyUsage, estimated: true }
  const steps: StoredStep[] = []
  for (const [index, { role, author, text, created_at }] of given.messages.entries()) {
    const message_id = journal.messages.write({ conversation, run: role === 'user' ? null : run, role, author, text })
    sql.run`UPDATE messages SET created_at = ${created_at} WHERE message_id = ${message_id}`
    const isFirst = index === 0 && role === 'user'
    if (index === 0) steps.push(['run.started', { title, model, sandbox_mode, message_id: isFirst ? message_id : null }, created_at])
    // An answer belongs to a turn of a model.
    if (role === 'assistant') steps.push(['model.completed', { turn: index, usage, finish_reason: 'stop' }, created_at])
    if (!isFirst) steps.push([role === 'user' ? 'message.received' : 'message.completed', { message_id }, created_at])
  }
  steps.push(['run.completed', { usage }, ended_at])
  for (const [seq, [kind, body, ts]] of steps.entries()) {
    sql.run`
      INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body)
      VALUES (${run}, ${seq}, ${newId()}, ${ts}, ${kind}, ${JSON.stringify(body)})`
  }
  sql.run`UPDATE runs SET next_seq = ${steps.length} WHERE no = ${run}`
}
