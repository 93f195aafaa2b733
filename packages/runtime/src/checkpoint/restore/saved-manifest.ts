// What a scan of a checkpoint found: all of it from its packs, or what was kept of it when they were deleted.
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { nullIfDamaged } from '../content/contents.ts'
import type { Manifest } from '../content/manifest.ts'
import type { SavedScans } from '../kept-changes/keeping.ts'
import { keptChangesOf, packChanges, readKeptSide, unpackChanges } from '../kept-changes/kept-changes.ts'
import { packAfter, packAtEnd, packBefore } from '../store.ts'
import type { StageRef } from './history.ts'

const packs = { before: packBefore, after: packAfter, end: packAtEnd } as const
export type ScanOfCheckpoint = keyof typeof packs

/** Paths as they were at that time, wherever the workspace is now. */
export function savedManifest(keeper: CheckpointWriter, { checkpoint_id, kept }: StageRef, scan: ScanOfCheckpoint): Manifest {
  if (!kept) return keeper.manifest(packs[scan](checkpoint_id))
  const changes = unpackChanges(kept)
  const written = changes?.kind === 'states' ? changes[scan] : null
  if (!written) throw new Error(`the states of the checkpoint ${checkpoint_id} are not known`)
  return readKeptSide(written)
}

export function hasStates({ kept }: Pick<StageRef, 'kept'>): boolean {
  return !kept || unpackChanges(kept)?.kind === 'states'
}

/** What to keep of checkpoints before their packs are deleted; null for a damaged one. */
export function changesToKeep(keeper: CheckpointWriter, points: readonly SavedScans[]): (Uint8Array | null)[] {
  return points.map(({ checkpoint_id, has }) =>
    nullIfDamaged(() => {
      const before = keeper.manifest(packBefore(checkpoint_id))
      const after = has === 'no_call' ? before : keeper.manifest(packAfter(checkpoint_id))
      const end = has === 'background' ? keeper.manifest(packAtEnd(checkpoint_id)) : null
      return packChanges(keptChangesOf(before, after, end))
    }),
  )
}
