// The repositories in a workspace, at any depth, nearest first.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface FoundRepositories {
  /** Folders that contain a `.git`. */
  readonly folders: readonly string[]
  /** Folders that are git directories themselves: bare repositories. */
  readonly bare: readonly string[]
}

/** Takes at most one or two tenths of a second. Folders of installed packages do not count. */
const mostFolders = 5_000

export function repositoriesIn(workspace: string): FoundRepositories {
  const folders: string[] = []
  const bare: string[] = []
  const queue = [workspace]
  for (let at = 0; at < queue.length && at < mostFolders; at += 1) {
    const folder = queue[at] ?? ''
    const entries = entriesOf(folder)
    const names = new Set(entries.map(({ name }) => name))
    if (names.has('.git')) folders.push(folder)
    if (['HEAD', 'objects', 'refs'].every((name) => names.has(name))) bare.push(folder)
    else for (const entry of entries) if (entry.isDirectory() && !skipped.includes(entry.name)) queue.push(join(folder, entry.name))
  }
  return { folders, bare }
}

const skipped = ['.git', 'node_modules']

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // If we cannot list a folder, a command cannot either.
    return []
  }
}
