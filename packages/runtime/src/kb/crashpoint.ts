// The crash points of the knowledge base. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = [
  'source_added',
  'files_compared',
  'files_read',
  'documents_writing',
  'documents_written',
  'source_read',
  'source_forgotten',
  'copy_removed',
  'documents_removing',
  'documents_removed',
] as const

export function crashPoint(point: (typeof crashpoints)[number]): void {
  reachCrashpoint(point)
}
