// The records of merges: written before a folder is changed, so that an interrupted merge can be undone.
import type { Store } from '../../store/store.ts'
import type { TreeEntry } from './merge-trees.ts'

export interface JournaledOperation {
  readonly path: string
  /** The folder of its temporary files: it exists before, during and after the merge. */
  readonly stage: string
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
  readonly authors: readonly string[]
}

export interface MergeJournal {
  /** The number of an operation is part of the names of its temporary files. */
  readonly operations: readonly JournaledOperation[]
  /** Folders that it creates, outermost first, with their permissions. */
  readonly made: readonly (readonly [string, number])[]
  /** Folders that it removes if they are empty in the end, innermost first, with their permissions. */
  readonly emptied: readonly (readonly [string, number])[]
}

export type MergeState = 'staging' | 'applying' | 'applied' | 'done' | 'undone' | 'stuck'

export interface MergeRecord {
  readonly merge_id: string
  readonly run_id: string
  readonly call_id: string
  readonly workspace: string
  readonly state: MergeState
  readonly journal: MergeJournal
}

export interface MergeRecords {
  add(merge: Omit<MergeRecord, 'state'>, at: number): void
  setState(merge_id: string, state: MergeState): void
  /** Those that a start must finish or undo, oldest first. */
  open(): readonly MergeRecord[]
  /** Who made a path what it is now, if a merge did. */
  authorOf(workspace: string, path: string, now: TreeEntry | null): string | null
  removeOld(before: number): void
}

interface MergeRow extends Omit<MergeRecord, 'journal'> {
  readonly operations: string
}

/** Older merges than this are not searched for the author of a path. */
const mostSearched = 50

export function mergeRecords({ sql }: Pick<Store, 'sql'>): MergeRecords {
  return {
    add({ merge_id, run_id, call_id, workspace, journal }, at) {
      sql.run`INSERT INTO workspace_merges (merge_id, run_id, call_id, workspace, state, operations, created_at)
        VALUES (${merge_id}, ${run_id}, ${call_id}, ${workspace}, 'staging', ${JSON.stringify(journal)}, ${at})`
    },
    setState(merge_id, state) {
      sql.run`UPDATE workspace_merges SET state = ${state} WHERE merge_id = ${merge_id}`
    },
    open: () =>
      sql.all<MergeRow>`SELECT * FROM workspace_merges WHERE state IN ('staging', 'applying', 'applied', 'stuck') ORDER BY created_at, merge_id`.map(
        toRecord,
      ),
    authorOf(workspace, path, now) {
      const rows = sql.all<MergeRow>`SELECT * FROM workspace_merges WHERE workspace = ${workspace} AND state IN ('applied', 'done')
        ORDER BY created_at DESC, merge_id DESC LIMIT ${mostSearched}`
      for (const { journal } of rows.map(toRecord)) {
        const operation = journal.operations.find((one) => one.path === path)
        if (operation) return isSame(operation.after, now) ? (operation.authors.at(-1) ?? null) : null
      }
      return null
    },
    removeOld(before) {
      sql.run`DELETE FROM workspace_merges WHERE created_at < ${before} AND state IN ('done', 'undone')`
    },
  }
}

function toRecord({ merge_id, run_id, call_id, workspace, state, operations }: MergeRow): MergeRecord {
  return { merge_id, run_id, call_id, workspace, state, journal: JSON.parse(operations) as MergeJournal }
}

function isSame(left: TreeEntry | null, right: TreeEntry | null): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
