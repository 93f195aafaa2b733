// Pages and pasted texts, as private files: the knowledge base can be built again from them.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileTimes } from './walk/find-files.ts'

export interface Copies {
  path(source_id: string): string
  /** Replaces what was there. */
  write(source_id: string, content: string | Uint8Array): void
  stats(source_id: string): FileTimes | null
  remove(source_id: string): void
  /** Removes the copies of sources that no longer exist. */
  keep(source_ids: readonly string[]): void
}

export function openCopies(home: string): Copies {
  const folder = join(home, 'kb')
  const path = (source_id: string) => join(folder, source_id)
  return {
    path,
    write(source_id, content) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const temporary = `${path(source_id)}.new`
      writeFileSync(temporary, content, { mode: 0o600, flush: true })
      chmodSync(temporary, 0o600)
      renameSync(temporary, path(source_id))
    },
    stats(source_id) {
      const stats = lstatSync(path(source_id), { throwIfNoEntry: false })
      return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs, ctime: stats.ctimeMs, ino: stats.ino } : null
    },
    remove(source_id) {
      rmSync(path(source_id), { force: true })
      rmSync(`${path(source_id)}.new`, { force: true })
    },
    keep(source_ids) {
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) if (!source_ids.includes(name)) rmSync(join(folder, name), { force: true })
    },
  }
}
