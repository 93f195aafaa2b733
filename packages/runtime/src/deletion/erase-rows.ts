// Deletes the rows of a conversation, in one transaction. The names of tables and columns come from `row-rules.ts` only.
import { keepUsageOf } from '../journal/usage-by-month.ts'
import type { Store } from '../store/store.ts'
import { type ErasedBy, rowRules } from './row-rules.ts'

/** What belongs to the conversation, as JSON lists. */
type Erased = Readonly<Record<ErasedBy, string>>

export function eraseRows(
  store: Pick<Store, 'sql' | 'device_id'>,
  conversation_id: string,
  clearMemories: (conversation_id: string) => void,
): void {
  const { sql } = store
  const erased = erasedOf(store, conversation_id)
  clearMemories(conversation_id)
  clear(store, erased)
  keepUsageOf(store, erased.run_id)
  for (const [table, rule] of Object.entries(rowRules)) {
    if (rule.rows !== 'erased') continue
    for (const [column, what] of Object.entries(rule.by)) {
      const text = [`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(`, '))']
      sql.run(Object.assign(text, { raw: text }), erased[what])
    }
  }
}

function erasedOf({ sql }: Pick<Store, 'sql'>, conversation_id: string): Erased {
  const list = (rows: readonly Readonly<Record<string, unknown>>[]) => JSON.stringify(rows.map(({ id }) => id))
  const runs = sql.all<{ id: number; run_id: string; workflow_run_id: string | null }>`
    SELECT r.no AS id, r.run_id, r.workflow_run_id FROM runs r JOIN conversations c ON c.no = r.conversation
    WHERE c.conversation_id = ${conversation_id}`
  const run_id = JSON.stringify(runs.map((run) => run.run_id))
  return {
    run: list(runs),
    run_id,
    conversation: list(sql.all`SELECT no AS id FROM conversations WHERE conversation_id = ${conversation_id}`),
    conversation_id: JSON.stringify([conversation_id]),
    workflow_run_id: JSON.stringify(runs.flatMap((run) => run.workflow_run_id ?? [])),
    evolution_run: list(sql.all`SELECT no AS id FROM evolution_runs WHERE run_id IN (SELECT value FROM json_each(${run_id}))`),
  }
}

/** Rows that are about more than this conversation, or that do not name it in a column. */
function clear({ sql }: Pick<Store, 'sql'>, { run, run_id, conversation, conversation_id, evolution_run }: Erased): void {
  sql.run`DELETE FROM outbox WHERE run IN (SELECT value FROM json_each(${run})) OR (entity_type = 'messages' AND entity_id IN (
    SELECT message_id FROM messages WHERE conversation IN (SELECT value FROM json_each(${conversation}))))
    OR (entity_type = 'todos' AND entity_id IN (SELECT value FROM json_each(${conversation_id})))`
  sql.run`DELETE FROM records WHERE entity_type = 'todos' AND entity_id IN (SELECT value FROM json_each(${conversation_id}))`
  for (const { id } of sql.all<{ id: string }>`SELECT value AS id FROM json_each(${conversation_id})`) {
    sql.run`DELETE FROM sync_unread WHERE change -> 'payload' ->> 'conversation_id' = ${id} OR entity_id = ${id}`
    sql.run`DELETE FROM sync_quarantine WHERE change -> 'payload' ->> 'conversation_id' = ${id} OR entity_id = ${id}`
    sql.run`DELETE FROM lifecycle_events WHERE data ->> 'conversation_id' = ${id}`
    sql.run`DELETE FROM memory_exclusions WHERE kind = 'conversation' AND id = ${id}`
    sql.run`DELETE FROM learning_exclusions WHERE kind = 'conversation' AND id = ${id}`
  }
  // What was not merged is work that the user may still want: it stays until a user discards it.
  sql.run`DELETE FROM workspace_copies WHERE state = 'merged' AND run_id IN (SELECT value FROM json_each(${run_id}))`
  sql.run`UPDATE workspace_copies SET state = 'unmerged' WHERE run_id IN (SELECT value FROM json_each(${run_id}))`
  // A pattern stays known; its examples from this conversation go.
  sql.run`
    UPDATE runtime_failure_patterns SET
      run_ids = (SELECT json_group_array(value) FROM json_each(run_ids) WHERE value NOT IN (SELECT value FROM json_each(${run_id}))),
      examples = (SELECT json_group_array(json(value)) FROM json_each(examples) WHERE value ->> 'run_id' NOT IN (SELECT value FROM json_each(${run_id}))),
      helped = (SELECT json_group_array(json(value)) FROM json_each(helped) WHERE value ->> 'run_id' NOT IN (SELECT value FROM json_each(${run_id})))
    WHERE id IN (SELECT pattern_id FROM runtime_failure_occurrences WHERE run_id IN (SELECT value FROM json_each(${run_id})))`
  sql.run`
    DELETE FROM evolution_vectors WHERE text IN (
      SELECT text FROM evolution_sayings WHERE run IN (SELECT value FROM json_each(${evolution_run}))
      UNION SELECT words FROM evolution_pattern_runs WHERE run IN (SELECT value FROM json_each(${evolution_run}))
      UNION SELECT request FROM evolution_runs WHERE no IN (SELECT value FROM json_each(${evolution_run})))`
  sql.run`
    UPDATE evolution_pattern_runs SET words = NULL, message_ids = '[]', keys = '[]' WHERE run IN (SELECT value FROM json_each(${evolution_run}))`
  sql.run`UPDATE evolution_runs SET request = NULL WHERE no IN (SELECT value FROM json_each(${evolution_run}))`
}
