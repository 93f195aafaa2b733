// Which program can restrict commands on this machine.
import { findProgram } from '../../path/program.ts'
import type { Backend } from './backend.ts'
import { bubblewrapBackend } from './bubblewrap-backend.ts'

export interface BackendChoice {
  readonly backend: Backend | null
  /** Why there is none, or not the full one. */
  readonly missing: string
}

/** `isProven`: the full sandbox has passed its self-test recently, so that what only some commands need is started for those. */
export async function chooseBackend(isProven = false): Promise<BackendChoice> {
  if (!isInstalled()) return { backend: null, missing: `${wrapperOf(process.platform)} is not installed` }
  try {
    const { sandboxRuntimeBackend } = await import('./sandbox-runtime-backend.ts')
    return { backend: await sandboxRuntimeBackend(isProven), missing: '' }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return process.platform === 'linux' ? { backend: bubblewrapBackend(), missing } : { backend: null, missing }
  }
}

/** Where a program was found is remembered: this is checked for every call. */
const found = new Set<string>()

/** Only checks whether the program is installed. */
export function isInstalled(path = process.env.PATH ?? ''): boolean {
  if (found.has(path)) return true
  const likely = findProgram([wrapperOf(process.platform)], path) !== null
  if (likely) found.add(path)
  return likely
}

function wrapperOf(platform: NodeJS.Platform): string {
  return platform === 'darwin' ? 'sandbox-exec' : 'bwrap'
}
