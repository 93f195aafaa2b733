// At start: finishes or undoes interrupted restores, scans after calls whose end was not seen, and deletes leftovers.
import { type Dirent, readdirSync } from 'node:fs'
import type { CheckpointRow } from '../checkpoint-row.ts'
import { blobsOf, isPack } from '../content/contents.ts'
import { readSharedPacks } from '../content/shared-packs.ts'
import { isGone } from '../content/stats.ts'
import type { CheckpointContext } from '../retention.ts'
import { missingContents } from '../run-history.ts'
import { isLeftOpen } from '../store.ts'
import { type RestoreFacts, recordRestore } from './restore-files.ts'
import type { AppliedRestore, JournalRef } from './staged-restore.ts'

export interface RecoveredRestore {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
  readonly outcome: AppliedRestore['outcome']
}

export interface Recovery {
  readonly restores: readonly RecoveredRestore[]
  /** What failed, with the reason: it is left for the next start. */
  readonly troubles: readonly string[]
}

/** Records a restore that a start finished in its run, in the transaction that records that the files are restored. */
export type RecoveredRecord = (restored: RestoreFacts & { readonly run_id: string; readonly checkpoint_id: string }) => void

interface RecoveryRoom extends CheckpointContext {
  readonly recorded: RecoveredRecord
}

/** Whether `recoverCheckpoints` would have anything to do. Called at every start, so it reads only names. */
export function needsRecovery({ records, store }: Pick<CheckpointContext, 'records' | 'store'>): boolean {
  if (records.unsettled().length > 0) return true
  const named = new Set([...records.packs(), ...readSharedPacks(blobsOf(store.home))])
  return filesIn(blobsOf(store.home)).some(
    (name) => name.endsWith('.journal') || name.endsWith('.tmp') || (isPack(name) && !named.has(name)),
  )
}

/** One failure does not prevent the rest. */
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

  await attempt('partially written files', () => engine.removeTemps())
  await attempt('interrupted restores', async () => {
    const { readable, broken } = await engine.journals()
    for (const { file, message } of broken) {
      troubles.push(
        `${file} describes an unfinished restore and cannot be read: ${message}; move the file away to continue with the files as they are`,
      )
    }
    for (const journal of readable) {
      await attempt(`the restore of checkpoint ${journal.checkpoint_id}`, async () => {
        const one = await finish(room, journal)
        if (one) restores.push(one)
      })
    }
    const left = await engine.journals()
    const held = new Set(left.readable.map(({ safety_checkpoint_id }) => safety_checkpoint_id))
    // Which restore the lost journal belongs to is unknown; that a restore is unfinished is known.
    const isHeld = (row: CheckpointRow) =>
      held.has(row.checkpoint_id) || isLeftOpen(row) || (left.broken.length > 0 && row.restored_checkpoint_id !== null)
    for (const { checkpoint_id } of records.unsettled().filter((row) => !isHeld(row))) {
      await attempt(`checkpoint ${checkpoint_id}, whose call did not end normally`, async () =>
        records.settle(checkpoint_id, 'late', await engine.settle(checkpoint_id)),
      )
    }
  })
  await attempt('unreferenced contents', () => engine.sweep(records.packs()))
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
  // Without its row, nothing was applied yet.
  if (!safety) {
    await engine.finish(restore_id)
    return null
  }
  // What is recorded was applied before: another scan now would attribute later changes of others to the restore.
  const applied = safety.settled === 'yes' ? null : await engine.apply(restore_id)
  crashpoint('recover:applied')
  if (applied?.outcome === 'applied') recordFinishedRestore(room, checkpoint_id, safety, applied, Math.round(clock.elapsed() - begun))
  crashpoint('recover:recorded')
  const outcome = applied?.outcome ?? 'applied'
  if (outcome === 'rolled_back') records.remove([safety_checkpoint_id])
  if (outcome !== 'stuck') await engine.finish(restore_id)
  return { run_id: safety.run_id, checkpoint_id, safety_checkpoint_id, outcome }
}

function recordFinishedRestore(
  { records, store, recorded }: RecoveryRoom,
  checkpoint_id: string,
  { run_id, no, taken_scan, checkpoint_id: safety_id }: CheckpointRow,
  applied: Extract<AppliedRestore, { outcome: 'applied' }>,
  duration_ms: number,
): void {
  const row = records.get(checkpoint_id)
  if (!row) throw new Error(`the checkpoint ${checkpoint_id} was deleted while it was being restored`)
  const rows = records.stagesFrom(row).filter((stage) => stage.no < no)
  const passed = { rows, missing: missingContents(records, [row.run_id], row.taken_scan, taken_scan) }
  recordRestore({ records, store }, row, passed, safety_id, applied, duration_ms, (facts) => recorded({ run_id, checkpoint_id, ...facts }))
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
