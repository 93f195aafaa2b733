// The server's epoch: it changes when the database is not the one it was, so that devices send everything again.
import type { Sql } from 'postgres'
import { errorCode } from './unavailable.ts'

/** The stored UUID with PostgreSQL's system identifier and timeline; the UUID alone where those can't be read. */
export async function readEpoch(owner: Sql): Promise<string> {
  const [stored] = await owner<{ epoch: string }[]>`select epoch from tandem.server_epoch`
  if (!stored) throw new Error('tandem.server_epoch has no row; run the migrations')
  const control = await readControl(owner)
  return control ? `${stored.epoch}.${control.system}.${control.timeline}` : stored.epoch
}

/** Ends a restore by hand: the runbook's last step where the control data can't be read. */
export async function renewEpoch(owner: Sql): Promise<string> {
  await owner`update tandem.server_epoch set epoch = gen_random_uuid(), renewed_at = now()`
  return readEpoch(owner)
}

async function readControl(owner: Sql): Promise<{ system: string; timeline: number } | undefined> {
  try {
    const [control] = await owner<{ system: string; timeline: number }[]>`
      select s.system_identifier::text as system, c.timeline_id as timeline from pg_control_system() s, pg_control_checkpoint() c`
    return control
  } catch (error) {
    // Managed platforms forbid these functions, and others that only speak PostgreSQL's protocol lack them.
    if (['42501', '42883', '0A000'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}
