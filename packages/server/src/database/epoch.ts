// The server's epoch: it changes when the database has another history, so that devices push everything again.
//
// One row is shared by all nodes: the epoch, and the position in PostgreSQL's history at which it was chosen. Pushes and pulls read it
// in their own transaction (sync/); this file renews it if PostgreSQL is at a position that does not match the row.
import type { Sql } from 'postgres'
import { errorCode } from './unavailable.ts'

/** The position of PostgreSQL in its history. Null if we may not read it. */
interface HistoryPlace {
  readonly system: string | null
  readonly timeline: number | null
}

export interface EpochUpdate {
  readonly epoch: string
  /** The row was of another history. */
  readonly renewed: boolean
}

/** The epoch as devices see it. */
export async function readEpoch(owner: Sql): Promise<string> {
  const [stored] = await owner<{ label: string }[]>`select label from tandem.server_epoch where only_row`
  if (!stored) throw new Error('tandem.server_epoch has no row; run the migrations')
  return stored.label
}

/**
 * Renews the epoch if PostgreSQL was promoted or restored since it was chosen. Each attempt is one statement, so that position and row
 * are from one connection, and of two nodes that detect the same change only one renews.
 */
export async function updateEpoch(owner: Sql): Promise<EpochUpdate> {
  for (const read of [readWholePlace, readTimeline]) {
    try {
      const place = read(owner)
      const [changed] = await owner<{ label: string; renewed: boolean }[]>`
        with here as (${place}), stored as (
          select coalesce(s.system_identifier <> here.system, false) or coalesce(s.timeline <> here.timeline, false) as moved
          from tandem.server_epoch s, here where s.only_row
        )
        update tandem.server_epoch s set
          epoch = case when moved then gen_random_uuid() else s.epoch end,
          renewed_at = case when moved then now() else s.renewed_at end,
          system_identifier = coalesce(here.system, s.system_identifier),
          timeline = coalesce(here.timeline, s.timeline)
        from here, stored
        where s.only_row and (s.system_identifier is distinct from coalesce(here.system, s.system_identifier)
          or s.timeline is distinct from coalesce(here.timeline, s.timeline))
        returning s.label, moved as renewed`
      return changed ? { epoch: changed.label, renewed: changed.renewed } : { epoch: await readEpoch(owner), renewed: false }
    } catch (error) {
      // Managed platforms forbid these functions, and databases that only implement PostgreSQL's protocol lack them.
      if (!['42501', '42883', '0A000'].includes(errorCode(error) ?? '')) throw error
    }
  }
  return { epoch: await readEpoch(owner), renewed: false }
}

/** Completes a manual restore: the last step of the runbook if PostgreSQL's history does not show the restore. */
export async function renewEpoch(owner: Sql): Promise<string> {
  await updateEpoch(owner)
  await owner`update tandem.server_epoch set epoch = gen_random_uuid(), renewed_at = now()`
  return readEpoch(owner)
}

// The timeline is that of the current write position. `pg_control_checkpoint()` reports the old one until the first checkpoint
// after a promotion, which may be minutes later.
function readTimeline(owner: Sql) {
  return owner<HistoryPlace[]>`
    select null::text as system, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline`
}

function readWholePlace(owner: Sql) {
  return owner<HistoryPlace[]>`
    select system_identifier::text as system, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
    from pg_control_system()`
}
