// Packs that outlive their checkpoint because others need contents of them. The last sweep writes down which they are, so that a start
// can tell them from the leftovers of a crash without opening any pack.
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
    // On a full disk, say. Without the list the next start sweeps once more than it has to.
    rmSync(temp, { force: true })
  }
}
