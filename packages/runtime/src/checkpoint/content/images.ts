// Images by path, stored per folder. An unchanged folder is the same object in the next manifest, so the differences between two manifests
// are found without examining what they share.
import { sep } from 'node:path'
import type { FileImage, Image } from './image.ts'

/** The names in one folder with their images. Immutable once it is shared. */
export type Folder = ReadonlyMap<string, Image>

export class Images implements Iterable<[string, Image]> {
  readonly #folders = new Map<string, Folder>()
  /** Created here, so they may still be changed here. */
  readonly #own = new Map<string, Map<string, Image>>()
  #size = 0

  static copyOf(other: Images): Images {
    const copy = new Images()
    for (const [prefix, folder] of other.#folders) copy.#folders.set(prefix, folder)
    copy.#size = other.#size
    // The other's own folders are shared from now on.
    other.#own.clear()
    return copy
  }

  get size(): number {
    return this.#size
  }

  get(path: string): Image | undefined {
    const at = split(path)
    return this.#folders.get(path.slice(0, at))?.get(path.slice(at))
  }

  has(path: string): boolean {
    return this.get(path) !== undefined
  }

  set(path: string, image: Image): void {
    const at = split(path)
    const folder = this.#ownFolder(path.slice(0, at))
    const before = folder.size
    folder.set(path.slice(at), image)
    this.#size += folder.size - before
  }

  delete(path: string): void {
    if (!this.has(path)) return
    const at = split(path)
    this.#ownFolder(path.slice(0, at)).delete(path.slice(at))
    this.#size -= 1
  }

  /** `prefix` ends with the separator. The returned folder is shared: a later change makes a copy. */
  folder(prefix: string): Folder | undefined {
    this.#own.delete(prefix)
    return this.#folders.get(prefix)
  }

  /** Sets a whole folder, shared with its other users. */
  setFolder(prefix: string, folder: Folder): void {
    this.#size += folder.size - (this.#folders.get(prefix)?.size ?? 0)
    this.#own.delete(prefix)
    this.#folders.set(prefix, folder)
  }

  addFolder(prefix: string, images: Iterable<readonly [string, Image]>): void {
    const folder = this.#ownFolder(prefix)
    const before = folder.size
    for (const [name, image] of images) folder.set(name, image)
    this.#size += folder.size - before
  }

  /** By prefix. */
  *facts(): Generator<[string, FolderFacts]> {
    this.#own.clear()
    for (const [prefix, folder] of this.#folders) yield [prefix, factsOf(folder)]
  }

  *[Symbol.iterator](): Generator<[string, Image]> {
    for (const [prefix, folder] of this.#folders) for (const [name, image] of folder) yield [prefix + name, image]
  }

  *keys(): Generator<string> {
    for (const [path] of this) yield path
  }

  /** A copy with everything at or below `from` moved to `to`. Folders stay shared. */
  relocated(from: string, to: string): Images {
    const moved = new Images()
    const below = from + sep
    for (const [prefix, folder] of this.#folders) {
      if (prefix.startsWith(below)) continue
      for (const [name, image] of folder) moved.set(prefix + name === from ? to : prefix + name, image)
    }
    for (const [prefix, folder] of this.#folders) {
      if (prefix.startsWith(below)) moved.setFolder(to + prefix.slice(from.length), folder)
    }
    this.#own.clear()
    return moved
  }

  /** Paths whose images are not the same object in both, with the image on each side. */
  *differences(other: Images): Generator<readonly [path: string, here: Image | undefined, there: Image | undefined]> {
    for (const [prefix, folder] of this.#folders) {
      const there = other.#folders.get(prefix)
      if (there === folder) continue
      for (const [name, image] of folder) if (there?.get(name) !== image) yield [prefix + name, image, there?.get(name)]
      for (const [name, image] of there ?? []) if (!folder.has(name)) yield [prefix + name, undefined, image]
    }
    for (const [prefix, folder] of other.#folders) {
      if (this.#folders.has(prefix)) continue
      for (const [name, image] of folder) yield [prefix + name, undefined, image]
    }
  }

  #ownFolder(prefix: string): Map<string, Image> {
    const own = this.#own.get(prefix)
    if (own) return own
    const made = new Map(this.#folders.get(prefix))
    this.#own.set(prefix, made)
    this.#folders.set(prefix, made)
    return made
  }
}

/** What every checkpoint needs to know about the files of a folder; computed once for each changed folder. */
export interface FolderFacts {
  /** By name. */
  readonly files: readonly (readonly [string, FileImage])[]
  readonly bytes: number
  readonly largest: number
  /** The packs and clones with its contents. */
  readonly packs: ReadonlySet<string>
  readonly clones: ReadonlySet<string>
  /** Some content is not stored, or must be read again to be sure. */
  readonly wanting: boolean
}

const known = new WeakMap<Folder, FolderFacts>()

function factsOf(folder: Folder): FolderFacts {
  const before = known.get(folder)
  if (before) return before
  const facts = findFacts(folder)
  known.set(folder, facts)
  return facts
}

function findFacts(folder: Folder): FolderFacts {
  const files: (readonly [string, FileImage])[] = []
  const packs = new Set<string>()
  const clones = new Set<string>()
  let bytes = 0
  let largest = 0
  let wanting = false
  for (const [name, image] of folder) {
    if (image.type !== 'file') continue
    files.push([name, image])
    bytes += image.size
    largest = Math.max(largest, image.size)
    if (image.content === null || image.racy) wanting = true
    if (image.content === null) continue
    if ('clone' in image.content) clones.add(image.content.clone)
    else packs.add(image.content.pack)
  }
  return { files, bytes, largest, packs, clones, wanting }
}

/** The position of the name. */
function split(path: string): number {
  return path.lastIndexOf(sep) + 1
}
