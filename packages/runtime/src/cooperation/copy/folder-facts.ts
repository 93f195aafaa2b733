// What is in a folder, without reading files and without following links. The thread stays responsive in between.
import { isUtf8 } from 'node:buffer'
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Enough to notice a change: the change time (ctime) cannot be set by a program. Times are milliseconds with their fraction. */
export type EntryFacts =
  | {
      readonly kind: 'file'
      readonly mode: number
      readonly size: number
      readonly mtime: number
      readonly ctime: number
      readonly ino: number
    }
  | { readonly kind: 'link'; readonly target: string }

export interface SubfolderFacts {
  readonly mode: number
  readonly ino: number
}

export interface FolderFacts {
  /** Files and links by their path, relative and with forward slashes; without the inside of `.git`. Names that are not text contain U+FFFD. */
  readonly entries: ReadonlyMap<string, EntryFacts>
  /** Folders without the root. */
  readonly folders: ReadonlyMap<string, SubfolderFacts>
  /** Pipes, sockets and devices. */
  readonly special: readonly string[]
  /** The size of the log of each repository, which grows with each commit. */
  readonly repositories: ReadonlyMap<string, number>
  /** With the inside of `.git`. */
  readonly files: number
  readonly bytes: number
  /** Files and links that were changed in any way, or renamed, after the time `since`. */
  readonly recent: ReadonlySet<string>
}

export interface WalkLimits {
  readonly signal?: AbortSignal
  /** A folder that is not entered. */
  readonly skips?: string
  /** Of the clock of the file system, in milliseconds. */
  readonly since?: number
  /** Called from time to time; ends the walk by throwing. */
  counted?(files: number, bytes: number): void
}

interface OpenFolder {
  readonly path: string
  /** As bytes if a name on its way is not valid text. */
  readonly at: string | Buffer
  readonly repository: string | null
}

/** How long the thread is busy at a time. */
const slice_ms = 8

/** Throws if the folder itself cannot be read. What cannot be read below it is left out. */
export async function folderFacts(
  root: string,
  { signal, skips, since = Number.POSITIVE_INFINITY, counted }: WalkLimits = {},
): Promise<FolderFacts> {
  const entries = new Map<string, EntryFacts>()
  const folders = new Map<string, SubfolderFacts>()
  const recent = new Set<string>()
  const special: string[] = []
  const repositories = new Map<string, number>()
  const open: OpenFolder[] = [{ path: '', at: root, repository: null }]
  let files = 0
  let bytes = 0
  let busySince = performance.now()

  function see(path: string, name: string, at: string | Buffer, facts: Stats, repository: string | null): void {
    if (facts.isDirectory()) {
      if (at === skips) return
      if (repository === null && typeof at === 'string') folders.set(path, { mode: facts.mode & 0o777, ino: facts.ino })
      open.push({ path, at, repository: repository ?? (isGitName(name) ? path : null) })
      return
    }
    files += 1
    bytes += facts.size
    if (repository !== null) {
      if (path === `${repository}/logs/HEAD`) repositories.set(repository, facts.size)
      return
    }
    const entry = isGitName(name) ? null : entryOf(at, facts)
    if (entry === 'special') special.push(path)
    else if (entry) {
      entries.set(path, entry)
      if (facts.ctimeMs > since) recent.add(path)
    }
  }

  for (let next = open.pop(); next; next = open.pop()) {
    const { path: folder, at, repository } = next
    for (const raw of namesIn(at, folder === '')) {
      const name = raw.toString()
      const path = folder === '' ? name : `${folder}/${name}`
      const place = placeIn(at, raw)
      const facts = lstatSync(place, { throwIfNoEntry: false })
      if (facts) see(path, name, place, facts, repository)
      if (performance.now() - busySince < slice_ms) continue
      signal?.throwIfAborted()
      counted?.(files, bytes)
      await setImmediate()
      busySince = performance.now()
    }
  }
  counted?.(files, bytes)
  return { entries, folders, special, repositories, files, bytes, recent }
}

export function entryFactsAt(path: string): EntryFacts | 'special' | 'folder' | null {
  const facts = statsAt(path)
  if (!facts) return null
  return facts.isDirectory() ? 'folder' : entryOf(path, facts)
}

/** The folder of a repository, under every name that a file system may take for it. */
export function isGitName(name: string): boolean {
  // Some file systems ignore case, these characters, or dots and spaces at the end.
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
  return plain === '.git' || plain === 'git~1'
}

function entryOf(path: string | Buffer, facts: Stats): EntryFacts | 'special' | null {
  if (facts.isFile()) {
    const { mode, size, mtimeMs: mtime, ctimeMs: ctime, ino } = facts
    // The bits for other users and groups (setuid, setgid, sticky) are never copied by a merge.
    return { kind: 'file', mode: mode & 0o777, size, mtime, ctime, ino }
  }
  if (!facts.isSymbolicLink()) return 'special'
  try {
    return { kind: 'link', target: readlinkSync(path) }
  } catch {
    // It was replaced in the meantime.
    return null
  }
}

function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** A name that is not valid text is bytes: as text it would be the name of another file, or of none. */
function namesIn(folder: string | Buffer, isRoot: boolean): readonly (string | Buffer)[] {
  try {
    const names = readdirSync(folder)
    if (!names.some((name) => name.includes('\ufffd'))) return names
    return readdirSync(folder, 'buffer').map((name) => (isUtf8(name) ? name.toString() : name))
  } catch (error) {
    if (isRoot) throw error
    // Deleted in the meantime, or closed to this user: the member cannot read it either.
    return []
  }
}

function placeIn(folder: string | Buffer, name: string | Buffer): string | Buffer {
  if (typeof folder === 'string' && typeof name === 'string') return `${folder}/${name}`
  return Buffer.concat([Buffer.from(folder), Buffer.from('/'), Buffer.from(name)])
}
