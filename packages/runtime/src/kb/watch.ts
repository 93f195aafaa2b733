// Notices changes of watched folders. A periodic check finds what a watcher misses.
import { type FSWatcher, watch } from 'node:fs'
import type { Clock } from '../clock/clock.ts'
import type { SourceRecord } from './source-records.ts'

export interface Watching {
  /** Watches these folders, and no others. */
  set(sources: readonly SourceRecord[]): void
  stop(): void
}

/** A burst of changes is read once. */
const quiet_ms = 1_500

export function openWatching(clock: Clock, changed: (source_id: string) => void): Watching {
  const watchers = new Map<string, { readonly path: string; readonly watcher: FSWatcher }>()
  const waiting = new Map<string, () => void>()

  function noticed(source_id: string): void {
    waiting.get(source_id)?.()
    waiting.set(
      source_id,
      clock.after(quiet_ms, () => {
        waiting.delete(source_id)
        changed(source_id)
      }),
    )
  }

  function forget(source_id: string): void {
    watchers.get(source_id)?.watcher.close()
    watchers.delete(source_id)
    waiting.get(source_id)?.()
    waiting.delete(source_id)
  }

  function follow(source_id: string, path: string): void {
    try {
      const watcher = watch(path, { recursive: true, persistent: false }, () => noticed(source_id))
      // Too many folders to watch, or it is gone: the periodic check goes on.
      watcher.on('error', () => forget(source_id))
      watchers.set(source_id, { path, watcher })
    } catch {
      // Missing, or it cannot be watched.
    }
  }

  return {
    set(sources) {
      const wanted = new Map(
        sources.flatMap(({ source_id, watch: isWatched, origin }) => (isWatched && 'path' in origin ? [[source_id, origin.path]] : [])),
      )
      for (const [source_id, { path }] of watchers) if (wanted.get(source_id) !== path) forget(source_id)
      for (const [source_id, path] of wanted) if (!watchers.has(source_id)) follow(source_id, path)
    },
    stop() {
      for (const source_id of [...watchers.keys(), ...waiting.keys()]) forget(source_id)
    },
  }
}
