// Deletes the rows of a conversation, in one transaction. The names of tables and columns come from `row-rules.ts` only.
import { keepUsageOf } from '../journal/usage-by-month.ts'
import type { Store } from '../store/store.ts'
import { type ErasedIds, erasedIdsOf } from './erased-ids.ts'
import { fileIdsOf, forgetTransfers } from './files.ts'
import { rowRules } from './row-rules.ts'

export function eraseRows(
  store: Pick<Store, 'sql' | 'device_id'>,
  conversation_id: string,
  clearMemories: (conversation_id: string) => void,
): void {
  const { sql } = store
  const erased = erasedIdsOf(store, conversation_id)
  const files = fileIdsOf(store, erased)
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
  forgetTransfers(store, files)
}

/** Rows that are about more than this conversation, or that do not name it in a column. */
function clear({ sql }: Pick<Store, 'sql'>, erased: ErasedIds): void {
  const { run, run_id, conversation, conversation_id, workflow_run_id, evolution_run } = erased
  sql.run`DELETE FROM outbox WHERE run IN (SELECT value FROM json_each(${run})) OR (entity_type = 'messages' AND entity_id IN (
    SELECT message_id FROM messages WHERE conversation IN (SELECT value FROM json_each(${conversation}))))
    OR (entity_type = 'workflow_run_events' AND entity_id IN (
      SELECT event_id FROM workflow_run_events WHERE workflow_run_id IN (SELECT value FROM json_each(${workflow_run_id}))))
    OR (entity_type = 'todos' AND entity_id IN (SELECT value FROM json_each(${conversation_id})))`
  sql.run`DELETE FROM records WHERE entity_type = 'todos' AND entity_id IN (SELECT value FROM json_each(${conversation_id}))`
  for (const list of [run_id, workflow_run_id]) sql.run`INSERT OR IGNORE INTO erased_runs (id) SELECT value FROM json_each(${list})`
  // Events of workflow runs name no conversation.
  const ofRuns = JSON.stringify([...JSON.parse(run_id), ...JSON.parse(workflow_run_id)])
  for (const name of ['run_id', 'workflow_run_id']) {
    sql.run`DELETE FROM sync_unread WHERE change -> 'payload' ->> ${name} IN (SELECT value FROM json_each(${ofRuns}))`
    sql.run`DELETE FROM sync_quarantine WHERE change -> 'payload' ->> ${name} IN (SELECT value FROM json_each(${ofRuns}))`
  }
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
