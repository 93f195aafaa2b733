// Taking one: what is at stake is kept on disk, then it is put on record. It is there whole, or nothing of it is.
import type { CheckpointSummary, RestoreKind } from '@tandem/contract/checkpoint'
import { type CheckpointFailure, failed, toFailure } from './failure.ts'
import type { FileCount } from './file-count.ts'
import type { Surveyed } from './keeper.ts'
import type { CallAtStake, CheckpointPlan } from './plan.ts'
import { quotaSetting } from './quota.ts'
import { canMakeRoom, fitsForSure, makeRoom, type Room } from './retain.ts'
import { type CheckpointCursor, toSummary } from './store.ts'
import type { ChangeScope } from './survey/scope.ts'
import { unprotectedText } from './unprotected.ts'

/** `call` is what is about to change it; null when a person asked for the checkpoint. */
export interface AtStake {
  readonly scope: ChangeScope
  readonly call: Pick<CallAtStake, 'call_id' | 'tool'> | null
  readonly counted?: FileCount | undefined
}

export type TakenCheckpoint =
  | {
      readonly outcome: 'taken'
      readonly checkpoint: CheckpointSummary
      readonly unprotected: readonly string[]
      readonly duration_ms: number
    }
  /** It could be created, and its bytes do not fit into the budget, whatever is deleted. Nothing was. */
  | ({ readonly outcome: 'store_full'; readonly surveyed: Surveyed } & CheckpointFailure)
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

/** In the transaction that puts a checkpoint on record. */
export type TakenRecord = (checkpoint: CheckpointSummary, duration_ms: number) => void

export async function takeCheckpoint(
  room: Room,
  { scope, call, counted }: AtStake,
  cursor: CheckpointCursor,
  recorded: TakenRecord = () => undefined,
): Promise<TakenCheckpoint> {
  const { engine, records, store, quota_bytes, crashpoint } = room
  const { clock, newId } = store
  const begun = clock.elapsed()
  const checkpoint_id = newId()
  try {
    const taken = await engine.take(checkpoint_id, scope, records.lastLookAt(scope.root), { counted })
    crashpoint('take:kept')
    const fits = taken.used_bytes <= quota_bytes || (await makeRoom(room, { checkpoint_id, conversation_id: cursor.conversation_id }))
    if (!fits) {
      await leaveNothing(room)
      return { outcome: 'store_full', surveyed: taken, ...storeFull(room) }
    }
    const unprotected = taken.unprotected.map((one) => unprotectedText(one))
    const { kind: restore_kind, artifact_count, artifact_bytes, stored_bytes, files, bytes } = taken
    const { root, targets, opaque } = scope
    const duration_ms = Math.round(clock.elapsed() - begun)
    const checkpoint = store.transaction(() => {
      const row = records.add({
        ...{ checkpoint_id, cursor: { ...cursor, recovery_hints: recoveryHints(scope, restore_kind, unprotected) } },
        ...{ restore_kind, tool: call?.tool ?? null, opaque, root, artifact_count, artifact_bytes, stored_bytes },
        restored_checkpoint_id: null,
        name: opaque ? 'safety_rollback_point' : 'task_recovery_point',
        pending_mutation_metadata: call && { ...call, scope: { root, files, bytes }, targets: [...targets], unprotected },
      })
      const summary = toSummary(row)
      recorded(summary, duration_ms)
      return summary
    })
    crashpoint('take:recorded')
    return { outcome: 'taken', checkpoint, unprotected, duration_ms }
  } catch (error) {
    const failure = toFailure(error, 'checkpoint', scope.root)
    await leaveNothing(room)
    return { outcome: 'failed', ...failure }
  }
}

/** Whether a planned checkpoint fits into the budget however badly it compresses. */
export function fitsAnyhow(room: Room, { files, kept_bytes }: CheckpointPlan): Promise<boolean> {
  return fitsForSure(room, kept_bytes + files * mostBytesPerPath)
}

/** The same, where its size decides: it is written and measured, and nothing of it stays. */
export async function fitsWhenWritten(room: Room, { scope }: CheckpointPlan, counted?: FileCount): Promise<boolean> {
  const checkpoint_id = room.store.newId()
  try {
    await room.engine.take(checkpoint_id, scope, room.records.lastLookAt(scope.root), { counted })
    return await canMakeRoom(room, { checkpoint_id, conversation_id: '' })
  } finally {
    await leaveNothing(room)
  }
}

/** What the list of a checkpoint says of one path, at most. */
const mostBytesPerPath = 500

function storeFull({ quota_bytes, store }: Room): CheckpointFailure {
  const budget = `${(quota_bytes / 1024 ** 3).toLocaleString('en', { maximumFractionDigits: 2 })} GiB`
  return failed(
    'storage_unavailable',
    'checkpoint',
    'store_full',
    `The recovery point does not fit into the budget for recovery points (${budget}), even after deleting every point that may be deleted.`,
    store.home,
    `Set ${quotaSetting} to a larger number of gigabytes and restart Tandem.`,
  )
}

/** What was kept for a checkpoint that is not on record goes. What can't go now goes with the next that is let go of, or at the next start. */
export async function leaveNothing({ engine, records }: Pick<Room, 'engine' | 'records'>): Promise<void> {
  await engine.sweep(records.packs()).catch(() => undefined)
}

const ofKind: Readonly<Record<RestoreKind, string | null>> = {
  filesystem_snapshot: null,
  manifest_snapshot: 'Not of every file is the content kept: what was made since goes, and of the others a preview tells which come back.',
  inventory_snapshot: 'Of a folder this large little content is kept: what a command named comes back, and a preview tells what else does.',
}

/** The first few of what is not protected: all of it stands with the call. */
const shown = 40

/** What someone who goes back should know, written down while it is seen. */
function recoveryHints(
  { opaque, root }: Pick<ChangeScope, 'opaque' | 'root'>,
  kind: RestoreKind,
  unprotected: readonly string[],
): string[] {
  const command = opaque
    ? [`A command ran in ${root}: what it changed elsewhere, on the network or in other programs does not come back.`]
    : []
  const ofThisKind = ofKind[kind]
  const lost = unprotected.slice(0, shown).map((text) => `Does not come back: ${text}`)
  return [...command, ...(ofThisKind ? [ofThisKind] : []), ...lost]
}
