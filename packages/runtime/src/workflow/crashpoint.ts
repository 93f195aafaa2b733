// The crash points of workflows. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = [
  'workflow_started',
  'node_started',
  'node_ended',
  'child_started',
  'workflow_canceled',
  'effect_undone',
  'workflow_ending',
] as const
export type WorkflowCrashpoint = (typeof crashpoints)[number]

export function crashPoint(point: WorkflowCrashpoint): void {
  reachCrashpoint(point)
}
