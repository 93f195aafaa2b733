// After deletions were missed: what the cloud had and no longer has was deleted on another device, and is deleted here too.
import type { Change } from '@tandem/contract/sync'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { RecordType } from '../store/synchronized.ts'
import type { Outbox } from './outbox.ts'
import type { Quarantine } from './quarantine.ts'

interface SweepRow {
  readonly entity_type: RecordType
  readonly entity_id: string
  readonly version: number
  readonly updated_at: number
  readonly source_ts: number
  readonly payload: string
}

/**
 * Returns what was deleted. Facts and `todos` are never deleted as a whole, so only other entities can be missing. A pending change to one
 * of them is quarantined, for the user to decide; what the cloud never had is new and stays. So do tombstones: a cloud that is restored
 * later needs them again.
 */
export function sweep({ sql }: Store, outbox: Outbox, quarantine: Quarantine): readonly SweepRow[] {
  const gone = sql.all<SweepRow>`
    SELECT * FROM records r WHERE shared = 1 AND deleted = 0 AND entity_type <> 'todos'
      AND NOT EXISTS (SELECT 1 FROM sync_brought b WHERE b.entity_type = r.entity_type AND b.entity_id = r.entity_id)`
  for (const row of gone) {
    const { entity_type, entity_id } = row
    if (outbox.waits(entity_type, entity_id)) {
      quarantine.add(toChange(row), 'deleted_elsewhere', 'another device deleted this while it was changed here')
    }
    outbox.drop(entity_type, entity_id)
    sql.run`DELETE FROM records WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
  }
  sql.run`DELETE FROM sync_brought`
  return gone
}

function toChange({ entity_type, entity_id, version, updated_at, source_ts, payload }: SweepRow): Change {
  return {
    entity_type,
    entity_id,
    op: 'upsert',
    version,
    updated_at: timestamp(updated_at),
    source_ts: timestamp(source_ts),
    payload: JSON.parse(payload),
  }
}
