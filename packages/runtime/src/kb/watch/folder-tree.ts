// Watches a folder and all folders in it. Node's own recursive watching does this on Linux with one watch per file, and ends the thread if a
// file disappears at the wrong moment.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../path/inside.ts'

export interface FolderTree {
  close(): void
}

export interface FolderTreeOptions {
  readonly root: string
  /** Names of folders that are not watched. */
  readonly skipped?: ReadonlySet<string>
  /** Something in it may have changed. */
  changed(): void
  /** It is not watched any more: it is gone, or the system allows no more watches. Called at most once. */
  failed(error: Error): void
  /** Whether the system watches all folders below by itself. */
  readonly isRecursive?: boolean
  readonly watchFolder?: typeof watch
}

interface WatchedFolder {
  /** A folder that is made in its place may get the same number, but not the same time. */
  readonly identity: string
  readonly watcher: FSWatcher
}

/** The limit of all programs of a user may be as low as 8,192. */
const mostFolders = 4_000

export function watchTree(options: FolderTreeOptions): FolderTree {
  const { root, skipped = new Set(), changed, failed, isRecursive = process.platform !== 'linux', watchFolder = watch } = options
  const folders = new Map<string, WatchedFolder>()
  let isClosed = false

  function close(): void {
    isClosed = true
    for (const { watcher } of folders.values()) watcher.close()
    folders.clear()
  }

  function fail(error: unknown): void {
    if (isClosed) return
    close()
    failed(error instanceof Error ? error : new Error(String(error)))
  }

  function forget(folder: string): void {
    for (const [path, { watcher }] of folders) {
      if (!isInside(path, folder)) continue
      watcher.close()
      folders.delete(path)
    }
  }

  function noticed(folder: string, event: string, name: string | null): void {
    if (isClosed) return
    try {
      if (event === 'rename') follow(root)
      if (event === 'rename' && !isRecursive && name !== null && !skipped.has(name)) follow(join(folder, name))
      if (!folders.has(root)) throw new Error('it is gone')
    } catch (error) {
      fail(error)
    }
    changed()
  }

  /** Watches it if it is a folder now, with all folders in it; and no longer what was there before. */
  function follow(path: string): void {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    const identity = stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : null
    const before = folders.get(path)
    if (before && before.identity !== identity) forget(path)
    if (identity === null || folders.has(path)) return
    if (folders.size >= mostFolders) throw new Error(`it has more than ${mostFolders} folders`)
    try {
      const watcher = watchFolder(path, { recursive: isRecursive }, (event, name) => noticed(path, event, name))
      watcher.on('error', fail)
      folders.set(path, { identity, watcher })
      if (!isRecursive) for (const below of foldersIn(path, skipped)) follow(join(path, below))
    } catch (error) {
      // A folder that may not be entered, or is gone by now, contains nothing that can be found.
      if (path === root || !isOutOfReach(error)) throw error
    }
  }

  try {
    follow(root)
    if (folders.size === 0) throw new Error('there is no such folder')
  } catch (error) {
    fail(error)
  }
  return { close }
}

function foldersIn(path: string, skipped: ReadonlySet<string>): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .map(({ name }) => name)
}

function isOutOfReach(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
