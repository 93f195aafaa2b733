// Notices changes of watched folders, in a thread of its own. A periodic check finds what a watcher misses.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock/clock.ts'
import type { SourceRecord } from './source-records.ts'
import type { WatchedFolder } from './watch-main.ts'

export interface Watching {
  /** Watches these folders, and no others. */
  set(sources: readonly SourceRecord[]): void
  stop(): Promise<void>
}

/** A burst of changes is read once. */
const quiet_ms = 1_500

export function openWatching(clock: Clock, changed: (source_id: string) => void): Watching {
  const waiting = new Map<string, () => void>()
  let worker: Worker | null = null
  let isStopped = false

  function noticed(source_id: string): void {
    if (isStopped) return
    waiting.get(source_id)?.()
    waiting.set(
      source_id,
      clock.after(quiet_ms, () => {
        waiting.delete(source_id)
        changed(source_id)
      }),
    )
  }

  function started(): Worker {
    const made = new Worker(new URL('./watch-thread.js', import.meta.url), { name: 'knowledge-watch' })
    made.on('message', noticed)
    // Without it, the periodic check goes on.
    made.on('error', () => undefined)
    made.unref()
    return made
  }

  return {
    set(sources) {
      const folders = sources.flatMap(({ source_id, watch, origin }): WatchedFolder[] =>
        watch && 'path' in origin ? [[source_id, origin.path]] : [],
      )
      if (isStopped || (worker === null && folders.length === 0)) return
      worker ??= started()
      worker.postMessage(folders)
    },
    async stop() {
      isStopped = true
      for (const cancel of waiting.values()) cancel()
      await worker?.terminate()
    },
  }
}
