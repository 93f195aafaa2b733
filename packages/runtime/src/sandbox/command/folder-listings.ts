// Which subfolders the folders of a workspace have, read again only if they changed. The time of the last change (ctime) cannot be set by a
// program, and every new, renamed or removed entry changes that of its folder.
import { type BigIntStats, type Dirent, lstatSync, readdirSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

export interface FolderListing {
  readonly hasGit: boolean
  /** It has the entries of a git directory. */
  readonly isBare: boolean
  readonly subfolders: readonly string[]
}

export interface FolderListings {
  /** `closed`: a folder of this user that cannot be listed, by the path of the folder that denies it. */
  of(folder: string): FolderListing | { readonly closed: string }
  /** Drops what was not asked for since the last call. */
  forget(): void
}

interface ReadListing {
  readonly changed: string
  readonly listing: FolderListing
}

/** A change that is as recent as the look can be followed by another one with the same time. */
const settledAfter_ms = 1_000

/** `settled_ms` is for tests. */
export function openFolderListings(settled_ms = settledAfter_ms): FolderListings {
  const read = new Map<string, ReadListing>()
  const asked = new Set<string>()
  const exact = new Map<bigint, boolean>()

  function isExact(folder: string, { dev }: BigIntStats): boolean {
    const known = exact.get(dev) ?? hasExactTimes(folder)
    exact.set(dev, known)
    return known
  }

  return {
    of(folder) {
      asked.add(folder)
      try {
        const found = lstatSync(folder, { bigint: true })
        const changed = `${found.dev} ${found.ino} ${found.ctimeNs}`
        const before = read.get(folder)
        if (before?.changed === changed) return before.listing
        const isSettled = Number(found.ctimeNs / 1_000_000n) < Date.now() - settled_ms
        const listing = listingOf(readdirSync(folder, { withFileTypes: true }))
        if (isSettled && isExact(folder, found)) read.set(folder, { changed, listing })
        else read.delete(folder)
        return listing
      } catch (error) {
        read.delete(folder)
        const denied = error instanceof Error && 'code' in error && error.code === 'EACCES' ? closedFolder(folder) : null
        // If a folder of another user cannot be listed, a command cannot list it either.
        return denied !== null && lstatSync(denied).uid === process.getuid?.() ? { closed: denied } : nothing
      }
    },
    forget() {
      for (const folder of read.keys()) if (!asked.has(folder)) read.delete(folder)
      asked.clear()
    },
  }
}

const nothing: FolderListing = { hasGit: false, isBare: false, subfolders: [] }

/** Folders of installed packages do not count. */
const skipped = ['.git', 'node_modules']

function listingOf(entries: readonly Dirent[]): FolderListing {
  const names = new Set(entries.map(({ name }) => name))
  return {
    hasGit: names.has('.git'),
    isBare: ['HEAD', 'objects', 'refs'].every((name) => names.has(name)),
    subfolders: entries.filter((entry) => entry.isDirectory() && !skipped.includes(entry.name)).map(({ name }) => name),
  }
}

/** ext, xfs, btrfs, tmpfs, overlayfs, f2fs, zfs. Others can have coarse times, or times that another machine or program sets. */
const exactFileSystems = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1]

function hasExactTimes(folder: string): boolean {
  return process.platform === 'linux' && exactFileSystems.includes(statfsSync(folder).type)
}

/** The folder that denies access: the folder itself, or one above it that cannot be entered. */
function closedFolder(folder: string): string {
  try {
    lstatSync(folder)
    return folder
  } catch {
    return closedFolder(dirname(folder))
  }
}
