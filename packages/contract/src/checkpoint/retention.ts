import type { FailureTaxonomy } from '../failure/index.ts'
import { limits } from '../limits/index.ts'

export interface RetainedCheckpoint {
  readonly checkpoint_id: string
  readonly created_at: string
  readonly restored: boolean
  readonly pending_approval: boolean
  readonly taxonomy: FailureTaxonomy
}

/** Restored, waiting for an approval, or after a failure: kept longer, and deleted last. */
export function isProtected(checkpoint: RetainedCheckpoint): boolean {
  return checkpoint.restored || checkpoint.pending_approval || checkpoint.taxonomy !== 'none'
}

/** The ids one run gives up at `now`: outlived ones, then those over the cap, non-protected and oldest first. The newest few always stay. */
export function expiredCheckpoints(
  checkpoints: readonly RetainedCheckpoint[],
  now: string,
  cap: number = limits.checkpoints_per_run,
): string[] {
  const oldestFirst = checkpoints.toSorted(byAge)
  const candidates = oldestFirst.slice(0, Math.max(0, oldestFirst.length - limits.checkpoints_kept))
  const expired = new Set(candidates.filter((checkpoint) => hasOutlived(checkpoint, now)))
  const remaining = candidates.filter((checkpoint) => !expired.has(checkpoint))
  const surplus = Math.max(0, checkpoints.length - expired.size - cap)
  const deletedFirst = [...remaining.filter((one) => !isProtected(one)), ...remaining.filter(isProtected)]
  for (const checkpoint of deletedFirst.slice(0, surplus)) expired.add(checkpoint)
  return oldestFirst.filter((checkpoint) => expired.has(checkpoint)).map((checkpoint) => checkpoint.checkpoint_id)
}

function hasOutlived(checkpoint: RetainedCheckpoint, now: string): boolean {
  const age = Date.parse(now) - Date.parse(checkpoint.created_at)
  return age > (isProtected(checkpoint) ? limits.checkpoint_protected_window_ms : limits.checkpoint_window_ms)
}

function byAge(left: RetainedCheckpoint, right: RetainedCheckpoint): number {
  return Date.parse(left.created_at) - Date.parse(right.created_at) || (left.checkpoint_id < right.checkpoint_id ? -1 : 1)
}
