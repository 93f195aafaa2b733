import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** An absolute path without links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It does not exist, or may not be read: then the folder above it decides.
    const above = dirname(path)
    return above === path ? path : join(realPath(above), basename(path))
  }
}
