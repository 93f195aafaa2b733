// What was imported before. Each path of a conversation has a row: `ID#LEAF` if its export names the last message, otherwise `ID`, and
// `ID#~HASH` for further paths of an export that does not. Rows of deleted conversations do not count: they will be erased.
import { createHash } from 'node:crypto'
import { type ImportSource, importSourceNames } from '@tandem/contract/import'
import type { Journal } from '../../journal/journal.ts'
import type { Store } from '../../store/store.ts'
import type { EarlierImport, ImportMessage } from './match-import.ts'

/** A path of a conversation of an export. */
export interface ImportPath {
  readonly source: ImportSource
  readonly source_id: string
  /** Its last message, in exports that name it. */
  readonly leaf_id?: string
  readonly messages: readonly ImportMessage[]
}

export interface EarlierImports {
  /** The conversation with exactly this path, by its last message; null if the export does not name it. */
  at(path: ImportPath): string | null
  /** All paths of the same conversation of the export. */
  of(path: ImportPath): readonly EarlierImport[]
  /** Whether it has runs that were not imported. */
  isContinued(conversation_id: string): boolean
  /** In the transaction of the caller. */
  add(path: ImportPath, conversation_id: string): void
}

/** Of the runs that an import writes. */
export const importedModel = (source: ImportSource) => `${importSourceNames[source]} (imported)`

interface ImportRun {
  readonly no: number
  readonly is_import: number
}

export function openEarlierImports({ sql, clock }: Pick<Store, 'sql' | 'clock'>, journal: Pick<Journal, 'messages'>): EarlierImports {
  /** The first run is always an import. */
  function runsOf(conversation_id: string): readonly ImportRun[] {
    return sql.all<ImportRun>`
      SELECT r.no, r.model = CASE c.imported_from WHEN 'chatgpt' THEN ${importedModel('chatgpt')} ELSE ${importedModel('claude')} END
        OR r.no = (SELECT min(no) FROM runs WHERE conversation = c.no) AS is_import
      FROM runs r JOIN conversations c ON c.no = r.conversation WHERE c.conversation_id = ${conversation_id} ORDER BY r.no`
  }

  function messagesOf(conversation_id: string): readonly ImportMessage[] {
    const runs = JSON.stringify(runsOf(conversation_id).flatMap(({ no, is_import }) => (is_import === 1 ? [no] : [])))
    const named = sql.all<{ message_id: string }>`
      SELECT body ->> 'message_id' AS message_id FROM agent_run_steps
      WHERE run IN (SELECT value FROM json_each(${runs})) AND kind IN ('run.started', 'message.received', 'message.completed')
        AND body ->> 'message_id' IS NOT NULL ORDER BY run, seq`
    return named.flatMap(({ message_id }) => journal.messages.get(message_id) ?? [])
  }

  function conversationAt(source: ImportSource, key: string): string | null {
    const row = sql.get<{ conversation_id: string }>`
      SELECT i.conversation_id FROM imported_conversations i JOIN conversations c USING (conversation_id)
      WHERE i.source = ${source} AND i.source_id = ${key} AND c.deleted_at IS NULL`
    return row?.conversation_id ?? null
  }

  function keyOf(path: ImportPath, conversation_id: string): string {
    const { source, source_id, leaf_id, messages } = path
    if (leaf_id !== undefined) return `${source_id}#${leaf_id}`
    const owner = conversationAt(source, source_id)
    if (owner === null || owner === conversation_id) return source_id
    return `${source_id}#~${createHash('sha256').update(JSON.stringify(messages)).digest('hex')}`
  }

  return {
    at: ({ source, source_id, leaf_id }) => (leaf_id === undefined ? null : conversationAt(source, `${source_id}#${leaf_id}`)),
    of({ source, source_id }) {
      // "$" follows "#".
      const rows = sql.all<{ conversation_id: string }>`
        SELECT DISTINCT i.conversation_id FROM imported_conversations i JOIN conversations c USING (conversation_id)
        WHERE i.source = ${source} AND c.deleted_at IS NULL
          AND (i.source_id = ${source_id} OR (i.source_id > ${`${source_id}#`} AND i.source_id < ${`${source_id}$`}))
        ORDER BY c.no`
      return rows.map(({ conversation_id }) => ({ conversation_id, messages: messagesOf(conversation_id) }))
    },
    isContinued: (conversation_id) => runsOf(conversation_id).some(({ is_import }) => is_import === 0),
    add(path, conversation_id) {
      sql.run`
        INSERT OR REPLACE INTO imported_conversations (source, source_id, conversation_id, imported_at)
        VALUES (${path.source}, ${keyOf(path, conversation_id)}, ${conversation_id}, ${clock.now()})`
    },
  }
}
