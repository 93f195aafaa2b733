// The records of kept changes.
import { randomBytes } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import type { KeptRecord } from './kept-changes.ts'

export interface KeptChangesRow {
  readonly checkpoint_id: string
  readonly run_id: string | null
  readonly cause: 'deleted' | 'unprotected'
  readonly by_command: 0 | 1
  readonly workspace: string | null
  readonly parent_checkpoint_id: string | null
  readonly restored_checkpoint_id: string | null
  readonly settled: 'yes' | 'late' | 'no'
  readonly taken_scan: number
  readonly returned_scan: number | null
  readonly settled_scan: number | null
  readonly created_at: number
  readonly changes: Uint8Array | null
}

export interface KeptChangesRecords {
  keep(row: KeptChangesRow): void
  /** Of these runs from a scan on, in order of time. */
  keptOf(run_ids: readonly string[], from: number): KeptChangesRow[]
  /** Of a run before a scan, if something was still running then. */
  keptRunningAt(run_id: string, scan: number): KeptChangesRow[]
  /** Of other runs, at some time between two scans. */
  keptBetween(run_ids: readonly string[], from: number, to: number): KeptChangesRow[]
  all(): readonly Omit<KeptChangesRow, 'changes'>[]
  drop(checkpoint_ids: readonly string[]): void
  /** A call without a recovery point begins. */
  begin(call: Pick<KeptChangesRow, 'checkpoint_id' | 'run_id' | 'by_command' | 'workspace' | 'changes'>): void
  /** These calls have ended; by default, all that have not: their process has. */
  end(checkpoint_ids?: readonly string[]): void
  /** What turns a path into the hash that is kept of it. */
  key(): string
}

export function keptChangesRecords({ sql, transaction, clock }: Store, nextScan: () => number): KeptChangesRecords {
  function keep(row: KeptChangesRow): void {
    sql.run`INSERT OR REPLACE INTO runtime_kept_changes (checkpoint_id, run_id, cause, by_command, workspace, parent_checkpoint_id,
        restored_checkpoint_id, settled, taken_scan, returned_scan, settled_scan, created_at, changes)
      VALUES (${row.checkpoint_id}, ${row.run_id}, ${row.cause}, ${row.by_command}, ${row.workspace}, ${row.parent_checkpoint_id},
        ${row.restored_checkpoint_id}, ${row.settled}, ${row.taken_scan}, ${row.returned_scan}, ${row.settled_scan}, ${row.created_at},
        ${row.changes})`
  }

  return {
    keep,
    keptOf(run_ids, from) {
      return sql.all<KeptChangesRow>`SELECT * FROM runtime_kept_changes
        WHERE run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)})) AND taken_scan >= ${from} ORDER BY taken_scan`
    },
    keptRunningAt(run_id, scan) {
      return sql.all<KeptChangesRow>`SELECT * FROM runtime_kept_changes WHERE run_id = ${run_id} AND taken_scan < ${scan}
        AND (settled_scan IS NULL OR settled_scan > ${scan}) ORDER BY taken_scan`
    },
    keptBetween(run_ids, from, to) {
      // SQLite has no integer Infinity.
      const last = Math.min(to, Number.MAX_SAFE_INTEGER)
      return sql.all<KeptChangesRow>`SELECT * FROM runtime_kept_changes
        WHERE (run_id IS NULL OR run_id NOT IN (SELECT value FROM json_each(${JSON.stringify(run_ids)}))) AND taken_scan < ${last}
        AND (settled_scan IS NULL OR settled_scan > ${from}) ORDER BY taken_scan`
    },
    all: () =>
      sql.all<
        Omit<KeptChangesRow, 'changes'>
      >`SELECT checkpoint_id, run_id, cause, by_command, workspace, parent_checkpoint_id, restored_checkpoint_id, settled,
        taken_scan, returned_scan, settled_scan, created_at FROM runtime_kept_changes ORDER BY taken_scan`,
    drop(checkpoint_ids) {
      sql.run`DELETE FROM runtime_kept_changes WHERE checkpoint_id IN (SELECT value FROM json_each(${JSON.stringify(checkpoint_ids)}))`
    },
    begin(call) {
      const none = { parent_checkpoint_id: null, restored_checkpoint_id: null, returned_scan: null, settled_scan: null }
      transaction(() => keep({ ...call, ...none, cause: 'unprotected', settled: 'no', taken_scan: nextScan(), created_at: clock.now() }))
    },
    end(checkpoint_ids) {
      transaction(() => {
        const open = sql.all<
          Pick<KeptChangesRow, 'checkpoint_id'>
        >`SELECT checkpoint_id FROM runtime_kept_changes WHERE settled_scan IS NULL`
        for (const { checkpoint_id } of open) {
          if (checkpoint_ids && !checkpoint_ids.includes(checkpoint_id)) continue
          sql.run`UPDATE runtime_kept_changes SET settled = 'yes', settled_scan = ${nextScan()} WHERE checkpoint_id = ${checkpoint_id}`
        }
      })
    },
    key() {
      return transaction(() => {
        sql.run`INSERT OR IGNORE INTO meta (name, value) VALUES ('kept_changes_key', ${randomBytes(32).toString('base64url')})`
        return String(sql.get<{ value: string }>`SELECT value FROM meta WHERE name = 'kept_changes_key'`?.value)
      })
    },
  }
}

export function toKeptRecord({ changes }: KeptChangesRow, records: Pick<KeptChangesRecords, 'key'>): KeptRecord {
  return { changes, key: records.key() }
}
