// The folders in a folder, as its user sees them: names, links and whether they can be opened. Files are never read.
import type { Dirent } from 'node:fs'
import { access, constants, opendir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListedFolder } from '@tandem/contract/command'

export interface FolderListing {
  /** Sorted by name. */
  readonly folders: readonly FolderEntry[]
  readonly hidden_folders: number
  readonly truncated: boolean
}

export interface FolderEntry {
  readonly name: string
  readonly isLink: boolean
}

export interface ListingOptions {
  readonly hidden: boolean
  readonly starts_with: string
}

/** A folder with more entries is listed in part: a list of that length helps no one. */
const mostEntries = 20_000

/** Throws the system error if the folder cannot be read. */
export async function listFolders(folder: string, { hidden, starts_with }: ListingOptions): Promise<FolderListing> {
  const folders: FolderEntry[] = []
  const prefix = starts_with.toLowerCase()
  let hidden_folders = 0
  let read = 0
  let truncated = false
  const directory = await opendir(folder, { bufferSize: 256 })
  try {
    for (let entry = await directory.read(); entry !== null; entry = await directory.read()) {
      read += 1
      if (read > mostEntries) {
        truncated = true
        break
      }
      const { name } = entry
      if (!name.toLowerCase().startsWith(prefix) || !(await isFolder(folder, entry))) continue
      // Someone who types the dot wants the hidden ones.
      if (name.startsWith('.') && !hidden && !prefix.startsWith('.')) hidden_folders += 1
      else folders.push({ name, isLink: entry.isSymbolicLink() })
    }
  } finally {
    await directory.close()
  }
  folders.sort((left, right) => compareNames(left.name, right.name))
  return { folders, hidden_folders, truncated }
}

/** Only for the entries that are shown: each one costs a call to the system. */
export async function describeFolder(parent: string, { name, isLink }: FolderEntry): Promise<ListedFolder> {
  const path = join(parent, name)
  const link = isLink ? await readlink(path).catch(() => null) : null
  return { name, path, hidden: name.startsWith('.'), link, state: await folderState(path) }
}

export async function folderState(path: string): Promise<ListedFolder['state']> {
  try {
    if (!(await stat(path)).isDirectory()) return 'missing'
    await access(path, constants.R_OK | constants.X_OK)
    return 'available'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable'
  }
}

/** Created when it is first used: its data takes long to load. */
let collator: Intl.Collator | null = null

/** A total order: names that differ only in case keep one. */
export function compareNames(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  return collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0)
}

async function isFolder(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  // A link that leads nowhere is not a folder.
  return await stat(join(folder, entry.name)).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
