// Conversations: a projection of the journal, stored for lists.
import type { ConversationStarter } from '@tandem/contract/command'
import type { ImportSource } from '@tandem/contract/import'
import type { BranchPoint } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import { timestamp } from '../clock/clock.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { Store } from '../store/store.ts'

/** The title of a conversation without one. */
export const untitled = 'New conversation'

/** How long a deleted conversation can be restored on each device: long enough to notice a mistake the next day. */
export const restorable_ms = 24 * 60 * 60 * 1_000

/** What the user chose for the runs of a conversation on this device; null for what its agent or the device uses. */
export interface RunOptions {
  readonly model: string | null
  readonly sandbox_mode: SandboxMode | null
}

export interface ConversationRecord extends RunOptions {
  readonly no: number
  readonly conversation_id: string
  readonly agent_id: string
  readonly title: string
  readonly workspace: string
  readonly hidden: boolean
  readonly pinned: boolean
  /** When it was deleted; null unless it is. */
  readonly deleted_at: number | null
  /** When this device may erase it; null unless it is deleted. */
  readonly erase_at: number | null
  /** Where it parts from another conversation; null if it is not a branch. */
  readonly branch: BranchPoint | null
  /** The assistant that it was imported from. */
  readonly imported_from: ImportSource | null
  /** What started it, if no person did. Only lists know it, of those that are hidden. */
  readonly started_by?: ConversationStarter
  readonly created_at: number
  readonly updated_at: number
}

export interface NewConversation extends Partial<RunOptions> {
  readonly agent_id: string
  readonly title: string
  /** The real path of the folder its runs work in. */
  readonly workspace: string
  readonly branch?: BranchPoint
  /** Starting a branch with the same key again starts nothing. */
  readonly branch_key?: string
  readonly imported_from?: ImportSource
}

export interface ConversationQuery {
  readonly agent_id?: string
  /** Those that a person archived: without those that a program started for itself, and without those that are empty. */
  readonly hidden?: boolean
  /** Only those that are deleted, archived or not. */
  readonly deleted?: boolean
  readonly pinned?: boolean
  /** Only these, and all that branch from the same ones, hidden or not. */
  readonly families_of?: readonly string[]
  /** Only conversations that changed before this one; for paging. */
  readonly before?: { readonly updated_at: number; readonly no: number }
  readonly limit: number
}

export interface Conversations {
  create(conversation: NewConversation): ConversationRecord
  get(conversation_id: string): ConversationRecord | undefined
  /** Whether this device has erased it, or has begun to. */
  wasErased(conversation_id: string): boolean
  branchedBy(branch_key: string): ConversationRecord | undefined
  /** Those that part from it. */
  branchesOf(conversation_id: string): readonly string[]
  /** Last changed first. */
  list(query: ConversationQuery): readonly ConversationRecord[]
  at(no: number): ConversationRecord | undefined
  /** Those whose title contains all the words, including hidden ones, without those that are deleted. */
  titled(words: readonly string[], limit: number): readonly ConversationRecord[]
  rename(conversation_id: string, title: string): void
  hide(conversation_id: string, hidden: boolean): void
  pin(conversation_id: string, pinned: boolean): void
  setRunOptions(conversation_id: string, options: RunOptions): void
  /** Nothing of it is shown any more; it is erased later. Null restores it. */
  remove(conversation_id: string, times: { readonly deleted_at: number; readonly erase_at: number } | null): void
  /** The folder is now at another path: for the conversation and for its runs that worked in it. */
  settle(conversation_id: string, to: string, from?: string): void
  /** Another folder, from the next run on: earlier runs and their recovery points keep theirs. */
  moveTo(conversation_id: string, workspace: string): void
  /** The folders of the conversations of this device, last used first. */
  folders(limit: number): readonly UsedFolder[]
  touch(no: number): void
}

export interface UsedFolder {
  readonly path: string
  readonly used_at: number
  readonly conversations: number
  /** A conversation that was not imported works there. */
  readonly is_chosen: boolean
}

type ConversationRow = Omit<ConversationRecord, 'hidden' | 'pinned' | 'branch' | 'started_by'> & {
  readonly hidden: number
  readonly pinned: number
  readonly branch: string | null
  readonly branch_key: string | null
  readonly started_by?: ConversationStarter | null
}

