// Packs that are kept after their checkpoint was deleted because others need their contents. The last sweep writes the list, so that a
// start can tell them from the leftovers of a crash without opening any pack.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGone } from './stats.ts'

const listOf = (folder: string) => join(folder, 'shared-packs')

export function readSharedPacks(folder: string): readonly string[] {
  try {
    return readFileSync(listOf(folder), 'utf8').split('\n')
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

export function writeSharedPacks(folder: string, names: readonly string[]): void {
  const temp = `${listOf(folder)}.tmp`
  try {
    writeFileSync(temp, names.join('\n'), { mode: 0o600 })
    renameSync(temp, listOf(folder))
  } catch {
    // For example on a full disk. Without the list, the next start makes one unnecessary sweep.
    rmSync(temp, { force: true })
  }
}
