// The crash points of deleting conversations. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = [
  'erase:chosen',
  'erase:points',
  'erase:rows',
  'erase:file',
  'erase:files',
  'erase:index',
  'erase:scrubbed',
  'erase:done',
] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
