// The thread that watches folders: to watch a large folder, all folders in it are listed first.
import { parentPort } from 'node:worker_threads'
import { neverEntered } from '../walk/file-rules.ts'
import { type FolderTree, watchTree } from './folder-tree.ts'

/** The id of a source and its folder. */
export type WatchedFolder = readonly [string, string]

/** What the thread reports about a source: `unwatched` if changes of its folder cannot be noticed. */
export interface WatchReport {
  readonly source_id: string
  readonly is: 'changed' | 'watched' | 'unwatched'
}

const trees = new Map<string, { readonly path: string; readonly tree: FolderTree }>()
/** Sources whose change was reported a moment ago. */
const reported = new Set<string>()
const quiet_ms = 200

parentPort?.on('message', (folders: readonly WatchedFolder[]) => {
  const wanted = new Map(folders)
  for (const [source_id, { path }] of trees) if (wanted.get(source_id) !== path) forget(source_id)
  for (const [source_id, path] of wanted) if (!trees.has(source_id)) follow(source_id, path)
})

function follow(source_id: string, path: string): void {
  let isFailed = false
  const tree = watchTree({
    root: path,
    skipped: neverEntered,
    changed: () => reportChange(source_id),
    failed() {
      isFailed = true
      trees.delete(source_id)
      report({ source_id, is: 'unwatched' })
    },
  })
  if (isFailed) return
  trees.set(source_id, { path, tree })
  report({ source_id, is: 'watched' })
}

function forget(source_id: string): void {
  trees.get(source_id)?.tree.close()
  trees.delete(source_id)
}

function reportChange(source_id: string): void {
  if (reported.has(source_id)) return
  reported.add(source_id)
  setTimeout(() => reported.delete(source_id), quiet_ms)
  report({ source_id, is: 'changed' })
}

function report(message: WatchReport): void {
  parentPort?.postMessage(message)
}
