// What an approval shows before a call runs, and when it must be shown again.
import { type RestoreKind, restoreKinds } from '@tandem/contract/checkpoint'
import type { ChangeScope } from './scan/scope.ts'
import type { Unprotected } from './unprotected.ts'

/** What taking a checkpoint needs from a plan: it scans again. */
export interface CheckpointedCall {
  readonly call_id: string
  readonly tool: string
  readonly scope: ChangeScope
}

export interface CheckpointPlan extends CheckpointedCall {
  readonly kind: RestoreKind
  readonly files: number
  readonly bytes: number
  readonly kept_files: number
  readonly kept_bytes: number
  /** Named targets whose content can be saved, or that do not exist yet. */
  readonly protected_targets: readonly string[]
  readonly unprotected: readonly Unprotected[]
}

/** The plan of a call that runs without a recovery point, because the budget is used up. */
export function withoutRecoveryPoint(plan: CheckpointPlan): CheckpointPlan {
  const unprotected: Unprotected = { cause: 'store_full', count: 1, paths: [plan.scope.root] }
  return { ...plan, kept_files: 0, kept_bytes: 0, protected_targets: [], unprotected: [unprotected] }
}

export function hasNoRecoveryPoint({ unprotected }: CheckpointPlan): boolean {
  return unprotected.some(({ cause }) => cause === 'store_full')
}

/** A user approved `earlier`: everything that it promised must still be true. */
export function isWeaker(earlier: CheckpointPlan, now: CheckpointPlan): boolean {
  // Nothing was promised.
  if (hasNoRecoveryPoint(earlier)) return false
  if (earlier.scope.root !== now.scope.root || earlier.scope.reach !== now.scope.reach) return true
  // Plans that an earlier version stored with an approval have no further folders.
  const { folders = [] } = earlier.scope
  if (folders.some((folder) => !now.scope.folders.includes(folder))) return true
  if (restoreKinds.indexOf(now.kind) > restoreKinds.indexOf(earlier.kind)) return true
  if (earlier.protected_targets.some((target) => !now.protected_targets.includes(target))) return true
  return now.unprotected.some(({ cause, count }) => count > (earlier.unprotected.find((one) => one.cause === cause)?.count ?? 0))
}
