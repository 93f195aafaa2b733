// Folders that stand in the way by their modes: opened for the time of the work, and closed again.
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../content/pack.ts'
import { hasCode, statsOf } from '../content/stats.ts'

export class OpenedFolders {
  /** The modes they get back. */
  readonly #opened: Map<string, number>
  readonly #worked = new Set<string>()

  constructor(closed: readonly (readonly [string, number])[]) {
    this.#opened = new Map(closed)
  }

  /** What is above a path is opened, as far as it is ours. */
  above(path: string): void {
    const closed: string[] = []
    for (let folder = dirname(path); folder !== dirname(folder) && !this.#worked.has(folder); folder = dirname(folder)) closed.push(folder)
    for (const folder of closed.reverse()) {
      const stats = statsOf(folder)
      if (!stats?.isDirectory()) return
      if (folder === dirname(path)) this.#worked.add(folder)
      const needed = folder === dirname(path) ? 0o300 : 0o100
      if ((stats.mode & needed) === needed || stats.uid !== process.geteuid?.()) continue
      if (!this.#opened.has(folder)) this.#opened.set(folder, stats.mode & 0o7777)
      chmodSync(folder, (stats.mode & 0o7777) | 0o700)
    }
  }

  /** It has the mode it shall have. */
  done(folder: string): void {
    this.#opened.delete(folder)
  }

  /** What was written is synced. */
  end(): void {
    for (const folder of this.#worked) if (statsOf(folder)?.isDirectory()) trySync(folder)
    // What took the place of a folder has permissions of its own, and through a link they would go to what it leads to.
    for (const [folder, mode] of [...this.#opened].reverse()) if (statsOf(folder)?.isDirectory()) chmodSync(folder, mode)
  }
}

function trySync(folder: string): void {
  try {
    syncFolder(folder)
  } catch (error) {
    // A folder that may be written but not read can't be synced; its files were.
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error
  }
}
