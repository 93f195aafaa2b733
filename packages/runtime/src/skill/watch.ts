// Tells when something below the folders of skills has changed, once it is quiet again.
import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '../clock/clock.ts'
import { skillLimits } from './limits.ts'
import type { SkillFolder } from './roots.ts'

/** The answer ends the watching. A folder that can't be watched is scanned when it is asked for, like all others. */
export function watchFolders(folders: readonly SkillFolder[], clock: Clock, changed: () => void): () => void {
  let cancel: (() => void) | null = null
  const watchers: FSWatcher[] = []

  function soon(): void {
    cancel?.()
    cancel = clock.after(skillLimits.quiet_ms, () => {
      cancel = null
      changed()
    })
  }

  for (const { path } of folders) {
    try {
      const watcher = watch(path, { recursive: true, persistent: false }, soon)
      watcher.on('error', () => watcher.close())
      watchers.push(watcher)
    } catch {
      // Not there yet; the next scan looks again.
    }
  }
  return () => {
    cancel?.()
    for (const watcher of watchers) watcher.close()
  }
}
