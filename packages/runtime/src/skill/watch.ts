// Reports changes below the skill folders, once there are no more changes for a moment.
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { skillLimits } from './limits.ts'
import type { SkillFolder } from './roots.ts'

/** Returns a function that stops watching. A folder that cannot be watched is scanned on demand, like all others. */
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

  /** For a folder that does not exist, watches its nearest existing parent. */
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
      // Missing, or not ours to watch.
      return
    }
    // It may have been created meanwhile.
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
