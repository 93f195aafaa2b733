// At start: a restore that was cut off is finished or taken back, calls whose end nobody saw are looked at, leftovers go.
import { type Dirent, readdirSync } from 'node:fs'
import type { FailureContract } from '@tandem/contract/failure'
import { blobsOf, isPack } from './contents.ts'
import { record } from './restore-files.ts'
import type { AppliedRestore, JournalRef } from './restoring.ts'
import type { Room } from './retain.ts'
import { isGone } from './stats.ts'
import type { CheckpointRow } from './store.ts'

export interface RecoveredRestore {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
  readonly outcome: AppliedRestore['outcome']
}

/** The run's side of a restore that a start finished, in the transaction that says the files are back. */
export type RecoveredRecord = (restored: {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly cursor_seq: number
  readonly failure_contract: FailureContract | null
}) => void

interface RecoveryRoom extends Room {
  crashpoint(name: string): void
  readonly recorded: RecoveredRecord
}

/** Whether `recoverCheckpoints` would find anything to do. Asked at every start, so it looks at names only. */
export function needsRecovery({ records, store }: Pick<Room, 'records' | 'store'>): boolean {
  if (records.unsettled().length > 0) return true
  const named = new Set(records.packs())
  return filesIn(blobsOf(store.home)).some(
    (name) => name.endsWith('.journal') || name.endsWith('.tmp') || (isPack(name) && !named.has(name)),
  )
}

export async function recoverCheckpoints(room: RecoveryRoom): Promise<readonly RecoveredRestore[]> {
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
  room: RecoveryRoom,
  { restore_id, checkpoint_id, safety_checkpoint_id }: JournalRef,
): Promise<RecoveredRestore | null> {
  const { engine, records, crashpoint } = room
  const safety = records.get(safety_checkpoint_id)
  // Without its row nothing was applied yet.
  if (!safety) {
    await engine.finish(restore_id)
    return null
  }
  // What is recorded was applied before: to look again now would take for the restore's what others did since.
  const outcome = safety.settled === 'yes' ? 'applied' : (await engine.apply(restore_id)).outcome
  crashpoint('recover:applied')
  if (outcome === 'applied' && safety.settled !== 'yes') recordRestore(room, checkpoint_id, safety)
  crashpoint('recover:recorded')
  if (outcome === 'rolled_back') records.remove([safety_checkpoint_id])
  if (outcome !== 'stuck') await engine.finish(restore_id)
  return { run_id: safety.run_id, checkpoint_id, safety_checkpoint_id, outcome }
}

function recordRestore(
  { records, store, recorded }: RecoveryRoom,
  checkpoint_id: string,
  { run_id, no, checkpoint_id: safety_id }: CheckpointRow,
): void {
  const row = records.get(checkpoint_id)
  if (!row) throw new Error(`the checkpoint ${checkpoint_id} was given up while it was being restored`)
  const stages = records.stagesFrom(row).filter((stage) => stage.no < no)
  record({ records, store }, row, stages, safety_id, (cursor_seq, failure_contract) =>
    recorded({ run_id, checkpoint_id, cursor_seq, failure_contract }),
  )
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
