// Notices changes of watched folders, in a thread of its own. A folder that cannot be watched, for example because the system allows no more
// watches, is checked now and then. A periodic check of all sources finds what a watcher misses.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../clock/clock.ts'
import type { SourceRecord } from '../source-records.ts'
import type { WatchedFolder, WatchReport } from './watch-main.ts'

export interface Watching {
  /** Watches these folders, and no others. */
  set(sources: readonly Pick<SourceRecord, 'source_id' | 'watch' | 'origin'>[]): void
  /** How many folders should be watched and cannot be. */
  unwatched(): number
  stop(): Promise<void>
}

export interface WatchingPorts {
  readonly clock: Clock
  /** Read it again. */
  changed(source_id: string): void
  /** How many files it had when it was last read. */
  files(source_id: string): number
  start?(): WatchThread
}

/** What is needed of the thread. */
export interface WatchThread {
  postMessage(folders: readonly WatchedFolder[]): void
  on(event: 'message', call: (report: WatchReport) => void): unknown
  on(event: 'error' | 'exit', call: () => void): unknown
  terminate(): Promise<unknown>
}

/** A burst of changes is read once, and a folder that never rests is read all the same. */
const [quiet_ms, longest_ms] = [1_500, 15_000]
/** Of a folder that cannot be watched: a large one, for which a check costs more, is checked more rarely. */
const [shortest_check_ms, check_ms_per_file] = [30_000, 10]

export function openWatching({ clock, changed, files, start = startThread }: WatchingPorts): Watching {
  const waiting = new Map<string, { readonly since: number; cancel(): void }>()
  /** By source: ends the wait for its next check. */
  const unwatched = new Map<string, () => void>()
  let wanted: readonly WatchedFolder[] = []
  let thread: WatchThread | null = null
  let isStopped = false

  function noticed(source_id: string): void {
    const { since = clock.elapsed(), cancel } = waiting.get(source_id) ?? {}
    cancel?.()
    const wait = Math.min(quiet_ms, since + longest_ms - clock.elapsed())
    waiting.set(source_id, {
      since,
      cancel: clock.after(wait, () => {
        waiting.delete(source_id)
        changed(source_id)
      }),
    })
  }

  function checkLater(source_id: string): void {
    unwatched.get(source_id)?.()
    const wait = Math.max(shortest_check_ms, files(source_id) * check_ms_per_file)
    const check = () => {
      changed(source_id)
      checkLater(source_id)
      // It may be possible by now.
      send()
    }
    unwatched.set(source_id, clock.after(wait, check))
  }

  function forget(source_id: string): void {
    unwatched.get(source_id)?.()
    unwatched.delete(source_id)
  }

  function reported({ source_id, is }: WatchReport): void {
    if (isStopped || !wanted.some(([one]) => one === source_id)) return
    // What changed before it was watched again, nobody noticed.
    if (is === 'changed' || (is === 'watched' && unwatched.has(source_id))) noticed(source_id)
    if (is === 'changed') return
    if (is === 'watched') forget(source_id)
    else if (!unwatched.has(source_id)) checkLater(source_id)
  }

  function started(): WatchThread {
    const made = start()
    const ended = () => {
      if (thread !== made || isStopped) return
      thread = null
      for (const [source_id] of wanted) if (!unwatched.has(source_id)) checkLater(source_id)
    }
    made.on('message', reported)
    made.on('error', ended)
    made.on('exit', ended)
    return made
  }

  function send(): void {
    if (isStopped || (thread === null && wanted.length === 0)) return
    thread ??= started()
    thread.postMessage(wanted)
  }

  return {
    set(sources) {
      wanted = sources.flatMap(({ source_id, watch, origin }): WatchedFolder[] =>
        watch && origin.kind === 'folder' ? [[source_id, origin.path]] : [],
      )
      for (const source_id of unwatched.keys()) if (!wanted.some(([one]) => one === source_id)) forget(source_id)
      send()
    },
    unwatched: () => unwatched.size,
    async stop() {
      isStopped = true
      for (const { cancel } of waiting.values()) cancel()
      for (const cancel of unwatched.values()) cancel()
      await thread?.terminate()
    },
  }
}

function startThread(): WatchThread {
  const made = new Worker(new URL('./watch-thread.js', import.meta.url), { name: 'knowledge-watch' })
  made.unref()
  return made
}
