import { limits } from '../limits/index.ts'

/** Before a file tool runs, or on demand: task recovery point. Before a command or a restore: safety rollback point. */
export const checkpointNames = {
  task_recovery_point: 'task recovery point',
  safety_rollback_point: 'safety rollback point',
} as const
export type CheckpointName = keyof typeof checkpointNames

export const restoreKinds = ['filesystem_snapshot', 'manifest_snapshot', 'inventory_snapshot'] as const
export type RestoreKind = (typeof restoreKinds)[number]

export interface CheckpointScope {
  readonly files: number
  readonly bytes: number
}

/** Small scopes are stored completely, larger ones as a manifest, very large ones as a list of the direct children. */
export function restoreKind(scope: CheckpointScope): RestoreKind {
  if (scope.files <= limits.small_scope_files && scope.bytes <= limits.small_scope_bytes) return 'filesystem_snapshot'
  return scope.files <= limits.large_scope_files ? 'manifest_snapshot' : 'inventory_snapshot'
}
