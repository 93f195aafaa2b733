// The thread that watches folders: to watch a large folder, all folders in it are listed first.
import { type FSWatcher, watch } from 'node:fs'
import { parentPort } from 'node:worker_threads'

/** The id of a source and its folder. */
export type WatchedFolder = readonly [string, string]

const watchers = new Map<string, { readonly path: string; readonly watcher: FSWatcher }>()
/** Sources whose change was reported a moment ago. */
const reported = new Set<string>()
const quiet_ms = 200

parentPort?.on('message', (folders: readonly WatchedFolder[]) => {
  const wanted = new Map(folders)
  for (const [source_id, { path }] of watchers) if (wanted.get(source_id) !== path) forget(source_id)
  for (const [source_id, path] of wanted) if (!watchers.has(source_id)) follow(source_id, path)
})

function follow(source_id: string, path: string): void {
  try {
    const watcher = watch(path, { recursive: true }, () => report(source_id))
    // Too many folders to watch, or it is gone: the periodic check goes on.
    watcher.on('error', () => forget(source_id))
    watchers.set(source_id, { path, watcher })
  } catch {
    // Missing, or it cannot be watched.
  }
}

function forget(source_id: string): void {
  watchers.get(source_id)?.watcher.close()
  watchers.delete(source_id)
}

function report(source_id: string): void {
  if (reported.has(source_id)) return
  reported.add(source_id)
  setTimeout(() => reported.delete(source_id), quiet_ms)
  parentPort?.postMessage(source_id)
}
