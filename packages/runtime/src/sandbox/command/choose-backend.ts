// Which program can hold commands here.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Backend } from './backend.ts'
import { bubblewrapBackend } from './bubblewrap-backend.ts'

export interface Choice {
  readonly backend: Backend | null
  /** Why there is none, or not the full one. */
  readonly missing: string
}

export async function chooseBackend(): Promise<Choice> {
  if (!isLikely()) return { backend: null, missing: `${wrapperOf(process.platform)} is not installed` }
  try {
    const { sandboxRuntimeBackend } = await import('./sandbox-runtime-backend.ts')
    return { backend: await sandboxRuntimeBackend(), missing: '' }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return process.platform === 'linux' ? { backend: bubblewrapBackend(), missing } : { backend: null, missing }
  }
}

/** Looks only whether the program is there. */
export function isLikely(path = process.env.PATH ?? ''): boolean {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, wrapperOf(process.platform))))
}

function wrapperOf(platform: NodeJS.Platform): string {
  return platform === 'darwin' ? 'sandbox-exec' : 'bwrap'
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
