// Folders whose modes prevent access: opened temporarily, and closed again.
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../content/pack.ts'
import { hasCode, statsOf } from '../content/stats.ts'

export class OpenedFolders {
  /** The modes to set again at the end. */
  readonly #opened: Map<string, number>
  readonly #worked = new Set<string>()

  constructor(closed: readonly (readonly [string, number])[]) {
    this.#opened = new Map(closed)
  }

  /** Opens the folders above a path, as far as we own them. */
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

  /** It has its final mode. */
  done(folder: string): void {
    this.#opened.delete(folder)
  }

  /** Syncs what was written. */
  end(): void {
    for (const folder of this.#worked) if (statsOf(folder)?.isDirectory()) trySync(folder)
    // Whatever replaced a folder has its own permissions; setting them through a link would change the link's target.
    for (const [folder, mode] of [...this.#opened].reverse()) if (statsOf(folder)?.isDirectory()) chmodSync(folder, mode)
  }
}

function trySync(folder: string): void {
  try {
    syncFolder(folder)
  } catch (error) {
    // A folder that is writable but not readable cannot be synced; its files were.
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error
  }
}
