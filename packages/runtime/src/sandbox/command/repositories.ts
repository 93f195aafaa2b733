// The repositories in a workspace, at any depth, nearest first.
import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FolderListings, openFolderListings } from './folder-listings.ts'

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

/** The first look takes a few tenths of a second in as many folders, later ones a fraction of that. Folders of installed packages do not count. */
export const mostFolders = 20_000

interface KnownRepositories {
  readonly folders: Set<string>
  readonly bare: Set<string>
  readonly listings: FolderListings
}

/**
 * What was found once stays protected for the life of the process: a command that hides a repository from the search, behind many folders
 * or by removing a file that identifies it, gains nothing. By workspace; shared by all sandboxes of the process.
 */
const known = new Map<string, KnownRepositories>()

export function repositoriesIn(workspace: string): FoundRepositories {
  const before = knownIn(workspace)
  const found = searchRepositories(workspace, before.listings)
  before.listings.forget()
  for (const folder of found.folders) before.folders.add(folder)
  for (const folder of found.bare) before.bare.add(folder)
  for (const folder of before.bare) if (!existsSync(folder)) before.bare.delete(folder)
  const hidden = [...before.folders].filter((folder) => !found.folders.includes(folder) && isThere(join(folder, '.git')))
  return { ...found, folders: [...found.folders, ...hidden], bare: [...before.bare] }
}

function knownIn(workspace: string): KnownRepositories {
  const found = known.get(workspace)
  if (found) return found
  for (const other of known.keys()) if (!existsSync(other)) known.delete(other)
  const added = { folders: new Set<string>(), bare: new Set<string>(), listings: openFolderListings() }
  known.set(workspace, added)
  return added
}

export function searchRepositories(workspace: string, listings: Pick<FolderListings, 'of'>): FoundRepositories {
  const folders: string[] = []
  const bare = new Set<string>()
  const closed = new Set<string>()
  const queue = [workspace]
  let at = 0
  for (; at < queue.length && at < mostFolders; at += 1) {
    const folder = queue[at] ?? ''
    const listing = listings.of(folder)
    if ('closed' in listing) {
      closed.add(listing.closed)
      continue
    }
    if (listing.hasGit) folders.push(folder)
    if (listing.isBare) bare.add(folder)
    const ofObjects = basename(folder) === 'objects' && bare.has(dirname(folder))
    for (const name of listing.subfolders) if (!(ofObjects && objectFolder.test(name))) queue.push(`${folder}/${name}`)
  }
  return { folders, bare: [...bare], closed: [...closed], complete: at === queue.length }
}

/** Git distributes objects to 256 folders. Nothing else below a bare repository is skipped: any folder can be made to look like one. */
const objectFolder = /^[0-9a-f]{2}$/

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A folder on the way cannot be entered.
    return false
  }
}
