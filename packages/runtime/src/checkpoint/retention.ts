// Deletes checkpoints, and the stored files that only they needed. If killed, it has deleted less, never something that a row refers to.
import { type CheckpointDeletion, chooseDeletions, type RetentionChoice, type StoredCheckpoint } from '@tandem/contract/checkpoint'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { RetainedRow } from './checkpoint-row.ts'
import type { PackUsage } from './content/contents.ts'
import type { Crashpoint } from './crashpoint.ts'
import type { Engine } from './engine.ts'
import { carryOutKeeping, keepingFor, keepingForErased } from './kept-changes/keeping.ts'
import { type CheckpointRecords, packBefore, toRetained } from './store.ts'

export interface CheckpointContext {
  readonly store: Store
  readonly engine: Engine
  readonly records: CheckpointRecords
  readonly quota_bytes: number
  readonly crashpoint: Crashpoint
  readonly deleted: DeletedRecord
}

export interface DeletedCheckpoint extends CheckpointDeletion {
  readonly run_id: string
}

/** Called in the transaction that deletes them. */
export type DeletedRecord = (deleted: readonly DeletedCheckpoint[]) => void

/** A checkpoint whose pack is written but whose row is not: it counts as the newest, and is in use. */
export interface UnrecordedCheckpoint {
  readonly checkpoint_id: string
  readonly conversation_id: string
}

/** Deletes checkpoints that are too old, too many or over the budget. If the budget cannot be met, it gets as close as permitted. */
export async function retain(room: CheckpointContext): Promise<readonly DeletedCheckpoint[]> {
  const { engine, records, quota_bytes } = room
  const packs = records.packs()
  // Without packs, the thread need not even start.
  const isOverBudget = packs.length > 0 && (await engine.usage()) > quota_bytes
  if (!isOverBudget && !isRetentionDue(room)) return []
  const { deletions } = choose(room, await engine.holdings(packs), quota_bytes)
  return await carryOut(room, deletions, [])
}

/** For conversations that are erased. Repeated after a crash, it deletes the files that were left. */
export async function eraseRuns(room: CheckpointContext, run_ids: readonly string[]): Promise<boolean> {
  const { records, engine, store, crashpoint } = room
  const erased = new Set(run_ids)
  if (records.unsettled().some(({ run_id }) => erased.has(run_id))) return false
  const keeping = await keepingForErased(room, run_ids, store.newId)
  store.transaction(() => {
    carryOutKeeping(records, keeping)
    records.remove(records.ofRuns(run_ids))
  })
  crashpoint('retain:forgotten')
  await engine.sweep(records.packs())
  return true
}

/** Whether anything is too old or over the maximum number. Uses only the rows, not the thread. */
export function isRetentionDue(room: Pick<CheckpointContext, 'records' | 'store'>): boolean {
  return choose(room, nothing, Number.POSITIVE_INFINITY).deletions.length > 0
}

/** False if the checkpoint does not fit, whatever is deleted; then nothing is deleted. */
export async function freeSpace(room: CheckpointContext, unrecorded: UnrecordedCheckpoint): Promise<boolean> {
  const choice = await roomFor(room, unrecorded)
  if (choice === null) return true
  if (choice.missing_bytes > 0) return false
  await carryOut(room, choice.deletions, [packBefore(unrecorded.checkpoint_id)])
  return true
}

/** The same check, without deleting anything. */
export async function canFreeSpace(room: CheckpointContext, unrecorded: UnrecordedCheckpoint): Promise<boolean> {
  const choice = await roomFor(room, unrecorded)
  return choice === null || choice.missing_bytes === 0
}

/** Null if it fits without deletions. */
async function roomFor(room: CheckpointContext, unrecorded: UnrecordedCheckpoint): Promise<RetentionChoice | null> {
  const { engine, records, quota_bytes } = room
  if ((await engine.usage()) <= quota_bytes) return null
  const living = [...records.packs(), packBefore(unrecorded.checkpoint_id)]
  return choose(room, await engine.holdings(living), quota_bytes, unrecorded)
}

/** Whether this many bytes definitely fit, if necessary after deleting everything that may be deleted. */
export async function fitsInBudget(room: CheckpointContext, bytes: number): Promise<boolean> {
  const { engine, records, quota_bytes } = room
  if ((await engine.usage()) + bytes <= quota_bytes) return true
  const { missing_bytes } = choose(room, await engine.holdings(records.packs()), 0, { checkpoint_id: '', conversation_id: '' })
  return missing_bytes + bytes <= quota_bytes
}

const nothing: PackUsage = { sizes: new Float64Array(), packs: new Map() }

function choose(
  { records, store }: Pick<CheckpointContext, 'records' | 'store'>,
  { sizes, packs }: PackUsage,
  budget_bytes: number,
  unrecorded?: UnrecordedCheckpoint,
): RetentionChoice {
  const now = timestamp(store.clock.now())
  const busy = inUse(records)
  const filesOf = (names: readonly string[]) => new Set(names.flatMap((name) => [...(packs.get(name) ?? [])]))
  const stored = records.retained().map((row: RetainedRow): StoredCheckpoint => {
    return { ...toRetained(row), open: busy.has(row.checkpoint_id), files: filesOf(row.packs) }
  })
  const coming = unrecorded
    ? [
        {
          ...{ ...unrecorded, created_at: now, restored: false, pending_approval: false, taxonomy: 'none' as const },
          ...{ contents_deleted_at: null, open: true, files: filesOf([packBefore(unrecorded.checkpoint_id)]) },
        },
      ]
    : []
  return chooseDeletions({ checkpoints: [...stored, ...coming], now, budget_bytes, sizeOf: (file) => sizes[file] ?? 0 })
}

/** What a call or a restore that has not ended still needs: every possible source of its files. */
function inUse(records: CheckpointRecords): ReadonlySet<string> {
  const ids = records.unsettled().flatMap((row) => {
    const restored = row.restored_checkpoint_id === null ? undefined : records.get(row.restored_checkpoint_id)
    const stages = restored ? records.stagesFrom(restored).filter(({ no }) => no < row.no) : []
    return [row, ...stages].map(({ checkpoint_id }) => checkpoint_id)
  })
  return new Set(ids)
}

/** Rows, events and messages in one transaction; then the files that nothing refers to any more. */
async function carryOut(
  room: CheckpointContext,
  deletions: readonly CheckpointDeletion[],
  unnamed: readonly string[],
): Promise<readonly DeletedCheckpoint[]> {
  const { records, engine, store, crashpoint } = room
  if (deletions.length === 0) return []
  crashpoint('retain:chosen')
  const keeping = await keepingFor(
    room,
    deletions.map(({ checkpoint_id }) => checkpoint_id),
  )
  const idsOf = (what: CheckpointDeletion['deleted']) => deletions.filter(({ deleted }) => deleted === what).map((one) => one.checkpoint_id)
  const deleted = store.transaction(() => {
    const gone = deletions.flatMap((one) => {
      const row = records.get(one.checkpoint_id)
      return row ? [{ ...one, run_id: row.run_id }] : []
    })
    carryOutKeeping(records, keeping)
    records.remove(idsOf('point'))
    records.removeContents(idsOf('contents'))
    room.deleted(gone)
    return gone
  })
  crashpoint('retain:forgotten')
  await engine.sweep([...records.packs(), ...unnamed])
  return deleted
}
