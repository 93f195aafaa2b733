// The files of a conversation in Tandem's own folder: long texts and outputs, pictures and attachments. Other conversations may have the same.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce, inSlices, type SlicedWork } from '../scheduler/slices.ts'
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
  const pending = sql.all<{ file_id: string }>`SELECT file_id FROM sync_files WHERE state <> 'done'`.filter(({ file_id }) =>
    file_ids.has(file_id.slice(0, 36)),
  )
  const named = atOnce(namedAmong({ sql }, new Set(pending.map(({ file_id }) => file_id.slice(0, 36)))))
  for (const { file_id } of pending) if (!named.has(file_id.slice(0, 36))) sql.run`DELETE FROM sync_files WHERE file_id = ${file_id}`
}

/** Called when the rows are gone: what another conversation still names stays, and what is used again meanwhile. */
export async function deleteFiles({ sql, home, clock }: Pick<Store, 'sql' | 'home' | 'clock'>, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  const names = files.map((file) => file.slice(file.indexOf('/') + 1))
  const ids = new Set(names.flatMap((name) => name.match(id)?.[0] ?? []))
  // A picture that a tool returns again is not written again: its file only gets a new time.
  const times = files.map((file) => timeOf(join(home, file)))
  const named = await inSlices(namedAmong({ sql }, ids), clock.elapsed)
  const calls = callIdsOf({ sql })
  for (const [index, file] of files.entries()) {
    const name = names[index] ?? ''
    const [found = null] = name.match(id) ?? []
    if (found === null ? isOfCall(name, calls) : named.has(found)) continue
    if (timeOf(join(home, file)) !== times[index]) continue
    rmSync(join(home, file), { force: true })
    // Its transfer is over; the row only says that it was made.
    if (found !== null) sql.run`DELETE FROM sync_files WHERE file_id >= ${found} AND file_id < ${`${found}~`}`
    crashPoint('erase:file')
  }
}

function timeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

/** Those that some row still names. Every row is read once, however many there are. */
function* namedAmong({ sql }: Pick<Store, 'sql'>, ids: ReadonlySet<string>): SlicedWork<ReadonlySet<string>> {
  const named = new Set<string>()
  if (ids.size === 0) return named
  const read = (rows: readonly { text: string | null }[]) => {
    for (const { text } of rows) for (const found of text?.match(id) ?? []) if (ids.has(found)) named.add(found)
  }
  read(sql.all`SELECT attachments AS text FROM run_inbox WHERE attachments IS NOT NULL`)
  for (const { no } of sql.all<{ no: number }>`SELECT no FROM conversations`) {
    yield read(sql.all`
      SELECT coalesce(text_file, '') || ' ' || coalesce(attachments, '') AS text FROM messages
      WHERE conversation = ${no} AND (text_file IS NOT NULL OR attachments IS NOT NULL)`)
  }
  for (const { no } of sql.all<{ no: number }>`SELECT no FROM runs`) {
    yield read(sql.all`SELECT coalesce(output_file, '') || ' ' || output AS text FROM tool_calls WHERE run = ${no}`)
    yield read(
      sql.all`SELECT body || coalesce(here, '') AS text FROM agent_run_steps WHERE run = ${no} AND kind IN ('tool.call', 'approval.requested')`,
    )
  }
  for (const one of sql.all<{ run: string }>`SELECT DISTINCT workflow_run_id AS run FROM workflow_run_events`) {
    yield read(sql.all`SELECT payload AS text FROM workflow_run_events WHERE workflow_run_id = ${one.run}`)
  }
  return named
}

function callIdsOf({ sql }: Pick<Store, 'sql'>): ReadonlySet<string> {
  return new Set(sql.all<{ call_id: string }>`SELECT DISTINCT call_id FROM tool_calls`.map(({ call_id }) => call_id))
}

/** Models number their calls, and may use a number again. */
function isOfCall(name: string, calls: ReadonlySet<string>): boolean {
  const pieces = name.split('-')
  return pieces.some((_, index) => index > 0 && calls.has(pieces.slice(0, index).join('-')))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
