// Messages: each is written once, when it is complete.
import { isWrittenByUser, type Message, type MessageAuthor } from '@tandem/contract/run'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { likePatterns } from './conversations.ts'
import type { LongTexts } from './long-texts.ts'

export interface MessageRecord {
  readonly no: number
  readonly message_id: string
  readonly conversation: number
  readonly run: number | null
  readonly role: Message['role']
  /** Null for messages from before authors were recorded. */
  readonly author: MessageAuthor | null
  readonly parent_message_id: string | null
  /** Written by the user; not by a task, a workflow or an agent on the user's behalf. */
  readonly persons_word: boolean
  /** The full text, even if the row has only its beginning; the beginning while the rest has not arrived from another device. */
  readonly text: string
  readonly attachments: Message['attachments']
  readonly set_aside: boolean
  readonly created_at: number
}

export interface NewMessage {
  readonly message_id?: string
  readonly conversation: number
  readonly run: number | null
  readonly role: Message['role']
  readonly author: MessageAuthor
  readonly parent_message_id?: string
  readonly text: string
  readonly attachments?: Message['attachments']
}

export interface Messages {
  write(message: NewMessage): string
  get(message_id: string): MessageRecord | undefined
  /** In the order of writing, including those removed by a restore. */
  of(conversation: number, page: { readonly after?: number; readonly limit: number }): readonly MessageRecord[]
  /** Newest first. */
  latest(conversation: number, limit: number): readonly MessageRecord[]
  setAside(message_ids: readonly string[], setAside: boolean): void
  /** The latest message of each conversation that contains all the words; of very long messages, only the beginning is searched. */
  saying(words: readonly string[], limit: number): readonly FoundMessage[]
}

/** At most this many of the latest messages: a search must not delay the runs. */
const mostSearched = 50_000

export type FoundMessage = Pick<MessageRecord, 'message_id' | 'conversation' | 'role' | 'text'>

interface MessageRow {
  readonly no: number
  readonly message_id: string
  readonly conversation: number
  readonly run: number | null
  readonly role: Message['role']
  readonly author: MessageAuthor | null
  readonly parent_message_id: string | null
  readonly older_origin: 'user' | 'task' | null
  readonly extra: string | null
  readonly text: string
  readonly text_file: string | null
  readonly attachments: string | null
  readonly set_aside: number
  readonly created_at: number
  readonly marked: number
}

export function openMessages({ sql, clock, newId }: Store, wholes: LongTexts): Messages {
  function toRecord({ text_file, older_origin, extra: _extra, marked: _marked, ...row }: MessageRow): MessageRecord {
    const { role, author } = row
    const origin = { before_authors: older_origin !== null, started_by_task: older_origin === 'task' }
    return {
      ...row,
      persons_word: isWrittenByUser({ role, ...(author === null ? {} : { author }) }, origin),
      text: text_file === null ? row.text : (wholes.find(text_file) ?? row.text),
      attachments: row.attachments === null ? [] : JSON.parse(row.attachments),
      set_aside: row.set_aside === 1,
    }
  }
  return {
    write({ message_id = newId(), conversation, run, role, author, parent_message_id, text, attachments = [] }) {
      const kept = wholes.keep(text)
      const attached = attachments.length === 0 ? null : JSON.stringify(attachments)
      sql.run`
        INSERT INTO messages (message_id, conversation, run, role, author, parent_message_id, text, text_file, attachments, created_at, marked)
        VALUES (${message_id}, ${conversation}, ${run}, ${role}, ${author}, ${parent_message_id ?? null}, ${kept.text}, ${kept.file_id ?? null},
          ${attached}, ${clock.now()}, 1)`
      return message_id
    },
    get(message_id) {
      const row = sql.get<MessageRow>`SELECT * FROM messages WHERE message_id = ${message_id}`
      return row && toRecord(row)
    },
    of(conversation, { after = 0, limit }) {
      const rows = sql.all<MessageRow>`
        SELECT * FROM messages WHERE conversation = ${conversation} AND no > ${after} ORDER BY no LIMIT ${limit}`
      return rows.map(toRecord)
    },
    latest(conversation, limit) {
      return sql.all<MessageRow>`SELECT * FROM messages WHERE conversation = ${conversation} ORDER BY no DESC LIMIT ${limit}`.map(toRecord)
    },
    setAside(message_ids, setAside) {
      sql.run`
        UPDATE messages SET set_aside = ${setAside ? 1 : 0}
        WHERE message_id IN (SELECT value FROM json_each(${JSON.stringify(message_ids)}))`
    },
    saying(words, limit) {
      const [first, second, third, fourth] = likePatterns(words)
      return sql.all<FoundMessage>`
        SELECT message_id, conversation, role, text FROM messages WHERE no IN (
          SELECT max(no) FROM messages
          WHERE conversation NOT IN (SELECT no FROM conversations WHERE deleted_at IS NOT NULL) AND set_aside = 0 AND no > (SELECT max(no) FROM messages) - ${mostSearched}
            AND text LIKE ${first} ESCAPE '\\' AND text LIKE ${second} ESCAPE '\\' AND text LIKE ${third} ESCAPE '\\'
            AND text LIKE ${fourth} ESCAPE '\\'
          GROUP BY conversation ORDER BY max(no) DESC LIMIT ${limit})
        ORDER BY no DESC`
    },
  }
}

/** The message as the contract defines it. */
export function toMessage(record: MessageRecord, ids: { conversation_id: string; agent_id: string; run_id: string | null }): Message {
  const { message_id, role, author, parent_message_id, text, attachments, created_at } = record
  return {
    message_id,
    ...ids,
    role,
    ...(author === null ? {} : { author }),
    ...(parent_message_id === null ? {} : { parent_message_id }),
    text,
    attachments,
    created_at: timestamp(created_at),
  }
}
