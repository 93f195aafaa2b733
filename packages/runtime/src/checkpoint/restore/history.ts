// What the recorded scans say about the time since a checkpoint: the run's calls, its background commands, and other runs beside them.
import { unlessDamaged } from '../content/contents.ts'
import type { Manifest } from '../content/manifest.ts'
import type { Keeper } from '../keeper.ts'
import { afterOf, beforeOf, endOf } from '../store.ts'
import { type Relocation, relocated } from './relocation.ts'
import type { BackgroundSpan, OtherSpan, Span, Stage } from './touched.ts'

/** A checkpoint, without what it saw. */
export interface StageRef extends Span {
  readonly checkpoint_id: string
  readonly taken_at: number
  /** `no`: the call is still open, or its end was never seen. `no_call`: a person asked for it. */
  readonly settled: 'yes' | 'late' | 'no' | 'no_call'
  readonly by: 'call' | 'command'
  /** After its call had returned, a background command ran; with `to` infinite it still runs. */
  readonly background: Span | null
  /** Where the workspace was then and where it is now; null when it did not move. */
  readonly moved: Relocation | null
}

export interface History {
  /** The checkpoint to go back to, and those of the same run after it, in order. */
  readonly stages: readonly StageRef[]
  /** Checkpoints of the same run before it, whose background commands were still running. */
  readonly earlier: readonly StageRef[]
  /** Checkpoints of other runs that were open at the same time. */
  readonly others: readonly StageRef[]
}

export interface LoadedHistory {
  readonly stages: readonly Stage[]
  readonly backgrounds: readonly BackgroundSpan[]
  readonly others: readonly OtherSpan[]
}

export function loadHistory(keeper: Keeper, { stages, earlier, others }: History): LoadedHistory {
  // Between calls a checkpoint that a person asked for says nothing that the calls around it do not.
  const counted = stages.filter(({ settled }, index) => index === 0 || settled !== 'no_call')
  return {
    stages: counted.map((ref) => loadStage(keeper, ref)),
    backgrounds: [...earlier, ...counted].flatMap((ref) => loadBackground(keeper, ref, earlier.includes(ref))),
    others: others.flatMap((ref) => loadOther(keeper, ref)),
  }
}

function loadStage(keeper: Keeper, ref: StageRef): Stage {
  const { taken_at, settled, by, from } = ref
  const before = manifestOf(keeper, ref, beforeOf)
  const { root } = before
  if (settled === 'no_call') return { from, to: from, by, before, after: before, now: keeper.glance(before), taken_at, late: false, root }
  const after = afterCall(keeper, ref, before)
  return { from, to: callEnd(ref), by, before, after, now: null, taken_at, late: settled !== 'yes' && !ref.background, root }
}

function loadBackground(keeper: Keeper, ref: StageRef, earlier: boolean): BackgroundSpan[] {
  if (!ref.background) return []
  const before = manifestOf(keeper, ref, afterOf)
  return [{ ...ref.background, before, after: afterBackground(keeper, ref, before), taken_at: ref.taken_at, earlier }]
}

/** A pack of another run that is damaged must not keep this one from its restore. */
function loadOther(keeper: Keeper, ref: StageRef): OtherSpan[] {
  const call = unlessDamaged(() => {
    const before = manifestOf(keeper, ref, beforeOf)
    return { before, after: afterCall(keeper, ref, before) }
  })
  const spans: OtherSpan[] = [{ from: ref.from, to: callEnd(ref), by: ref.by, seen: call }]
  if (!ref.background) return spans
  const background = unlessDamaged(() => {
    const before = manifestOf(keeper, ref, afterOf)
    return { before, after: afterBackground(keeper, ref, before) }
  })
  return [...spans, { ...ref.background, by: 'background', seen: background }]
}

function callEnd({ background, to }: StageRef): number {
  return background ? background.from : to
}

function afterCall(keeper: Keeper, ref: StageRef, before: Manifest): Manifest {
  const isSeen = ref.background !== null || ref.settled !== 'no'
  return isSeen ? manifestOf(keeper, ref, afterOf) : keeper.glance(before)
}

function afterBackground(keeper: Keeper, ref: StageRef, before: Manifest): Manifest {
  return ref.settled === 'no' ? keeper.glance(before) : manifestOf(keeper, ref, endOf)
}

function manifestOf(keeper: Keeper, { checkpoint_id, moved }: StageRef, pack: (checkpoint_id: string) => string): Manifest {
  const manifest = keeper.manifest(pack(checkpoint_id))
  return moved ? relocated(manifest, moved) : manifest
}
