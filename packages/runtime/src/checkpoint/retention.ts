// Which checkpoints go to make room, when the bytes are used up. Age and count are the contract's rule; this is the third limit.
import { expiredCheckpoints, isProtected } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import { timestamp } from '../clock/clock.ts'
import { type CheckpointRow, toSummary } from './store.ts'

/** By the contract's rule, run by run. */
export function outlived(rows: readonly CheckpointRow[], now: number): string[] {
  const runs = Map.groupBy(rows, ({ run_id }) => run_id)
  return [...runs.values()].flatMap((run) => expiredCheckpoints(run.map(toSummary), timestamp(now)))
}

/** In the order they would go: non-protected first, oldest first. The newest few of each run stay, whatever they weigh. */
export function dispensable(rows: readonly CheckpointRow[]): string[] {
  const kept = new Set<string>()
  for (const run of Map.groupBy(rows, ({ run_id }) => run_id).values()) {
    for (const { checkpoint_id } of run.toSorted((left, right) => right.no - left.no).slice(0, limits.checkpoints_kept))
      kept.add(checkpoint_id)
  }
  const candidates = rows.filter(({ checkpoint_id }) => !kept.has(checkpoint_id)).toSorted((left, right) => left.no - right.no)
  const guarded = (row: CheckpointRow) => isProtected(toSummary(row))
  return [...candidates.filter((row) => !guarded(row)), ...candidates.filter(guarded)].map(({ checkpoint_id }) => checkpoint_id)
}
