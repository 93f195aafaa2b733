// Every file in the folder of a skill: what its hash covers, and what agents can read and run.
import { createHash } from 'node:crypto'
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { placeInside, readPlainFile } from './files.ts'
import { skillLimits } from './limits.ts'

export interface SkillFile {
  /** Relative to the folder, with forward slashes. */
  readonly name: string
  readonly size: number
  readonly executable: boolean
  readonly sha256: string
}

const skippedReasons = {
  link: 'It is a link that leads to no file of the skill',
  special: 'It is not a regular file',
  unreadable: 'It cannot be read',
} as const
type SkippedReason = keyof typeof skippedReasons

/** A file that is not part of the skill: the hash does not cover it, and agents do not get it. */
export interface SkippedFile {
  readonly name: string
  readonly title: (typeof skippedReasons)[SkippedReason]
}

export interface FolderFiles {
  /** Over the names, contents and executable bits of all files. */
  readonly sha256: string
  /** Sorted by name. */
  readonly files: readonly SkillFile[]
  readonly skipped: readonly SkippedFile[]
}

export type FolderRead = { readonly ok: true; readonly value: FolderFiles } | { readonly ok: false; readonly why: string }

/** Hashes of files that were read before, by real path: an unchanged file is not read again. */
export type FileHashes = Map<string, { readonly stamp: string; readonly sha256: string }>

/** Other programs create these. They are not part of the skill, so that they do not change its hash. */
const ignored = new Set(['.git', '.hg', '.svn', '.DS_Store', 'Thumbs.db', '__pycache__'])

/** Reading yields to other work after this many bytes. */
const slice_bytes = 4 * 1024 * 1024

/**
 * `folder` is a real path. A link to a file inside the folder counts as that file; other links and special files are skipped, so that
 * nothing outside the folder is ever read.
 */
export async function readFolderFiles(folder: string, known: FileHashes): Promise<FolderRead> {
  const files: SkillFile[] = []
  const skipped: SkippedFile[] = []
  let total = 0
  let unread = 0
  const waiting = [{ at: folder, below: '', depth: 0 }]
  for (const { at, below, depth } of waiting) {
    const entries = entriesOf(at)
    if (!entries) {
      if (at === folder) return { ok: false, why: 'its folder cannot be read' }
      skipped.push(skip(below.slice(0, -1), 'unreadable'))
      continue
    }
    for (const entry of entries) {
      if (ignored.has(entry.name)) continue
      const name = `${below}${entry.name}`
      const path = join(at, entry.name)
      if (entry.isDirectory()) {
        if (depth >= skillLimits.folder_depth)
          return { ok: false, why: `its folders are more than ${skillLimits.folder_depth} levels deep` }
        waiting.push({ at: path, below: `${name}/`, depth: depth + 1 })
        continue
      }
      const place = entry.isSymbolicLink() ? placeInside(path, [folder]) : { ok: true as const, path }
      const read = place.ok ? hashedFile(place.path, known) : place
      if (!read.ok && read.why === 'too_large') return tooLarge
      if (!read.ok) {
        skipped.push(skip(name, entry.isSymbolicLink() ? 'link' : read.why === 'not_a_file' ? 'special' : 'unreadable'))
        continue
      }
      total += read.size
      unread += read.was_read ? read.size : 0
      files.push({ name, size: read.size, executable: read.executable, sha256: read.sha256 })
      if (files.length > skillLimits.files) return { ok: false, why: `its folder has more than ${skillLimits.files} files` }
      if (total > skillLimits.folder_bytes) return tooLarge
      if (unread > slice_bytes) {
        unread = 0
        await new Promise(setImmediate)
      }
    }
  }
  files.sort((left, right) => (left.name < right.name ? -1 : 1))
  return { ok: true, value: { sha256: hashOf(files), files, skipped } }
}

const tooLarge = { ok: false, why: `its folder has more than ${skillLimits.folder_bytes / 1024 / 1024} MiB` } as const

/** The names of files that are not the same in both, sorted. */
export function changedFiles(before: FolderFiles, after: FolderFiles): string[] {
  const lines = (one: FolderFiles) => new Map(one.files.map((file) => [file.name, lineOf(file)]))
  const [old, now] = [lines(before), lines(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name)).sort()
}

type HashedFile =
  | { readonly ok: true; readonly size: number; readonly executable: boolean; readonly sha256: string; readonly was_read: boolean }
  | Extract<ReturnType<typeof readPlainFile>, { ok: false }>

function hashedFile(path: string, known: FileHashes): HashedFile {
  const before = known.get(path)
  const opened = readPlainFile(path, skillLimits.folder_bytes, before?.stamp)
  if (!opened.ok) return opened
  const { size, executable, stamp } = opened.file
  if (opened.bytes === null && before) return { ok: true, size, executable, sha256: before.sha256, was_read: false }
  const sha256 = sha256Of(opened.bytes ?? Buffer.alloc(0))
  if (known.size >= skillLimits.entries) known.clear()
  known.set(path, { stamp, sha256 })
  return { ok: true, size, executable, sha256, was_read: true }
}

function hashOf(files: readonly SkillFile[]): string {
  return sha256Of(['tandem-skill-folder 1', ...files.map(lineOf)].join('\n'))
}

/** The name as JSON, so that a name with a line break cannot look like two files. */
function lineOf({ name, executable, sha256 }: SkillFile): string {
  return `${sha256} ${executable ? 'x' : '-'} ${JSON.stringify(name)}`
}

function skip(name: string, reason: SkippedReason): SkippedFile {
  return { name, title: skippedReasons[reason] }
}

function sha256Of(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The caller reports it.
    return null
  }
}
