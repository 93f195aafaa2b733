// The crash points of memory. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = ['runs_counting', 'runs_counted', 'procedure_writing', 'procedure_written', 'runs_finished'] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
