// The crash points of importing conversations. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../../store/crash-hook.ts'

export const crashpoints = ['import:begun', 'import:written', 'import:stored'] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
