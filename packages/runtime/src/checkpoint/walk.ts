// Looks at everything below some paths, within a budget, without following a link and without reading a file.
import { readdirSync, readlinkSync, type Stats } from 'node:fs'
import { basename, sep } from 'node:path'
import { limits } from '@tandem/contract/limits'
import type { Coverage } from './coverage.ts'
import { fileImage, type Image, sameImage, untouchedBy } from './image.ts'
import { isGone, statsOf } from './stats.ts'
import { UnprotectedNotes } from './unprotected.ts'

export interface WalkOptions {
  /** Never entered: Tandem's own folder. */
  readonly home: string
  /** What was known before; an untouched file keeps its hash and content. */
  readonly known: Known
  readonly budget: { readonly files: number; readonly ms: number }
  elapsed(): number
  canceled(): boolean
}

export interface Known {
  get(path: string): Image | undefined
}

export interface Walked {
  readonly images: Map<string, Image>
  readonly coverage: Coverage
  readonly notes: UnprotectedNotes
  readonly files: number
  readonly bytes: number
  /** False when the budget ended the walk; what was not reached is in `coverage.blind`. */
  readonly whole: boolean
}

export class WalkCanceled extends Error {
  override readonly name = 'WalkCanceled'
}

export const walkBudget = { files: limits.large_scope_files, ms: 20_000 }

/** Made again by a tool; looked at last and kept last. */
const regenerableNames = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  'target',
  'dist',
  'build',
  '.next',
  '.cache',
  '.gradle',
  '.tox',
])

export function isRegenerable(name: string): boolean {
  return regenerableNames.has(name)
}

/** `trees` are absolute and normal. A tree that is a file, or nothing, is one path. */
export function walk(trees: readonly string[], options: WalkOptions): Walked {
  const { known, budget, home } = options
  const images = new Map<string, Image>()
  const notes = new UnprotectedNotes()
  const blind: string[] = []
  const folders: string[] = []
  const later: string[] = []
  const begun = options.elapsed()
  let files = 0
  let bytes = 0
  let device = 0
  let deferring = true
  let over: 'files' | 'time' | null = null

  function see(path: string, stats: Stats): void {
    const kind = stats.mode & 0o170000
    if (kind === 0o100000) seeFile(path, stats)
    else if (kind === 0o040000) seeFolder(path, stats)
    else if (kind === 0o120000) seeLink(path, stats)
    else {
      keep(path, { type: 'special', ino: stats.ino })
      notes.add('special', path)
    }
  }

  /** What has not changed stays the same object: manifests are compared by it. */
  function keep(path: string, image: Image): void {
    const before = known.get(path)
    images.set(path, before && before.type !== 'file' && sameOutline(before, image) ? before : image)
  }

  function seeFile(path: string, stats: Stats): void {
    files += 1
    bytes += stats.size
    const before = known.get(path)
    images.set(path, before?.type === 'file' && untouchedBy(before, stats) ? before : fileImage(stats))
    if (stats.nlink > 1) notes.add('hard_link', path)
  }

  function seeLink(path: string, stats: Stats): void {
    files += 1
    const link_target = readLink(path)
    if (link_target !== null) keep(path, { type: 'symlink', link_target, mtime: stats.mtimeMs })
  }

  function seeFolder(path: string, stats: Stats): void {
    keep(path, { type: 'directory', mode: stats.mode & 0o7777, mtime: stats.mtimeMs })
    if (path === home) {
      notes.add('own_folder', path)
      blind.push(path)
    } else if (stats.dev !== device) {
      notes.add('other_mount', path)
      blind.push(path)
    } else if (deferring && isRegenerable(basename(path))) later.push(path)
    else folders.push(path)
  }

  function miss(path: string): void {
    notes.add('unreadable', path)
    blind.push(path)
  }

  function enter(folder: string): void {
    let names: string[]
    try {
      names = readdirSync(folder)
    } catch (error) {
      if (!isGone(error)) miss(folder)
      return
    }
    const prefix = folder.endsWith(sep) ? folder : folder + sep
    for (const name of names) {
      if (files > budget.files) {
        over = 'files'
        folders.push(folder)
        return
      }
      const path = prefix + name
      const stats = statsAt(path)
      if (typeof stats !== 'string') see(path, stats)
      else if (stats === 'unreadable') miss(path)
      // A name that is no UTF-8 reaches us with a replacement character, and can't be asked for by it.
      else if (name.includes('\uFFFD')) notes.add('odd_name', folder)
    }
  }

  function step(): void {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (options.canceled()) throw new WalkCanceled('the walk was canceled')
      if (files > budget.files || images.size > 2 * budget.files) over = 'files'
      else if (options.elapsed() - begun > budget.ms) over = 'time'
      if (over) {
        folders.push(folder)
        return
      }
      enter(folder)
      if (over) return
    }
  }

  for (const tree of trees) {
    const stats = statsAt(tree)
    if (stats === 'unreadable') notes.add('unreadable', tree)
    if (typeof stats === 'string') continue
    device = stats.dev
    see(tree, stats)
    // The root of a walk is walked, whatever its name.
    if (later.at(-1) === tree) folders.push(...later.splice(-1))
    step()
  }
  const whole = over === null
  if (whole) {
    deferring = false
    folders.push(...later.splice(0))
    step()
  }
  for (const folder of folders) notes.add(whole ? 'regenerable' : over === 'time' ? 'time_over' : 'not_walked', folder)
  for (const folder of later) notes.add('regenerable', folder)
  blind.push(...folders, ...later)
  return { images, coverage: { trees, paths: [], children: [], blind }, notes, files, bytes, whole }
}

/** The direct children alone, for a scope too wide to walk. */
export function look(folder: string, options: WalkOptions): Walked {
  const images = new Map<string, Image>()
  const notes = new UnprotectedNotes()
  const blind: string[] = []
  let files = 0
  let bytes = 0
  const paths = [folder, ...namesIn(folder).map((name) => (folder.endsWith(sep) ? folder : folder + sep) + name)]
  for (const path of paths) {
    const image = imageAt(path, options.known)
    if (!image) continue
    images.set(path, image)
    if (image.type === 'file') {
      files += 1
      bytes += image.size
    }
    if (image.type === 'special') notes.add('special', path)
    if (image.type === 'directory' && path !== folder) blind.push(path)
  }
  notes.add('wide_scope', folder)
  return { images, coverage: { trees: [], paths: [folder], children: [folder], blind }, notes, files, bytes, whole: false }
}

export function imageAt(path: string, known: Known): Image | null {
  const stats = statsAt(path)
  if (typeof stats === 'string') return null
  if (stats.isDirectory()) return { type: 'directory', mode: stats.mode & 0o7777, mtime: stats.mtimeMs }
  if (stats.isSymbolicLink()) return { type: 'symlink', link_target: readLink(path) ?? '', mtime: stats.mtimeMs }
  if (!stats.isFile()) return { type: 'special', ino: stats.ino }
  const before = known.get(path)
  return before?.type === 'file' && untouchedBy(before, stats) ? before : fileImage(stats)
}

function sameOutline(left: Image, right: Image): boolean {
  return sameImage(left, right) && ('mtime' in left ? 'mtime' in right && left.mtime === right.mtime : true)
}

function statsAt(path: string): Stats | 'absent' | 'unreadable' {
  try {
    return statsOf(path) ?? 'absent'
  } catch {
    // Below a folder that may not be entered: told as unreadable.
    return 'unreadable'
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}
