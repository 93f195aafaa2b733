// The repositories in a workspace, at any depth, nearest first.
import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface FoundRepositories {
  /** Folders that contain a `.git`. */
  readonly folders: readonly string[]
  /** Folders that are git directories themselves: bare repositories. */
  readonly bare: readonly string[]
  /** Folders of this user that cannot be listed. A command could make them accessible, so what is in them must be protected as a whole. */
  readonly closed: readonly string[]
  /** Whether all folders were searched. */
  readonly complete: boolean
}

/** Takes at most one or two tenths of a second. Folders of installed packages do not count. */
export const mostFolders = 5_000

/**
 * What was found once stays protected for the life of the process: a command that hides a repository from the search, behind many folders
 * or by removing a file that identifies it, gains nothing. By workspace; shared by all sandboxes of the process.
 */
const known = new Map<string, { readonly folders: Set<string>; readonly bare: Set<string> }>()

export function repositoriesIn(workspace: string): FoundRepositories {
  const found = search(workspace)
  const before = knownIn(workspace)
  for (const folder of found.folders) before.folders.add(folder)
  for (const folder of found.bare) before.bare.add(folder)
  for (const folder of before.bare) if (!existsSync(folder)) before.bare.delete(folder)
  const hidden = [...before.folders].filter((folder) => !found.folders.includes(folder) && isThere(join(folder, '.git')))
  return { ...found, folders: [...found.folders, ...hidden], bare: [...before.bare] }
}

function knownIn(workspace: string) {
  const found = known.get(workspace)
  if (found) return found
  for (const other of known.keys()) if (!existsSync(other)) known.delete(other)
  const added = { folders: new Set<string>(), bare: new Set<string>() }
  known.set(workspace, added)
  return added
}

function search(workspace: string): FoundRepositories {
  const folders: string[] = []
  const bare = new Set<string>()
  const closed = new Set<string>()
  const queue = [workspace]
  let at = 0
  for (; at < queue.length && at < mostFolders; at += 1) {
    const folder = queue[at] ?? ''
    const entries = entriesOf(folder)
    if (entries === null) closed.add(closedFolder(folder))
    const names = new Set(entries?.map(({ name }) => name))
    if (names.has('.git')) folders.push(folder)
    if (['HEAD', 'objects', 'refs'].every((name) => names.has(name))) bare.add(folder)
    const ofObjects = basename(folder) === 'objects' && bare.has(dirname(folder))
    for (const entry of entries ?? []) {
      if (entry.isDirectory() && !skipped.includes(entry.name) && !(ofObjects && objectFolder.test(entry.name))) {
        queue.push(join(folder, entry.name))
      }
    }
  }
  return { folders, bare: [...bare], closed: [...closed], complete: at === queue.length }
}

const skipped = ['.git', 'node_modules']

/** Git distributes objects to 256 folders. Nothing else below a bare repository is skipped: any folder can be made to look like one. */
const objectFolder = /^[0-9a-f]{2}$/

/** Null for a folder of this user that cannot be listed. */
function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES'
    // If a folder of another user cannot be listed, a command cannot list it either.
    return denied && lstatSync(closedFolder(folder)).uid === process.getuid?.() ? null : []
  }
}

/** The folder that denies access: the folder itself, or one above it that cannot be entered. */
function closedFolder(folder: string): string {
  return isThere(folder) ? folder : closedFolder(dirname(folder))
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A folder on the way cannot be entered.
    return false
  }
}
