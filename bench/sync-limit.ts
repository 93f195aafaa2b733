// The limit of the sync benchmark: the same rows written to and read from the same table and indexes, directly in PostgreSQL.
import { hash, randomUUID } from 'node:crypto'
import { type Change, contentText } from '@tandem/contract/sync'
import type postgres from 'postgres'

export interface LimitBatch {
  readonly ids: string
  readonly hashes: string
  readonly records: string
}

export function limitBatch(changes: readonly Change[]): LimitBatch {
  const joined = (of: (change: Change) => string) => changes.map(of).join('\u001e')
  return {
    ids: joined(({ entity_id }) => entity_id),
    hashes: joined(({ op, payload }) => hash('sha256', contentText(op, payload))),
    records: joined((change) => JSON.stringify(change)),
  }
}

/** Each list of batches on its own connection, one transaction per batch. */
export async function insertAll(sql: postgres.Sql, lists: readonly (readonly LimitBatch[])[]): Promise<void> {
  await Promise.all(
    lists.map(async (batches) => {
      const connection = await sql.reserve()
      const user = randomUUID()
      for (const [stamp, { ids, hashes, records }] of batches.entries()) {
        await connection`
          insert into tandem.sync_entities
            (user_id, stamp, version, ord, merged, op, entity_type, entity_id, updated_at, device_id, content_hash, record)
          select ${user}, ${stamp + 1}, 1, ord, false, 'upsert', 'messages', id, '2026-01-01T00:00:00.000Z', 'bench', hash, record
          from unnest(string_to_array(${ids}, chr(30)), string_to_array(${hashes}, chr(30)), string_to_array(${records}, chr(30)))
            with ordinality as sent (id, hash, record, ord)`
      }
      connection.release()
    }),
  )
}
