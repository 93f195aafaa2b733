// The records of the copies. A copy has one when it is complete, until it is deleted.
import type { CopyState } from '@tandem/contract/team'
import type { Store } from '../../store/store.ts'

export interface CopyRecord {
  readonly run_id: string
  readonly title: string
  readonly source: string
  readonly state: CopyState
  readonly files: number
  readonly bytes: number
  readonly created_at: number
  readonly merged_at: number | null
}

export interface CopyRecords {
  add(copy: Omit<CopyRecord, 'state' | 'merged_at'>): void
  get(run_id: string): CopyRecord | undefined
  /** Oldest first. */
  list(): readonly CopyRecord[]
  setState(run_id: string, state: Exclude<CopyState, 'merged'>): void
  setSize(run_id: string, files: number, bytes: number): void
  setMerged(run_id: string, at: number): void
  remove(run_id: string): void
  /** Whether its run is on this device; otherwise it was erased with its conversation. */
  hasRun(run_id: string): boolean
  usedBytes(): number
}

export function copyRecords({ sql }: Pick<Store, 'sql'>): CopyRecords {
  return {
    add({ run_id, title, source, files, bytes, created_at }) {
      sql.run`INSERT INTO workspace_copies (run_id, title, source, state, files, bytes, created_at)
        VALUES (${run_id}, ${title}, ${source}, 'in_use', ${files}, ${bytes}, ${created_at})`
    },
    get: (run_id) => sql.get<CopyRecord>`SELECT * FROM workspace_copies WHERE run_id = ${run_id}`,
    list: () => sql.all<CopyRecord>`SELECT * FROM workspace_copies ORDER BY created_at, run_id`,
    setState(run_id, state) {
      sql.run`UPDATE workspace_copies SET state = ${state}, merged_at = NULL WHERE run_id = ${run_id}`
    },
    setSize(run_id, files, bytes) {
      sql.run`UPDATE workspace_copies SET files = ${files}, bytes = ${bytes} WHERE run_id = ${run_id}`
    },
    setMerged(run_id, at) {
      sql.run`UPDATE workspace_copies SET state = 'merged', merged_at = ${at} WHERE run_id = ${run_id}`
    },
    remove(run_id) {
      sql.run`DELETE FROM workspace_copies WHERE run_id = ${run_id}`
    },
    hasRun: (run_id) => sql.get`SELECT 1 FROM runs WHERE run_id = ${run_id}` !== undefined,
    usedBytes: () => Number(sql.get`SELECT coalesce(sum(bytes), 0) AS bytes FROM workspace_copies`?.bytes ?? 0),
  }
}
