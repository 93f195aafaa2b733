// Conversations: a projection of the journal, stored for lists.
import type { BranchPoint } from '@tandem/contract/run'
import { timestamp } from '../clock/clock.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { Store } from '../store/store.ts'

/** The title of a conversation without one. */
export const untitled = 'New conversation'

export interface ConversationRecord {
  readonly no: number
  readonly conversation_id: string
  readonly agent_id: string
  readonly title: string
  readonly workspace: string
  readonly hidden: boolean
  /** Where it parts from another conversation; null if it is not a branch. */
  readonly branch: BranchPoint | null
  readonly created_at: number
  readonly updated_at: number
}

export interface NewConversation {
  readonly agent_id: string
  readonly title: string
  /** The real path of the folder its runs work in. */
  readonly workspace: string
  readonly branch?: BranchPoint
  /** Starting a branch with the same key again starts nothing. */
  readonly branch_key?: string
}

export interface ConversationQuery {
  readonly agent_id?: string
  readonly hidden?: boolean
  /** Only conversations that changed before this one; for paging. */
  readonly before?: { readonly updated_at: number; readonly no: number }
  readonly limit: number
}

export interface Conversations {
  create(conversation: NewConversation): ConversationRecord
  get(conversation_id: string): ConversationRecord | undefined
  branchedBy(branch_key: string): ConversationRecord | undefined
  /** Last changed first. */
  list(query: ConversationQuery): readonly ConversationRecord[]
  at(no: number): ConversationRecord | undefined
  /** Those whose title contains all the words, including hidden ones. */
  titled(words: readonly string[], limit: number): readonly ConversationRecord[]
  rename(conversation_id: string, title: string): void
  hide(conversation_id: string, hidden: boolean): void
  /** Sets the folder it works in from now on. */
  settle(conversation_id: string, workspace: string): void
  touch(no: number): void
}

type ConversationRow = Omit<ConversationRecord, 'hidden' | 'branch'> & {
  readonly hidden: number
  readonly branch: string | null
  readonly branch_key: string | null
}

export function openConversations(store: Store, lifecycle: Pick<Lifecycle, 'record'>): Conversations {
  const { sql, clock, newId } = store

  function get(conversation_id: string): ConversationRecord | undefined {
    const row = sql.get<ConversationRow>`SELECT * FROM conversations WHERE conversation_id = ${conversation_id}`
    return row && toRecord(row)
  }
  return {
    get,
    branchedBy(branch_key) {
      const row = sql.get<ConversationRow>`SELECT * FROM conversations WHERE branch_key = ${branch_key}`
      return row && toRecord(row)
    },
    create({ agent_id, title, workspace, branch = null, branch_key = null }) {
      const conversation_id = newId()
      const now = clock.now()
      return store.transaction(() => {
        const { lastInsertRowid } = sql.run`
          INSERT INTO conversations (conversation_id, agent_id, title, workspace, branch, branch_key, created_at, updated_at)
          VALUES (${conversation_id}, ${agent_id}, ${title}, ${workspace}, ${branch && JSON.stringify(branch)}, ${branch_key}, ${now}, ${now})`
        const data = { conversation_id, agent_id, cause: 'created' as const }
        lifecycle.record({ event: 'conversation_created', event_id: conversation_id, data })
        const times = { created_at: now, updated_at: now }
        return { no: Number(lastInsertRowid), conversation_id, agent_id, title, workspace, hidden: false, branch, ...times }
      })
    },
    list({ agent_id = null, hidden = false, before, limit }) {
      const rows = sql.all<ConversationRow>`
        SELECT * FROM conversations
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND hidden = ${hidden ? 1 : 0}
          AND (${before?.no ?? null} IS NULL OR (updated_at, no) < (${before?.updated_at ?? null}, ${before?.no ?? null}))
        ORDER BY updated_at DESC, no DESC LIMIT ${limit}`
      return rows.map(toRecord)
    },
    at(no) {
      const row = sql.get<ConversationRow>`SELECT * FROM conversations WHERE no = ${no}`
      return row && toRecord(row)
    },
    titled(words, limit) {
      const [first, second, third, fourth] = likePatterns(words)
      const rows = sql.all<ConversationRow>`
        SELECT * FROM conversations
        WHERE title LIKE ${first} ESCAPE '\\' AND title LIKE ${second} ESCAPE '\\' AND title LIKE ${third} ESCAPE '\\'
          AND title LIKE ${fourth} ESCAPE '\\'
        ORDER BY updated_at DESC, no DESC LIMIT ${limit}`
      return rows.map(toRecord)
    },
    rename(conversation_id, title) {
      sql.run`UPDATE conversations SET title = ${title}, updated_at = ${clock.now()} WHERE conversation_id = ${conversation_id}`
    },
    hide(conversation_id, hidden) {
      sql.run`UPDATE conversations SET hidden = ${hidden ? 1 : 0}, updated_at = ${clock.now()} WHERE conversation_id = ${conversation_id}`
    },
    settle(conversation_id, workspace) {
      sql.run`UPDATE conversations SET workspace = ${workspace} WHERE conversation_id = ${conversation_id}`
    },
    touch(no) {
      sql.run`UPDATE conversations SET updated_at = ${clock.now()} WHERE no = ${no}`
    },
  }
}

/** As LIKE patterns, with its special characters escaped. From the fourth word on, the words are searched as one phrase. */
export function likePatterns(words: readonly string[]): readonly [string, string, string, string] {
  const pattern = (text: string) => (text === '' ? '%' : `%${text.replace(/[\\%_]/g, '\\$&')}%`)
  const [first = '', second = '', third = '', ...rest] = words
  return [pattern(first), pattern(second), pattern(third), pattern(rest.join(' '))]
}

function toRecord({ branch_key: _key, ...row }: ConversationRow): ConversationRecord {
  return { ...row, hidden: row.hidden === 1, branch: row.branch === null ? null : JSON.parse(row.branch) }
}

/** The conversation as the contract defines it. */
export function toConversation({ no: _no, branch, created_at, updated_at, ...conversation }: ConversationRecord) {
  return { ...conversation, ...(branch ? { branch } : {}), created_at: timestamp(created_at), updated_at: timestamp(updated_at) }
}
