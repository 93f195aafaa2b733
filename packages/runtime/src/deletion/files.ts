// The files of a conversation in Tandem's own folder: long texts and outputs, pictures and attachments. Other conversations may have the same.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import { type ErasedIds, erasedIdsOf } from './erased-ids.ts'

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Those that its rows name, on this device or not yet. */
export function fileIdsOf({ sql }: Pick<Store, 'sql'>, { run, run_id, conversation, workflow_run_id }: ErasedIds): ReadonlySet<string> {
  const rows = sql.all<{ text: string | null }>`
    WITH erased AS (SELECT value AS run FROM json_each(${run}))
    SELECT coalesce(text_file, '') || ' ' || coalesce(attachments, '') AS text
      FROM messages WHERE conversation IN (SELECT value FROM json_each(${conversation}))
    UNION ALL SELECT coalesce(output_file, '') || ' ' || output FROM tool_calls WHERE run IN (SELECT run FROM erased)
    UNION ALL SELECT body || coalesce(here, '') FROM agent_run_steps WHERE run IN (SELECT run FROM erased)
    UNION ALL SELECT attachments FROM run_inbox WHERE run_id IN (SELECT value FROM json_each(${run_id}))
    UNION ALL SELECT payload FROM workflow_run_events WHERE workflow_run_id IN (SELECT value FROM json_each(${workflow_run_id}))`
  return new Set(rows.flatMap(({ text }) => text?.match(id) ?? []))
}

/** Of the folders `outputs` and `attachments`, by their path below the home. Called while the rows are still there. */
export function filesOf({ sql, home }: Pick<Store, 'sql' | 'home'>, conversation_id: string): readonly string[] {
  const erased = erasedIdsOf({ sql }, conversation_id)
  const named = fileIdsOf({ sql }, erased)
  const calls = sql.all<{ call_id: string }>`
    SELECT DISTINCT call_id FROM tool_calls WHERE run IN (SELECT value FROM json_each(${erased.run}))`.map(({ call_id }) => `${call_id}-`)
  const outputs = namesIn(join(home, 'outputs')).filter(
    (name) => named.has(name.slice(0, 36)) || calls.some((beginning) => name.startsWith(beginning)),
  )
  const attachments = namesIn(join(home, 'attachments')).filter((name) => named.has(name.slice(0, 36)))
  return [...outputs.map((name) => join('outputs', name)), ...attachments.map((name) => join('attachments', name))]
}

/** Called when the rows are gone. A file that is still to be downloaded would come back. */
export function forgetTransfers({ sql }: Pick<Store, 'sql'>, file_ids: ReadonlySet<string>): void {
  for (const { file_id } of sql.all<{ file_id: string }>`SELECT file_id FROM sync_files`) {
    const named = file_id.slice(0, 36)
    if (file_ids.has(named) && !isNamed({ sql }, named)) sql.run`DELETE FROM sync_files WHERE file_id = ${file_id}`
  }
}

/** Called when the rows are gone: what another conversation still names stays. */
export function deleteFiles({ sql, home }: Pick<Store, 'sql' | 'home'>, files: readonly string[]): void {
  for (const file of files) {
    const name = file.slice(file.indexOf('/') + 1)
    const [found = null] = name.match(id) ?? []
    if (found === null ? isCallNamed({ sql }, name) : isNamed({ sql }, found)) continue
    rmSync(join(home, file), { force: true })
    crashPoint('erase:file')
  }
}

function isNamed({ sql }: Pick<Store, 'sql'>, file_id: string): boolean {
  return (
    sql.get`
      SELECT 1 FROM messages WHERE text_file = ${file_id} OR instr(attachments, ${file_id}) > 0
      UNION ALL SELECT 1 FROM tool_calls WHERE output_file = ${file_id} OR instr(output, ${file_id}) > 0
      UNION ALL SELECT 1 FROM run_inbox WHERE instr(attachments, ${file_id}) > 0
      UNION ALL SELECT 1 FROM agent_run_steps WHERE kind IN ('tool.call', 'approval.requested') AND instr(body, ${file_id}) > 0
      UNION ALL SELECT 1 FROM workflow_run_events WHERE instr(payload, ${file_id}) > 0 LIMIT 1` !== undefined
  )
}

/** Models number their calls, and may use a number again. */
function isCallNamed({ sql }: Pick<Store, 'sql'>, name: string): boolean {
  return sql.get`SELECT 1 FROM tool_calls WHERE ${name} GLOB call_id || '-*' LIMIT 1` !== undefined
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