export function openConversations(store: Store, lifecycle: Pick<Lifecycle, 'record'>): Conversations {
  const { sql, clock, newId } = store

  function get(conversation_id: string): ConversationRecord | undefined {
    const row = sql.get<ConversationRow>`SELECT * FROM conversations WHERE conversation_id = ${conversation_id}`
    return row && toRecord(row)
  }

  /** Branches lead in both directions. */
  function branchFamilies(conversation_ids: readonly string[]): readonly string[] {
    const rows = sql.all<{ id: string }>`
      WITH RECURSIVE branches AS MATERIALIZED (
        SELECT conversation_id AS id, branch ->> 'conversation_id' AS of FROM conversations WHERE branch IS NOT NULL),
      family (id) AS (
        SELECT value FROM json_each(${JSON.stringify(conversation_ids)})
        UNION SELECT b.of FROM branches b JOIN family f ON b.id = f.id
        UNION SELECT b.id FROM branches b JOIN family f ON b.of = f.id)
      SELECT id FROM family`
    return rows.map(({ id }) => id)
  }

  return {
    get,
    wasErased: (conversation_id) => sql.get`SELECT 1 FROM erased_conversations WHERE conversation_id = ${conversation_id}` !== undefined,
    branchedBy(branch_key) {
      const row = sql.get<ConversationRow>`SELECT * FROM conversations WHERE branch_key = ${branch_key}`
      return row && toRecord(row)
    },
    branchesOf: (conversation_id) =>
      sql.all<{ conversation_id: string }>`
        SELECT conversation_id FROM conversations WHERE branch ->> 'conversation_id' = ${conversation_id} ORDER BY no`.map(
        (one) => one.conversation_id,
      ),
    create({ agent_id, title, workspace, branch = null, branch_key = null, imported_from = null, model = null, sandbox_mode = null }) {
      const conversation_id = newId()
      const now = clock.now()
      return store.transaction(() => {
        const { lastInsertRowid } = sql.run`
          INSERT INTO conversations (conversation_id, agent_id, title, workspace, branch, branch_key, imported_from, model, sandbox_mode,
            created_at, updated_at)
          VALUES (${conversation_id}, ${agent_id}, ${title}, ${workspace}, ${branch && JSON.stringify(branch)}, ${branch_key}, ${imported_from},
            ${model}, ${sandbox_mode}, ${now}, ${now})`
        const data = { conversation_id, agent_id, cause: 'created' as const }
        lifecycle.record({ event: 'conversation_created', event_id: conversation_id, data })
        const times = { created_at: now, updated_at: now }
        const flags = { hidden: false, pinned: false, deleted_at: null, erase_at: null }
        const options = { model, sandbox_mode }
        return {
          no: Number(lastInsertRowid),
          conversation_id,
          agent_id,
          title,
          workspace,
          ...flags,
          branch,
          imported_from,
          ...options,
          ...times,
        }
      })
    },
    list({ agent_id = null, hidden = false, deleted = false, pinned = null, families_of = null, before, limit }) {
      const family = families_of && JSON.stringify(branchFamilies(families_of))
      const isArchive = hidden && !deleted && family === null
      // Journals tell it, because other devices have nothing else: who started a run, which run carries a workflow, who wrote its message.
      const rows = sql.all<ConversationRow>`
        SELECT * FROM (
          SELECT c.*, CASE
            WHEN hidden = 0 THEN NULL
            WHEN EXISTS (
              SELECT 1 FROM runs r JOIN agent_run_steps s ON s.run = r.no AND s.seq = 0
              WHERE r.conversation = c.no AND s.body ->> 'parent_run_id' IS NOT NULL) THEN 'run'
            WHEN EXISTS (
              SELECT 1 FROM runs r WHERE r.conversation = c.no AND (r.workflow_run_id IS NOT NULL OR r.model = 'none' AND EXISTS (
                SELECT 1 FROM agent_run_steps s WHERE s.run = r.no AND s.kind = 'workflow.status')))
              OR EXISTS (SELECT 1 FROM messages m WHERE m.conversation = c.no AND m.author = 'workflow') THEN 'workflow'
            END AS started_by
          FROM conversations c
          WHERE (${agent_id} IS NULL OR agent_id = ${agent_id})
            AND (hidden = ${hidden ? 1 : 0} OR ${deleted || family !== null ? 1 : 0})
            AND (deleted_at IS NOT NULL) = ${deleted ? 1 : 0}
            AND (${pinned === null ? null : 1} IS NULL OR pinned = ${pinned ? 1 : 0})
            AND (${family} IS NULL OR conversation_id IN (SELECT value FROM json_each(${family})))
            AND (${before?.no ?? null} IS NULL OR (updated_at, no) < (${before?.updated_at ?? null}, ${before?.no ?? null}))
        ) listed
        WHERE ${isArchive ? 0 : 1} OR started_by IS NULL AND (
          EXISTS (SELECT 1 FROM runs WHERE conversation = listed.no) OR EXISTS (SELECT 1 FROM messages WHERE conversation = listed.no))
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
          AND title LIKE ${fourth} ESCAPE '\\' AND deleted_at IS NULL
        ORDER BY updated_at DESC, no DESC LIMIT ${limit}`
      return rows.map(toRecord)
    },
    rename(conversation_id, title) {
      sql.run`UPDATE conversations SET title = ${title}, updated_at = ${clock.now()} WHERE conversation_id = ${conversation_id}`
    },
    hide(conversation_id, hidden) {
      sql.run`UPDATE conversations SET hidden = ${hidden ? 1 : 0}, updated_at = ${clock.now()} WHERE conversation_id = ${conversation_id}`
    },
    pin(conversation_id, pinned) {
      sql.run`UPDATE conversations SET pinned = ${pinned ? 1 : 0} WHERE conversation_id = ${conversation_id}`
    },
    setRunOptions(conversation_id, { model, sandbox_mode }) {
      sql.run`UPDATE conversations SET model = ${model}, sandbox_mode = ${sandbox_mode} WHERE conversation_id = ${conversation_id}`
    },
    remove(conversation_id, times) {
      const { deleted_at, erase_at } = times ?? { deleted_at: null, erase_at: null }
      sql.run`UPDATE conversations SET deleted_at = ${deleted_at}, erase_at = ${erase_at} WHERE conversation_id = ${conversation_id}`
    },
    settle(conversation_id, to, from = get(conversation_id)?.workspace ?? '') {
      store.transaction(() => {
        sql.run`UPDATE runs SET own_workspace = ${to} WHERE own_workspace = ${from}
          AND conversation = (SELECT no FROM conversations WHERE conversation_id = ${conversation_id})`
        sql.run`UPDATE conversations SET workspace = ${to} WHERE conversation_id = ${conversation_id} AND workspace = ${from}`
      })
    },
    moveTo(conversation_id, workspace) {
      store.transaction(() => {
        sql.run`UPDATE runs SET own_workspace = c.workspace FROM conversations c
          WHERE c.no = runs.conversation AND c.conversation_id = ${conversation_id} AND runs.own_workspace IS NULL`
        sql.run`UPDATE conversations SET workspace = ${workspace}, updated_at = ${clock.now()} WHERE conversation_id = ${conversation_id}`
      })
    },
    folders(limit) {
      const rows = sql.all<Omit<UsedFolder, 'is_chosen'> & { readonly chosen: number }>`
        SELECT workspace AS path, max(updated_at) AS used_at, count(*) AS conversations, max(imported_from IS NULL) AS chosen
        FROM conversations WHERE workspace <> '' AND deleted_at IS NULL
        GROUP BY workspace ORDER BY used_at DESC, path LIMIT ${limit}`
      return rows.map(({ chosen, ...folder }) => ({ ...folder, is_chosen: chosen === 1 }))
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

function toRecord({ branch_key: _key, started_by, ...row }: ConversationRow): ConversationRecord {
  const flags = { hidden: row.hidden === 1, pinned: row.pinned === 1 }
  return { ...row, ...flags, branch: row.branch === null ? null : JSON.parse(row.branch), ...(started_by ? { started_by } : {}) }
}

/** The conversation as the contract defines it. */
export function toConversation({
  no: _no,
  branch,
  imported_from,
  model,
  sandbox_mode,
  deleted_at,
  erase_at,
  created_at,
  updated_at,
  ...conversation
}: ConversationRecord) {
  const times = deleted_at === null || erase_at === null ? null : { deleted_at: timestamp(deleted_at), erased_from: timestamp(erase_at) }
  return {
    ...conversation,
    ...(times ? { deletion: times } : {}),
    ...(branch ? { branch } : {}),
    ...(imported_from ? { imported_from } : {}),
    ...(model === null ? {} : { model }),
    ...(sandbox_mode === null ? {} : { sandbox_mode }),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  }
}
