// Takes one checkpoint: saves the files, then records it. It exists completely or not at all.
import type { CheckpointSummary, RestoreKind } from '@tandem/contract/checkpoint'
import type { CheckpointCursor } from './checkpoint-row.ts'
import type { ScannedScope } from './checkpoint-writer.ts'
import { type CheckpointFailure, failed, toFailure } from './failure.ts'
import type { FileCount } from './file-count.ts'
import type { CheckpointedCall, CheckpointPlan } from './plan.ts'
import { quotaSetting } from './quota.ts'
import { type CheckpointContext, canFreeSpace, fitsInBudget, freeSpace } from './retention.ts'
import type { ChangeScope } from './scan/scope.ts'
import { toSummary } from './store.ts'
import { unprotectedText } from './unprotected.ts'

/** `call` is about to change it; null if a user requested the checkpoint. */
export interface CheckpointRequest {
  readonly scope: ChangeScope
  readonly call: Pick<CheckpointedCall, 'call_id' | 'tool'> | null
  readonly counted?: FileCount | undefined
}

export type TakenCheckpoint =
  | {
      readonly outcome: 'taken'
      readonly checkpoint: CheckpointSummary
      readonly unprotected: readonly string[]
      readonly duration_ms: number
    }
  /** It could be created, but does not fit into the budget, whatever is deleted. Nothing was deleted. */
  | ({ readonly outcome: 'store_full'; readonly surveyed: ScannedScope } & CheckpointFailure)
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

/** Called in the transaction that records a checkpoint. */
export type TakenRecord = (checkpoint: CheckpointSummary, duration_ms: number) => void

export async function takeCheckpoint(
  room: CheckpointContext,
  { scope, call, counted }: CheckpointRequest,
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
    const fits = taken.used_bytes <= quota_bytes || (await freeSpace(room, { checkpoint_id, conversation_id: cursor.conversation_id }))
    if (!fits) {
      await deleteUnrecorded(room)
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
    await deleteUnrecorded(room)
    return { outcome: 'failed', ...failure }
  }
}

/** Whether a planned checkpoint fits into the budget even if it does not compress. */
export function fitsUncompressed(room: CheckpointContext, { files, kept_bytes }: CheckpointPlan): Promise<boolean> {
  return fitsInBudget(room, kept_bytes + files * mostBytesPerPath)
}

/** The same if the compressed size decides: it is written, measured and deleted. */
export async function fitsCompressed(room: CheckpointContext, { scope }: CheckpointPlan, counted?: FileCount): Promise<boolean> {
  const checkpoint_id = room.store.newId()
  try {
    await room.engine.take(checkpoint_id, scope, room.records.lastLookAt(scope.root), { counted })
    return await canFreeSpace(room, { checkpoint_id, conversation_id: '' })
  } finally {
    await deleteUnrecorded(room)
  }
}

/** The maximum size of one path in the list of a checkpoint. */
const mostBytesPerPath = 500

function storeFull({ quota_bytes, store }: CheckpointContext): CheckpointFailure {
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

/** Deletes what was saved for a checkpoint that was not recorded. If that fails, the next deletion or the next start does it. */
export async function deleteUnrecorded({ engine, records }: Pick<CheckpointContext, 'engine' | 'records'>): Promise<void> {
  await engine.sweep(records.packs()).catch(() => undefined)
}

const ofKind: Readonly<Record<RestoreKind, string | null>> = {
  filesystem_snapshot: null,
  manifest_snapshot: 'Not all file contents are saved: new files are removed, and the preview shows which of the others can be restored.',
  inventory_snapshot:
    'The folder is large, so only a few file contents are saved: files named in the command can be restored, and the preview shows which others.',
}

/** The first few unprotected items: the call has all of them. */
const shown = 40

/** What a user should know before restoring, recorded when the checkpoint is taken. */
function recoveryHints(
  { opaque, root }: Pick<ChangeScope, 'opaque' | 'root'>,
  kind: RestoreKind,
  unprotected: readonly string[],
): string[] {
  const command = opaque
    ? [`A command ran in ${root}: what it changed elsewhere, on the network or in other programs is not restored.`]
    : []
  const ofThisKind = ofKind[kind]
  const lost = unprotected.slice(0, shown).map((text) => `Not restored: ${text}`)
  return [...command, ...(ofThisKind ? [ofThisKind] : []), ...lost]
}
