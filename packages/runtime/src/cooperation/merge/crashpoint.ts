// The crash points of copies and merges. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../../store/crash-hook.ts'

export const crashpoints = ['copy_copied', 'copy_made', 'merge_staged', 'merge_applying', 'merge_unrecorded', 'merge_applied'] as const
export type MergeCrashpoint = (typeof crashpoints)[number]

export function crashPoint(point: MergeCrashpoint): void {
  reachCrashpoint(point)
}
