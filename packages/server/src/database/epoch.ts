// The server's epoch: it changes when the database is no longer the one it was, so that devices send everything again.
//
// One row decides for all nodes. It holds the epoch and the place in PostgreSQL's history at which it was chosen. Pushes and pulls read it in
// their own transaction (sync/); this file renews it when PostgreSQL is at another place than the row says.
import type { Sql } from 'postgres'
import { errorCode } from './unavailable.ts'

/** Where PostgreSQL is in its history. Null where it does not let us read it. */
interface HistoryPlace {
  readonly system: string | null
  readonly timeline: number | null
}

export interface SettledEpoch {
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
 * Renews the epoch if PostgreSQL was promoted or restored since it was chosen. Each attempt is one statement, so that the place and the row
 * are those of one connection, and of two nodes that find the same change only one renews.
 */
export async function settleEpoch(owner: Sql): Promise<SettledEpoch> {
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
      // Managed platforms forbid these functions, and others that only speak PostgreSQL's protocol lack them.
      if (!['42501', '42883', '0A000'].includes(errorCode(error) ?? '')) throw error
    }
  }
  return { epoch: await readEpoch(owner), renewed: false }
}

/** Ends a restore by hand: the last step of the runbook where PostgreSQL's history does not show the restore. */
export async function renewEpoch(owner: Sql): Promise<string> {
  await settleEpoch(owner)
  await owner`update tandem.server_epoch set epoch = gen_random_uuid(), renewed_at = now()`
  return readEpoch(owner)
}

// The timeline comes from the position that is being written. `pg_control_checkpoint()` reports the old one until the first checkpoint
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
