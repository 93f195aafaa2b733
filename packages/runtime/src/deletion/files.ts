// The files of a conversation in Tandem's own folder: long texts and outputs, pictures and attachments. Other conversations may have the same.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Of the folders `outputs` and `attachments`, by their path below the home. Called while the rows are still there. */
export function filesOf({ sql, home }: Pick<Store, 'sql' | 'home'>, conversation_id: string): readonly string[] {
  const rows = sql.all<{ text: string | null }>`
    WITH erased AS (SELECT r.no, r.run_id FROM runs r JOIN conversations c ON c.no = r.conversation WHERE c.conversation_id = ${conversation_id})
    SELECT coalesce(m.text_file, '') || ' ' || coalesce(m.attachments, '') AS text
      FROM messages m JOIN conversations c ON c.no = m.conversation WHERE c.conversation_id = ${conversation_id}
    UNION ALL SELECT coalesce(output_file, '') || ' ' || output FROM tool_calls WHERE run IN (SELECT no FROM erased)
    UNION ALL SELECT body || coalesce(here, '') FROM agent_run_steps WHERE run IN (SELECT no FROM erased)
    UNION ALL SELECT attachments FROM run_inbox WHERE run_id IN (SELECT run_id FROM erased)`
  const named = new Set(rows.flatMap(({ text }) => text?.match(id) ?? []))
  const calls = sql.all<{ call_id: string }>`
    SELECT DISTINCT t.call_id FROM tool_calls t JOIN runs r ON r.no = t.run JOIN conversations c ON c.no = r.conversation
    WHERE c.conversation_id = ${conversation_id}`.map(({ call_id }) => `${call_id}-`)
  const outputs = namesIn(join(home, 'outputs')).filter(
    (name) => named.has(name.slice(0, 36)) || calls.some((beginning) => name.startsWith(beginning)),
  )
  const attachments = namesIn(join(home, 'attachments')).filter((name) => named.has(name.slice(0, 36)))
  return [...outputs.map((name) => join('outputs', name)), ...attachments.map((name) => join('attachments', name))]
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
      UNION ALL SELECT 1 FROM run_inbox WHERE instr(attachments, ${file_id}) > 0 LIMIT 1` !== undefined
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
