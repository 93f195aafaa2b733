// What the recorded scans show about the time since a checkpoint: the run's calls, its background commands, and concurrent runs.

import { isInside } from '../../path/inside.ts'
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { nullIfDamaged } from '../content/contents.ts'
import type { Manifest } from '../content/manifest.ts'
import { type KeptRecord, toucherOf } from '../kept-changes/kept-changes.ts'
import type { BackgroundSpan, CheckpointStage, HistoryGap, OtherRunInterval, ScanInterval } from './changed-paths.ts'
import { type Relocation, relocateHistory } from './relocation.ts'
import { hasStates, type ScanOfCheckpoint, savedManifest } from './saved-manifest.ts'

/** A checkpoint, without the state it saved. */
export interface StageRef extends ScanInterval {
  readonly checkpoint_id: string
  readonly taken_at: number
  /** `no`: the call is still open, or its end was never seen. `no_call`: a user requested it. */
  readonly settled: 'yes' | 'late' | 'no' | 'no_call'
  readonly by: 'call' | 'command'
  /** When a background command ran after its call returned; if `to` is infinite, it is still running. */
  readonly background: ScanInterval | null
  /** Where the workspace was then and where it is now; null if it did not move. */
  readonly moved: Relocation | null
  /** Its contents were deleted: what is known about its changes. */
  readonly kept?: KeptRecord
}

/** A time in which the run changed something, and it is not known how. */
export interface GapRef extends ScanInterval {
  /** Where it may have been; null if it may have been anywhere. */
  readonly kept: KeptRecord | null
  readonly moved: Relocation | null
}

export interface History {
  /** The checkpoint to restore, and the later ones of the same run, in order. */
  readonly stages: readonly StageRef[]
  /** Earlier checkpoints of the same run whose background commands were still running. */
  readonly earlier: readonly StageRef[]
  /** Checkpoints of other runs that were open at the same time. */
  readonly others: readonly StageRef[]
  readonly gaps: readonly GapRef[]
}

export interface LoadedHistory {
  readonly stages: readonly CheckpointStage[]
  readonly backgrounds: readonly BackgroundSpan[]
  readonly others: readonly OtherRunInterval[]
  readonly gaps: readonly HistoryGap[]
}

export function loadHistory(keeper: CheckpointWriter, { stages, earlier, others, gaps }: History): LoadedHistory {
  // Between calls, a checkpoint that a user requested adds nothing to the calls around it.
  const counted = stages.filter(({ settled }, index) => index === 0 || settled !== 'no_call')
  return {
    stages: counted.map((ref) => loadStage(keeper, ref)),
    backgrounds: [...earlier, ...counted].flatMap((ref) => loadBackground(keeper, ref, earlier.includes(ref))),
    others: others.flatMap((ref) => loadOther(keeper, ref)),
    gaps: gaps.map(({ from, to, kept, moved }) => ({ from, to, touches: kept ? touched(kept, moved) : () => true })),
  }
}

function loadStage(keeper: CheckpointWriter, ref: StageRef): CheckpointStage {
  const { taken_at, settled, by, from } = ref
  const before = manifestOf(keeper, ref, 'before')
  const { root } = before
  if (settled === 'no_call') return { from, to: from, by, before, after: before, now: keeper.glance(before), taken_at, late: false, root }
  const after = afterCall(keeper, ref, before)
  return { from, to: callEnd(ref), by, before, after, now: null, taken_at, late: settled !== 'yes' && !ref.background, root }
}

function loadBackground(keeper: CheckpointWriter, ref: StageRef, earlier: boolean): BackgroundSpan[] {
  if (!ref.background) return []
  const before = manifestOf(keeper, ref, 'after')
  const { checkpoint_id, taken_at } = ref
  return [{ checkpoint_id, ...ref.background, before, after: afterBackground(keeper, ref, before), taken_at, earlier }]
}

/** A damaged pack of another run must not prevent this restore. */
function loadOther(keeper: CheckpointWriter, ref: StageRef): OtherRunInterval[] {
  const { from, by, background } = ref
  const touches = ref.kept ? touched(ref.kept, ref.moved) : () => true
  const statesOf = (load: () => OtherRunInterval['seen']) => (hasStates(ref) ? nullIfDamaged(load) : null)
  const call = statesOf(() => {
    const before = manifestOf(keeper, ref, 'before')
    return { before, after: afterCall(keeper, ref, before) }
  })
  const spans: OtherRunInterval[] = [{ from, to: callEnd(ref), by, seen: call, touches }]
  if (!background) return spans
  const seen = statesOf(() => {
    const before = manifestOf(keeper, ref, 'after')
    return { before, after: afterBackground(keeper, ref, before) }
  })
  return [...spans, { ...background, by: 'background', seen, touches }]
}

/** By where a path is now. */
function touched(kept: KeptRecord, moved: Relocation | null): (path: string) => boolean {
  const touches = toucherOf(kept)
  if (!moved) return touches
  return (path) => touches(path) || (isInside(path, moved.to) && touches(moved.from + path.slice(moved.to.length)))
}

function callEnd({ background, to }: StageRef): number {
  return background ? background.from : to
}

function afterCall(keeper: CheckpointWriter, ref: StageRef, before: Manifest): Manifest {
  const isSeen = ref.background !== null || ref.settled !== 'no'
  return isSeen ? manifestOf(keeper, ref, 'after') : keeper.glance(before)
}

function afterBackground(keeper: CheckpointWriter, ref: StageRef, before: Manifest): Manifest {
  return ref.settled === 'no' ? keeper.glance(before) : manifestOf(keeper, ref, 'end')
}

/** Where the workspace is now. */
function manifestOf(keeper: CheckpointWriter, ref: StageRef, scan: ScanOfCheckpoint): Manifest {
  const manifest = savedManifest(keeper, ref, scan)
  return ref.moved ? relocateHistory(manifest, ref.moved) : manifest
}
