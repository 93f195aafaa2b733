// Finds programs that are installed on this machine.
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first of these names on the `PATH`; null if none is installed. Relative folders are skipped: they depend on the current directory. */
export function findProgram(names: readonly string[], path = process.env.PATH ?? ''): string | null {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
