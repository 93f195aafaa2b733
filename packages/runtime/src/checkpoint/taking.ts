// Taking one: what is at stake is kept on disk, then it is put on record. It is there whole, or nothing of it is.
import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import { type CheckpointFailure, toFailure } from './failure.ts'
import type { CallAtStake } from './plan.ts'
import { recoveryHints } from './recovery-hints.ts'
import { makeRoom, type Room } from './retain.ts'
import type { CallScope } from './scope.ts'
import { type CheckpointCursor, toSummary } from './store.ts'
import { unprotectedText } from './unprotected.ts'

/** `call` is what is about to change it; null when a person asked for the checkpoint. */
export interface AtStake {
  readonly scope: CallScope
  readonly call: Pick<CallAtStake, 'call_id' | 'tool'> | null
}

export type TakenCheckpoint =
  | {
      readonly outcome: 'taken'
      readonly checkpoint: CheckpointSummary
      readonly unprotected: readonly string[]
      readonly duration_ms: number
    }
  | ({ readonly outcome: 'failed' } & CheckpointFailure)

/** In the transaction that puts a checkpoint on record. */
export type TakenRecord = (checkpoint: CheckpointSummary, duration_ms: number) => void

export async function takeCheckpoint(
  room: Room,
  { scope, call }: AtStake,
  cursor: CheckpointCursor,
  recorded: TakenRecord = () => undefined,
): Promise<TakenCheckpoint> {
  const { engine, records, store, crashpoint } = room
  const { clock, newId } = store
  const begun = clock.elapsed()
  const checkpoint_id = newId()
  try {
    const taken = await engine.take(checkpoint_id, scope, records.lastLookAt(scope.root))
    crashpoint('take:kept')
    const full = await makeRoom(room, checkpoint_id)
    if (full) {
      await leaveNothing(room)
      return { outcome: 'failed', ...full }
    }
    const unprotected = taken.unprotected.map(unprotectedText)
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

/** What was kept for a checkpoint that is not on record goes. What can't go now goes with the next that is let go of, or at the next start. */
export async function leaveNothing({ engine, records }: Pick<Room, 'engine' | 'records'>): Promise<void> {
  await engine.sweep(records.packs()).catch(() => undefined)
}
