// At start: a restore that was cut off is finished or taken back, calls whose end nobody saw are looked at, leftovers go.
import { type Dirent, readdirSync } from 'node:fs'
import { blobsOf, isPack } from '../content/contents.ts'
import { readSharedPacks } from '../content/shared-packs.ts'
import { isGone } from '../content/stats.ts'
import type { Room } from '../retain.ts'
import { type CheckpointRow, isLeftOpen } from '../store.ts'
import { type RestoreFacts, record } from './restore-files.ts'
import type { AppliedRestore, JournalRef } from './restoring.ts'

export interface RecoveredRestore {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
  readonly outcome: AppliedRestore['outcome']
}

export interface Recovery {
  readonly restores: readonly RecoveredRestore[]
  /** What could not be done, each with why: it is left as it is for the next start. */
  readonly troubles: readonly string[]
}

/** The run's side of a restore that a start finished, in the transaction that says the files are back. */
export type RecoveredRecord = (restored: RestoreFacts & { readonly run_id: string; readonly checkpoint_id: string }) => void

interface RecoveryRoom extends Room {
  readonly recorded: RecoveredRecord
}

/** Whether `recoverCheckpoints` would find anything to do. Asked at every start, so it looks at names only. */
export function needsRecovery({ records, store }: Pick<Room, 'records' | 'store'>): boolean {
  if (records.unsettled().length > 0) return true
  const named = new Set([...records.packs(), ...readSharedPacks(blobsOf(store.home))])
  return filesIn(blobsOf(store.home)).some(
    (name) => name.endsWith('.journal') || name.endsWith('.tmp') || (isPack(name) && !named.has(name)),
  )
}

/** One thing that can't be done keeps no other from being done. */
export async function recoverCheckpoints(room: RecoveryRoom): Promise<Recovery> {
  const { engine, records } = room
  const restores: RecoveredRestore[] = []
  const troubles: string[] = []
  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      troubles.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  await attempt('files half-written', () => engine.removeTemps())
  await attempt('restores that were cut off', async () => {
    const { readable, broken } = await engine.journals()
    for (const { file, message } of broken) {
      troubles.push(`${file} says how to finish a restore and can't be read: ${message}; move it away to go on with the files as they are`)
    }
    for (const journal of readable) {
      await attempt(`the restore of checkpoint ${journal.checkpoint_id}`, async () => {
        const one = await finish(room, journal)
        if (one) restores.push(one)
      })
    }
    const left = await engine.journals()
    const held = new Set(left.readable.map(({ safety_checkpoint_id }) => safety_checkpoint_id))
    // Whose list is lost is not known; that a restore did not come to its end is.
    const isHeld = (row: CheckpointRow) =>
      held.has(row.checkpoint_id) || isLeftOpen(row) || (left.broken.length > 0 && row.restored_checkpoint_id !== null)
    for (const { checkpoint_id } of records.unsettled().filter((row) => !isHeld(row))) {
      await attempt(`checkpoint ${checkpoint_id}, whose call's end was not seen`, async () =>
        records.settle(checkpoint_id, 'late', await engine.settle(checkpoint_id)),
      )
    }
  })
  await attempt('contents that nothing leads to', () => engine.sweep(records.packs()))
  return { restores, troubles }
}

async function finish(
  room: RecoveryRoom,
  { restore_id, checkpoint_id, safety_checkpoint_id }: JournalRef,
): Promise<RecoveredRestore | null> {
  const { engine, records, crashpoint } = room
  const { clock } = room.store
  const begun = clock.elapsed()
  const safety = records.get(safety_checkpoint_id)
  // Without its row nothing was applied yet.
  if (!safety) {
    await engine.finish(restore_id)
    return null
  }
  // What is recorded was applied before: to look again now would take for the restore's what others did since.
  const applied = safety.settled === 'yes' ? null : await engine.apply(restore_id)
  crashpoint('recover:applied')
  if (applied?.outcome === 'applied') recordRestore(room, checkpoint_id, safety, applied, Math.round(clock.elapsed() - begun))
  crashpoint('recover:recorded')
  const outcome = applied?.outcome ?? 'applied'
  if (outcome === 'rolled_back') records.remove([safety_checkpoint_id])
  if (outcome !== 'stuck') await engine.finish(restore_id)
  return { run_id: safety.run_id, checkpoint_id, safety_checkpoint_id, outcome }
}

function recordRestore(
  { records, store, recorded }: RecoveryRoom,
  checkpoint_id: string,
  { run_id, no, checkpoint_id: safety_id }: CheckpointRow,
  applied: Extract<AppliedRestore, { outcome: 'applied' }>,
  duration_ms: number,
): void {
  const row = records.get(checkpoint_id)
  if (!row) throw new Error(`the checkpoint ${checkpoint_id} was given up while it was being restored`)
  const stages = records.stagesFrom(row).filter((stage) => stage.no < no)
  record({ records, store }, row, stages, safety_id, applied, duration_ms, (facts) => recorded({ run_id, checkpoint_id, ...facts }))
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
