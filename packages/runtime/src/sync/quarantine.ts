// Changes that the cloud rejected. They block nothing, are kept unchanged, and have a reason.
import type { Change, EntityType, RejectionCode } from '@tandem/contract/sync'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'

/** `deleted_elsewhere`: it was changed here after another device had deleted it, longer ago than tombstones are kept. */
export type QuarantineCode = RejectionCode | 'deleted_elsewhere'

export interface Quarantined {
  readonly no: number
  readonly entity_type: EntityType
  readonly entity_id: string
  readonly code: QuarantineCode
  readonly message: string
  readonly change: Change
  readonly quarantined_at: string
}

export interface Quarantine {
  count(): number
  list(page?: { readonly after?: number; readonly limit?: number }): readonly Quarantined[]
  get(no: number): Quarantined | undefined
  add(change: Change, code: QuarantineCode, message: string): void
  /** The cloud has accepted the entity after all. */
  release(type: EntityType, entity_id: string): void
  remove(no: number): void
}

interface QuarantineRow {
  readonly no: number
  readonly entity_type: EntityType
  readonly entity_id: string
  readonly code: QuarantineCode
  readonly message: string
  readonly change: string
  readonly quarantined_at: number
}

export function openQuarantine({ sql, clock }: Pick<Store, 'sql' | 'clock'>): Quarantine {
  return {
    count: () => Number(sql.get`SELECT count(*) AS count FROM sync_quarantine`?.count),
    list({ after = 0, limit = 200 } = {}) {
      return sql.all<QuarantineRow>`SELECT * FROM sync_quarantine WHERE no > ${after} ORDER BY no LIMIT ${limit}`.map(toQuarantined)
    },
    get(no) {
      const row = sql.get<QuarantineRow>`SELECT * FROM sync_quarantine WHERE no = ${no}`
      return row && toQuarantined(row)
    },
    add(change, code, message) {
      sql.run`
        INSERT OR REPLACE INTO sync_quarantine (entity_type, entity_id, code, message, change, quarantined_at)
        VALUES (${change.entity_type}, ${change.entity_id}, ${code}, ${message}, ${JSON.stringify(change)}, ${clock.now()})`
    },
    release(type, entity_id) {
      sql.run`DELETE FROM sync_quarantine WHERE entity_type = ${type} AND entity_id = ${entity_id}`
    },
    remove(no) {
      sql.run`DELETE FROM sync_quarantine WHERE no = ${no}`
    },
  }
}

function toQuarantined(row: QuarantineRow): Quarantined {
  return { ...row, change: JSON.parse(row.change), quarantined_at: timestamp(row.quarantined_at) }
}
