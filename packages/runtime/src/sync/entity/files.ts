// Texts that are too long for their entity, and attachments, are synchronized as files of the cloud: uploaded before the entity that refers
// to them, and downloaded after it arrived.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import type { Change } from '@tandem/contract/sync'
import type { Store } from '../../store/store.ts'
import type { Answer, CloudFiles, NoAnswer } from '../transport/cloud.ts'
import { openOwnRuns, shortenTextPaths } from './legacy-paths.ts'

export interface EntityFiles {
  /** Uploads the files of these changes that the cloud does not have. */
  sendFor(changes: readonly Change[]): Promise<Answer<unknown>>
  want(file_id: string): void
  /** Downloads wanted files. What the cloud does not have yet is requested again later. */
  fetchWanted(): Promise<NoAnswer | null>
}

const again_ms = 10 * 60_000
const names = ['text_file_id', 'arguments_file_id', 'output_file_id'] as const

export interface EntityFilePaths {
  text(file_id: string): string
  attachment(file_id: string): string
}

/** `fetched`: the conversations with new content. */
export function openEntityFiles(
  store: Pick<Store, 'sql' | 'clock' | 'device_id' | 'home'>,
  places: EntityFilePaths,
  cloud: CloudFiles,
  fetched: (conversation_ids: readonly string[]) => void,
): EntityFiles {
  const { sql, clock } = store
  const ownRun = openOwnRuns(store)

  function pathOf(file: string): string {
    return file.endsWith(attachmentEnding) ? places.attachment(file.slice(0, -attachmentEnding.length)) : places.text(file)
  }

  function isDone(file_id: string): boolean {
    const row = sql.get`SELECT state FROM sync_files WHERE file_id = ${file_id}`
    return row !== undefined && row.state !== 'wanted'
  }

  function isKnown(file_id: string): boolean {
    return sql.get`SELECT 1 FROM sync_files WHERE file_id = ${file_id}` !== undefined
  }

  function conversationsWith(file: string): readonly string[] {
    const file_id = file.replace(attachmentEnding, '')
    return sql.all<{ conversation_id: string }>`
      SELECT DISTINCT c.conversation_id FROM messages m JOIN conversations c ON c.no = m.conversation
      WHERE m.text_file = ${file_id} OR instr(m.attachments, ${file_id}) > 0`.map(({ conversation_id }) => conversation_id)
  }

  function mark(file_id: string, way: 'send' | 'fetch', state: 'wanted' | 'done' | 'given_up'): void {
    sql.run`
      INSERT INTO sync_files (file_id, way, state, tried_at) VALUES (${file_id}, ${way}, ${state}, ${clock.now()})
      ON CONFLICT (file_id) DO UPDATE SET way = excluded.way, state = excluded.state, tried_at = excluded.tried_at`
  }

  /** False for the text of a fact that an older Tandem recorded here. */
  function isMarked(file_id: string, run_id: string): boolean {
    const run = Number(sql.get`SELECT no FROM runs WHERE run_id = ${run_id}`?.no ?? -1)
    const row = sql.get`
      SELECT min(marked) AS marked FROM (
        SELECT marked FROM messages WHERE run = ${run} AND text_file = ${file_id}
        UNION ALL SELECT marked FROM tool_calls WHERE run = ${run} AND output_file = ${file_id}
        UNION ALL SELECT marked FROM agent_run_steps WHERE run = ${run} AND kind IN ('tool.call', 'approval.requested')
          AND coalesce(json_extract(body, '$.arguments_file_id'), json_extract(body, '$.approval.arguments_file_id')) = ${file_id})`
    return row?.marked !== 0
  }

  /** An older Tandem removed the paths of its own folders from the texts of its runs. Everything else is sent as it is stored. */
  async function send(file_id: string, { payload }: Change): Promise<Answer<unknown>> {
    const path = pathOf(file_id)
    const isOurs = payload.role !== 'user' && !file_id.endsWith(attachmentEnding)
    const run = isOurs && !isMarked(file_id, String(payload.run_id)) ? ownRun(String(payload.run_id)) : null
    if (run === null) return cloud.send(nameOf(file_id), path)
    const leaving = `${path}.part`
    await writeFile(leaving, shortenTextPaths(await readFile(path, 'utf8'), run), { mode: 0o600 })
    try {
      return await cloud.send(nameOf(file_id), leaving)
    } finally {
      await rm(leaving, { force: true })
    }
  }

  return {
    async sendFor(changes) {
      for (const [file_id, change] of new Map(changes.flatMap((one) => filesIn(one).map((file) => [file, one] as const)))) {
        if (isDone(file_id) || !existsSync(pathOf(file_id))) continue
        const answer = await send(file_id, change)
        // The beginning of the text is sent anyway: one file that the cloud rejects must not block the rest.
        if (answer.kind === 'refused' && [400, 403, 413, 422].includes(answer.status)) mark(file_id, 'send', 'given_up')
        else if (answer.kind !== 'ok') return answer
        else mark(file_id, 'send', 'done')
      }
      return { kind: 'ok', body: undefined }
    },
    want(file_id) {
      if (existsSync(pathOf(file_id))) return
      sql.run`INSERT OR IGNORE INTO sync_files (file_id, way, state) VALUES (${file_id}, 'fetch', 'wanted')`
    },
    async fetchWanted() {
      const wanted = sql.all`
        SELECT file_id FROM sync_files
        WHERE way = 'fetch' AND state = 'wanted' AND (tried_at IS NULL OR abs(${clock.now()} - tried_at) > ${again_ms}) ORDER BY file_id`
      for (const { file_id } of wanted) {
        const answer = await cloud.fetch(nameOf(String(file_id)), pathOf(String(file_id)))
        if (answer.kind !== 'ok') return answer
        // Its conversation was erased meanwhile.
        if (!isKnown(String(file_id))) {
          await rm(pathOf(String(file_id)), { force: true })
          continue
        }
        mark(String(file_id), 'fetch', answer.body === 'fetched' ? 'done' : 'wanted')
        if (answer.body === 'fetched') fetched(conversationsWith(String(file_id)))
      }
      return null
    },
  }
}

const attachmentEnding = '.attachment'

/** An approval refers to the file of its call. Attachments are recognized by their extension. */
export function filesIn({ payload }: Change): string[] {
  const said = [payload, typeof payload.approval === 'object' ? (payload.approval as Change['payload'] | null) : null]
  const texts = said.flatMap((fields) => names.map((name) => fields?.[name])).filter((file_id) => typeof file_id === 'string')
  return [...texts, ...attachmentsIn(payload).map((file_id) => `${file_id}${attachmentEnding}`)]
}

function attachmentsIn({ attachments }: Change['payload']): string[] {
  if (!Array.isArray(attachments)) return []
  return attachments.map((one: { file_id?: unknown }) => one.file_id).filter((file_id) => typeof file_id === 'string')
}

/** The id was created by the device that wrote it, so the name is enough to find it. */
function nameOf(file: string): string {
  return file.endsWith(attachmentEnding) ? file : `${file}.txt`
}
