// At start: a restore that was cut off is finished or taken back, calls whose end nobody saw are looked at, leftovers go.
import { type Dirent, readdirSync } from 'node:fs'
import { blobsOf, isPack } from './contents.ts'
import type { AppliedRestore } from './restoring.ts'
import type { Room } from './retain.ts'
import { isGone } from './stats.ts'

export interface RecoveredRestore {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
  readonly outcome: AppliedRestore['outcome']
}

/** Whether `recoverCheckpoints` would find anything to do. Asked at every start, so it looks at names only. */
export function needsRecovery({ records, store }: Pick<Room, 'records' | 'store'>): boolean {
  if (records.unsettled().length > 0) return true
  const named = new Set(records.packs())
  return filesIn(blobsOf(store.home)).some(
    (name) => name.endsWith('.journal') || name.endsWith('.tmp') || (isPack(name) && !named.has(name)),
  )
}

export async function recoverCheckpoints(room: Room): Promise<readonly RecoveredRestore[]> {
  const { engine, records } = room
  await engine.removeTemps()
  const recovered: RecoveredRestore[] = []
  for (const journal of await engine.journals()) {
    const one = await finish(room, journal)
    if (one) recovered.push(one)
  }
  const held = new Set((await engine.journals()).map(({ safety_checkpoint_id }) => safety_checkpoint_id))
  for (const { checkpoint_id } of records.unsettled()) {
    if (!held.has(checkpoint_id)) records.settle(checkpoint_id, 'late', await engine.settle(checkpoint_id))
  }
  await engine.sweep(records.packs())
  return recovered
}

async function finish(
  { engine, records, store }: Room,
  { restore_id, checkpoint_id, safety_checkpoint_id }: Named,
): Promise<RecoveredRestore | null> {
  const safety = records.get(safety_checkpoint_id)
  // Without its row nothing was applied yet.
  if (!safety) {
    await engine.finish(restore_id)
    return null
  }
  const { outcome } = await engine.apply(restore_id)
  if (outcome === 'applied') {
    store.transaction(() => {
      records.settle(safety_checkpoint_id, 'yes', 0)
      const row = records.get(checkpoint_id)
      const opaque = row !== undefined && records.stagesFrom(row).some((stage) => stage.opaque === 1)
      if (row) records.markRestored(checkpoint_id, opaque ? 'degraded_recovery' : row.taxonomy)
    })
  }
  if (outcome === 'rolled_back') records.remove([safety_checkpoint_id])
  if (outcome !== 'stuck') await engine.finish(restore_id)
  return { run_id: safety.run_id, checkpoint_id, safety_checkpoint_id, outcome }
}

function filesIn(folder: string): string[] {
  const names = (entries: readonly Dirent[]) => entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  try {
    return names(readdirSync(folder, { withFileTypes: true, recursive: true }))
  } catch (error) {
    // No checkpoint was ever taken here.
    if (isGone(error)) return []
    throw error
  }
}

interface Named {
  readonly restore_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
}
