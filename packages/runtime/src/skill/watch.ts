// Tells when something below the folders of skills has changed, once it is quiet again.
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { skillLimits } from './limits.ts'
import type { SkillFolder } from './roots.ts'

/** The answer ends the watching. A folder that can't be watched is scanned when it is asked for, like all others. */
export function watchFolders(folders: readonly SkillFolder[], clock: Clock, changed: () => void): () => void {
  let cancel: (() => void) | null = null
  let ended = false
  const watchers = new Map<string, FSWatcher>()

  function soon(): void {
    cancel?.()
    cancel = clock.after(skillLimits.quiet_ms, () => {
      cancel = null
      changed()
    })
  }

  /** A folder that is not there is waited for at the nearest one above it. */
  function follow(path: string): void {
    const seen = nearest(path)
    watchers.get(path)?.close()
    watchers.delete(path)
    function stirred(): void {
      if (ended) return
      if (seen === path) soon()
      if (nearest(path) === seen) return
      follow(path)
      if (existsSync(path)) soon()
    }
    try {
      const watcher = watch(seen, { recursive: seen === path, persistent: false }, stirred)
      watcher.on('error', () => watcher.close())
      watchers.set(path, watcher)
    } catch {
      // Gone, or not ours to watch.
      return
    }
    // It may have come while we looked above it.
    if (nearest(path) !== seen) stirred()
  }

  for (const { path } of folders) follow(path)
  return () => {
    ended = true
    cancel?.()
    for (const watcher of watchers.values()) watcher.close()
  }
}

function nearest(path: string): string {
  const above = dirname(path)
  return existsSync(path) || above === path ? path : nearest(above)
}
