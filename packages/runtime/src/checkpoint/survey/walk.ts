// Looks at everything below some paths, within a budget, without following a link and without reading a file.
import { basename, dirname } from 'node:path'
import { limits } from '@tandem/contract/limits'
import { fileImage, folderImage, type Image, linkImage, untouchedBy } from '../content/image.ts'
import { type Folder, Images } from '../content/images.ts'
import { isSigned, sign, signatureOf } from '../content/signature.ts'
import { readLink } from '../content/stats.ts'
import type { FileCount } from '../file-count.ts'
import { UnprotectedNotes } from '../unprotected.ts'
import type { Coverage } from './coverage.ts'
import { type Found, foundAt, foundIn, type Listed, namesIn, namesOf, type Outline, prefixOf } from './listing.ts'
import type { Scouts } from './scouts.ts'

export interface WalkOptions {
  /** Never entered: Tandem's own folder. */
  readonly home: string
  /** What was known before; an untouched file keeps its hash and content. */
  readonly known: Known
  readonly budget: { readonly files: number; readonly ms: number }
  elapsed(): number
  canceled(): boolean
  readonly counted?: FileCount | undefined
  /** Look into folders beside the walk; without them it goes alone. */
  readonly scouts?: Scouts | undefined
}

export interface Known {
  get(path: string): Image | undefined
  folder(prefix: string): Folder | undefined
}

export interface Walked {
  readonly images: Images
  readonly coverage: Coverage
  readonly notes: UnprotectedNotes
  readonly files: number
  readonly bytes: number
  /** False when the budget ended the walk; what was not reached is in `coverage.blind`. */
  readonly whole: boolean
}

class WalkCanceled extends Error {
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
  const { known, budget, home, scouts } = options
  const images = new Images()
  const notes = new UnprotectedNotes()
  const blind: string[] = []
  const folders: string[] = []
  const later: { readonly path: string; readonly device: number }[] = []
  const begun = options.elapsed()
  let files = 0
  let bytes = 0
  let device = 0
  let deferring = true
  let over: 'files' | 'time' | null = null

  /** What has not changed stays the same object: manifests are compared by it. Null when it went while it was looked at. */
  function seePath(path: string, stats: Outline, before: Image | undefined): Image | null {
    const kind = stats.mode & 0o170000
    if (kind === 0o100000) {
      countFile(path, stats)
      return before?.type === 'file' && untouchedBy(before, stats) ? before : fileImage(stats)
    }
    const image = seeOther(path, stats, kind, before)
    return image?.type === 'special' && before?.type === 'special' ? before : image
  }

  function seeOther(path: string, stats: Outline, kind: number, before: Image | undefined): Image | null {
    if (kind === 0o040000) {
      seeFolder(path, stats)
      return folderImage(path, stats, before)
    }
    if (kind === 0o120000) {
      files += 1
      const link_target = readLink(path)
      return link_target === null ? null : linkImage(path, link_target, stats, before)
    }
    notes.add('special', path)
    return { type: 'special', ino: stats.ino }
  }

  function seeFolder(path: string, stats: Outline): void {
    if (path === home) {
      notes.add('own_folder', path)
      blind.push(path)
    } else if (stats.dev !== device) {
      notes.add('other_mount', path)
      blind.push(path)
    } else if (deferring && isRegenerable(basename(path))) later.push({ path, device })
    else folders.push(path)
  }

  function miss(path: string): void {
    notes.add('unreadable', path)
    blind.push(path)
  }

  function enter(folder: string): void {
    const names = namesIn(folder)
    if (typeof names === 'string') fail(folder, names)
    else see(folder, names, (_index, path) => foundAt(path))
  }

  function hear(listed: readonly Listed[]): void {
    for (const one of listed) {
      if (over) folders.push(one.folder)
      else if ('failure' in one) fail(one.folder, one.failure)
      else see(one.folder, namesOf(one), (index) => foundIn(one, index))
    }
  }

  function fail(folder: string, failure: 'absent' | 'unreadable'): void {
    if (failure === 'unreadable') miss(folder)
  }

  function see(folder: string, names: readonly string[], found: (index: number, path: string) => Found): void {
    const prefix = prefixOf(folder)
    const before = known.folder(prefix)
    const signature = before && signatureOf(before)
    // Undefined stands for «as before».
    const seen: (Image | null | undefined)[] = []
    let same = before?.size === names.length
    for (let index = 0; index < names.length; index += 1) {
      if (files > budget.files) {
        over = 'files'
        folders.push(folder)
        same = false
        break
      }
      const name = names[index] ?? ''
      const path = prefix + name
      const stats = found(index, path)
      if (signature && typeof stats !== 'string' && isSigned(signature, index, name, stats)) {
        countFile(path, stats)
        seen.push(undefined)
        continue
      }
      const earlier = before?.get(name)
      const image = typeof stats === 'string' ? noImage(path, name, stats) : seePath(path, stats, earlier)
      seen.push(image)
      if (image === null || image !== earlier) same = false
    }
    if (before && same) images.setFolder(prefix, before)
    else
      images.addFolder(
        prefix,
        seen.flatMap((image, index) => {
          const name = names[index] ?? ''
          const now = image === undefined ? before?.get(name) : image
          return now ? [[name, now] as const] : []
        }),
      )
    const now = images.folder(prefix)
    if (now && !(now === before && signature)) sign(now, names)
  }

  function noImage(path: string, name: string, found: 'absent' | 'unreadable'): null {
    if (found === 'unreadable') miss(path)
    // A name that is no UTF-8 reaches us with a replacement character, and can't be asked for by it.
    else if (name.includes('\uFFFD')) notes.add('odd_name', dirname(path))
    return null
  }

  function countFile(path: string, { size, nlink }: Outline): void {
    files += 1
    bytes += size
    if (nlink > 1) notes.add('hard_link', path)
  }

  function isOver(): boolean {
    options.counted?.(files, 0)
    if (options.canceled()) throw new WalkCanceled('the walk was canceled')
    if (files > budget.files || images.size > 2 * budget.files) over = 'files'
    else if (options.elapsed() - begun > budget.ms) over = 'time'
    return over !== null
  }

  function step(): void {
    try {
      for (;;) {
        if (folders.length === 0) {
          const listed = scouts?.awaited() ?? []
          if (listed.length === 0) return
          hear(listed)
        } else if (scouts) hear(scouts.heard())
        if (folders.length > 0 && isOver()) return
        scouts?.send(folders, files)
        const folder = folders.pop()
        if (folder !== undefined) enter(folder)
      }
    } finally {
      folders.push(...(scouts?.recall() ?? []))
    }
  }

  for (const tree of trees) {
    const stats = foundAt(tree)
    if (stats === 'unreadable') notes.add('unreadable', tree)
    if (typeof stats === 'string') continue
    device = stats.dev
    const image = seePath(tree, stats, known.get(tree))
    if (image) images.set(tree, image)
    // The root of a walk is walked, whatever its name.
    if (later.at(-1)?.path === tree) folders.push(...later.splice(-1).map(({ path }) => path))
    step()
  }
  const whole = over === null
  if (whole) {
    deferring = false
    for (let next = later.pop(); next && over === null; next = later.pop()) {
      device = next.device
      folders.push(next.path)
      step()
    }
  }
  for (const folder of folders) notes.add(whole ? 'regenerable' : over === 'time' ? 'time_over' : 'not_walked', folder)
  for (const { path } of later) notes.add('regenerable', path)
  blind.push(...folders, ...later.map(({ path }) => path))
  return { images, coverage: { trees, paths: [], children: [], blind }, notes, files, bytes, whole }
}
