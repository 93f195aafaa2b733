// The crash points of learning. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = ['cycle_recording', 'cycle_recorded', 'opinion_recording', 'opinion_recorded', 'writeback_committing'] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
