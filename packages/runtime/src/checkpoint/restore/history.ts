// What the recorded scans show about the time since a checkpoint: the run's calls, its background commands, and concurrent runs.

import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { nullIfDamaged } from '../content/contents.ts'
import type { Manifest } from '../content/manifest.ts'
import { packAfter, packAtEnd, packBefore } from '../store.ts'
import type { BackgroundSpan, CheckpointStage, OtherRunInterval, ScanInterval } from './changed-paths.ts'
import { type Relocation, relocateHistory } from './relocation.ts'

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
}

export interface History {
  /** The checkpoint to restore, and the later ones of the same run, in order. */
  readonly stages: readonly StageRef[]
  /** Earlier checkpoints of the same run whose background commands were still running. */
  readonly earlier: readonly StageRef[]
  /** Checkpoints of other runs that were open at the same time. */
  readonly others: readonly StageRef[]
}

export interface LoadedHistory {
  readonly stages: readonly CheckpointStage[]
  readonly backgrounds: readonly BackgroundSpan[]
  readonly others: readonly OtherRunInterval[]
}

export function loadHistory(keeper: CheckpointWriter, { stages, earlier, others }: History): LoadedHistory {
  // Between calls, a checkpoint that a user requested adds nothing to the calls around it.
  const counted = stages.filter(({ settled }, index) => index === 0 || settled !== 'no_call')
  return {
    stages: counted.map((ref) => loadStage(keeper, ref)),
    backgrounds: [...earlier, ...counted].flatMap((ref) => loadBackground(keeper, ref, earlier.includes(ref))),
    others: others.flatMap((ref) => loadOther(keeper, ref)),
  }
}

function loadStage(keeper: CheckpointWriter, ref: StageRef): CheckpointStage {
  const { taken_at, settled, by, from } = ref
  const before = manifestOf(keeper, ref, packBefore)
  const { root } = before
  if (settled === 'no_call') return { from, to: from, by, before, after: before, now: keeper.glance(before), taken_at, late: false, root }
  const after = afterCall(keeper, ref, before)
  return { from, to: callEnd(ref), by, before, after, now: null, taken_at, late: settled !== 'yes' && !ref.background, root }
}

function loadBackground(keeper: CheckpointWriter, ref: StageRef, earlier: boolean): BackgroundSpan[] {
  if (!ref.background) return []
  const before = manifestOf(keeper, ref, packAfter)
  const { checkpoint_id, taken_at } = ref
  return [{ checkpoint_id, ...ref.background, before, after: afterBackground(keeper, ref, before), taken_at, earlier }]
}

/** A damaged pack of another run must not prevent this restore. */
function loadOther(keeper: CheckpointWriter, ref: StageRef): OtherRunInterval[] {
  const call = nullIfDamaged(() => {
    const before = manifestOf(keeper, ref, packBefore)
    return { before, after: afterCall(keeper, ref, before) }
  })
  const spans: OtherRunInterval[] = [{ from: ref.from, to: callEnd(ref), by: ref.by, seen: call }]
  if (!ref.background) return spans
  const background = nullIfDamaged(() => {
    const before = manifestOf(keeper, ref, packAfter)
    return { before, after: afterBackground(keeper, ref, before) }
  })
  return [...spans, { ...ref.background, by: 'background', seen: background }]
}

function callEnd({ background, to }: StageRef): number {
  return background ? background.from : to
}

function afterCall(keeper: CheckpointWriter, ref: StageRef, before: Manifest): Manifest {
  const isSeen = ref.background !== null || ref.settled !== 'no'
  return isSeen ? manifestOf(keeper, ref, packAfter) : keeper.glance(before)
}

function afterBackground(keeper: CheckpointWriter, ref: StageRef, before: Manifest): Manifest {
  return ref.settled === 'no' ? keeper.glance(before) : manifestOf(keeper, ref, packAtEnd)
}

function manifestOf(keeper: CheckpointWriter, { checkpoint_id, moved }: StageRef, pack: (checkpoint_id: string) => string): Manifest {
  const manifest = keeper.manifest(pack(checkpoint_id))
  return moved ? relocateHistory(manifest, moved) : manifest
}
