// The crash points of behavior mining. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = ['trace_reading', 'gap_result_recorded', 'trace_recording', 'trace_recorded'] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
