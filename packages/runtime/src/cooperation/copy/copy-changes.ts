// What a member changed in its copy.
import { closeSync, lstatSync, openSync, readSync } from 'node:fs'
import { posix } from 'node:path'
import { isTemporaryName } from '../../sandbox/files/replace.ts'
import type { BaseManifest } from './base-manifest.ts'
import type { EntryFacts, FolderFacts, SubfolderFacts } from './folder-facts.ts'
import { ignoredFolders } from './ignored-folders.ts'

export interface TouchedPath {
  readonly path: string
  readonly before: EntryFacts | null
  readonly now: EntryFacts | null
}

export interface CopyChanges {
  /** Whose facts differ; the content may still be the same. In the order of the paths. */
  readonly touched: readonly TouchedPath[]
  /** Folders of the copy with their permissions, for folders that a merge creates. */
  readonly folders: ReadonlyMap<string, SubfolderFacts>
  /** Pipes, sockets and devices that the member created. */
  readonly special: readonly string[]
  /** Changed paths in folders that .gitignore excludes. */
  readonly ignored: number
  readonly repositories: readonly ChangedRepository[]
  readonly files: number
  readonly bytes: number
}

export interface ChangedRepository {
  /** The folder of the repository; empty for the copy itself. */
  readonly folder: string
  /** The first line of the message of each commit, oldest first. Written by the member. */
  readonly commits: readonly string[]
}

export function copyChanges(root: string, base: BaseManifest, now: FolderFacts): CopyChanges {
  const isIgnored = ignoredFolders(root)
  const touched: TouchedPath[] = []
  let ignored = 0
  const see = (path: string, before: EntryFacts | null, found: EntryFacts | null) => {
    if (isTemporaryName(posix.basename(path))) return
    if (isIgnored(path)) ignored += 1
    else touched.push({ path, before, now: found })
  }
  const isMoved = movedFolders(base, now)
  for (const [path, found] of now.entries) {
    const before = base.entries.get(path) ?? null
    const isTouched = before === null || now.recent.has(path) || isMoved(above(path))
    if (isTouched && !isSameLink(before, found)) see(path, before, found)
  }
  for (const [path, before] of base.entries) if (!now.entries.has(path)) see(path, before, null)
  touched.sort((left, right) => (left.path < right.path ? -1 : 1))
  const { folders, special, files, bytes } = now
  const repositories = [...now.repositories].flatMap(([git, size]) => changedRepository(root, git, base.repositories.get(git) ?? 0, size))
  return { touched, folders, special: special.filter((path) => !isIgnored(path)), ignored, repositories, files, bytes }
}

/** Renaming a folder changes no time of what is in it. */
function movedFolders(base: BaseManifest, now: FolderFacts): (folder: string) => boolean {
  const known = new Map<string, boolean>([['', false]])
  const isMoved = (folder: string): boolean => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const moved = isMoved(above(folder)) || base.folders.get(folder)?.ino !== now.folders.get(folder)?.ino
    known.set(folder, moved)
    return moved
  }
  return isMoved
}

function isSameLink(before: EntryFacts | null, now: EntryFacts): boolean {
  return before?.kind === 'link' && now.kind === 'link' && before.target === now.target
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

const mostLog = 256 * 1024

/** The log of a repository is only appended to. It is read as text: a program could be made to run something by the repository. */
function changedRepository(root: string, git: string, from: number, to: number): ChangedRepository[] {
  if (from === to) return []
  const text = readRange(`${root}/${git}/logs/HEAD`, Math.min(from, to), mostLog)
  const commits = text.split('\n').flatMap((line) => /\tcommit(?: \([^)]*\))?: (.*)$/.exec(line)?.[1] ?? [])
  return [{ folder: git.slice(0, Math.max(0, git.lastIndexOf('/'))), commits }]
}

function readRange(file: string, from: number, most: number): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return ''
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(most)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, most, from)).toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}
