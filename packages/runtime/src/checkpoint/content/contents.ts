// The contents of checkpoints: stored once per hash, in packs, or as clones where the file system shares blocks between files.
import { createHash } from 'node:crypto'
import { closeSync, fchmodSync, fstatSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Crashpoint } from '../crashpoint.ts'
import { chunk, hashOf, openForReading, readChunks, readWhole, withAttributesIfUnchanged } from './file-reading.ts'
import { type ContentPlace, type FileImage, fileImage, isRacy } from './image.ts'
import { type OpenPack, openPack, PackDamaged, type PackMeta, type PackWriter, syncFolder } from './pack.ts'
import { writeSharedPacks } from './shared-packs.ts'

export function blobsOf(home: string): string {
  return join(home, 'blobs')
}

export function isPack(name: string): boolean {
  return name.endsWith('.before') || name.endsWith('.after') || name.endsWith('.end')
}

export interface ContentPorts {
  readonly folder: string
  now(): number
  /** Makes `to` share the blocks of `from`; false if the file system does not support it. */
  clone(from: string, to: string): boolean
  readonly crashpoint: Crashpoint
}

export interface RemovedFile {
  readonly pack: string
  readonly bytes: number
}

/** What packs need from the store: files by number, each with its size. A file that several packs need has one number. */
export interface PackUsage {
  readonly sizes: Float64Array
  readonly packs: ReadonlyMap<string, Uint32Array>
}

export type StoredContent =
  | { readonly stored: true; readonly image: FileImage }
  | { readonly stored: false; readonly why: 'unreadable' | 'changing' | 'gone' }

const attempts = 3
const openPacks = 8

export class Contents {
  readonly folder: string
  readonly #ports: ContentPorts
  readonly #clones: string
  readonly #open = new Map<string, OpenPack>()
  #places: Map<string, ContentPlace> | null = null
  #names: Set<string> | null = null
  /** What each pack needs; null for a damaged pack. Packs never change, and retention reads all of them repeatedly. */
  readonly #metas = new Map<string, PackMeta | null>()
  #used: number | null = null

  constructor(ports: ContentPorts) {
    this.#ports = ports
    this.folder = ports.folder
    this.#clones = join(ports.folder, 'clones')
    mkdirSync(this.#clones, { recursive: true, mode: 0o700 })
  }

  /** The names of all packs. */
  packs(): string[] {
    return readdirSync(this.folder).filter(isPack)
  }

  holds(place: ContentPlace): boolean {
    return this.#present().has('clone' in place ? place.clone : place.pack)
  }

  finished(pack: string, bytes: number): void {
    this.#names?.add(pack)
    if (this.#used !== null) this.#used += bytes
  }

  /** Reads a file into the pack, unless its content is already stored. Reads it again if it changes meanwhile. */
  store(writer: PackWriter, path: string, image: FileImage): StoredContent {
    const descriptor = openForReading(path)
    if (typeof descriptor === 'string') return { stored: false, why: descriptor }
    try {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const stored = this.#storeOnce(writer, path, descriptor, image.size >= chunk)
        if (stored) return { stored: true, image: stored }
      }
      return { stored: false, why: 'changing' }
    } finally {
      closeSync(descriptor)
    }
  }

  #storeOnce(writer: PackWriter, path: string, descriptor: number, large: boolean): FileImage | null {
    const readAt = this.#ports.now()
    const image = fileImage(fstatSync(descriptor))
    const whole = large ? null : readWhole(descriptor, image.size)
    const sha256 = whole ? hashOf([whole]) : hashOf(readChunks(descriptor))
    const content =
      this.places().get(sha256) ??
      (large ? this.#clone(path, sha256) : null) ??
      this.#append(writer, sha256, whole ? [whole] : readChunks(descriptor))
    const steady = content && withAttributesIfUnchanged(descriptor, path, image)
    if (!steady) return null
    this.places().set(sha256, content)
    return { ...steady, sha256, content, racy: isRacy(steady, readAt) }
  }

  #append(writer: PackWriter, sha256: string, parts: Iterable<Uint8Array>): ContentPlace | null {
    const content = writer.content()
    const hash = createHash('sha256')
    for (const part of parts) {
      hash.update(part)
      content.write(part)
    }
    if (hash.digest('hex') !== sha256) return null
    return { pack: writer.name, start: content.end(sha256) }
  }

  #clone(path: string, sha256: string): ContentPlace | null {
    const temp = join(this.#clones, `${sha256}.tmp`)
    if (!this.#ports.clone(path, temp)) return null
    try {
      if (!this.#holdsStill(temp, sha256)) return null
      this.#ports.crashpoint('clone:written')
      renameSync(temp, join(this.#clones, sha256))
    } finally {
      rmSync(temp, { force: true })
    }
    syncFolder(this.#clones)
    this.#names?.add(sha256)
    this.#used = null
    return { clone: sha256 }
  }

  /** Whether the clone has the content that was read; if so, it is on disk when this returns. */
  #holdsStill(clone: string, sha256: string): boolean {
    const descriptor = openSync(clone, 'r')
    try {
      if (hashOf(readChunks(descriptor)) !== sha256) return false
      fchmodSync(descriptor, 0o600)
      fsyncSync(descriptor)
      return true
    } finally {
      closeSync(descriptor)
    }
  }

  /** The bytes of a stored file; throws `PackDamaged` at the end if their hash is wrong. */
  *read(image: FileImage): Generator<Buffer> {
    if (!image.content || image.sha256 === null) throw new Error('content that is not stored was requested')
    const hash = createHash('sha256')
    const parts =
      'clone' in image.content ? this.#readClone(image.content.clone) : this.open(image.content.pack).read(image.content.start, image.size)
    for (const part of parts) {
      hash.update(part)
      yield part
    }
    if (hash.digest('hex') !== image.sha256) {
      throw new PackDamaged('clone' in image.content ? image.content.clone : image.content.pack, 'the content does not match its hash')
    }
  }

  *#readClone(name: string): Generator<Buffer> {
    const descriptor = openSync(join(this.#clones, name), 'r')
    try {
      yield* readChunks(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  open(name: string): OpenPack {
    const known = this.#open.get(name)
    if (known) return known
    const pack = openPack(this.folder, name)
    for (const [oldest, open] of this.#open) {
      if (this.#open.size < openPacks) break
      open.close()
      this.#open.delete(oldest)
    }
    this.#open.set(name, pack)
    return pack
  }

  /** Where each content is stored, by hash; read from the packs once. */
  places(): Map<string, ContentPlace> {
    if (this.#places) return this.#places
    const places = new Map<string, ContentPlace>()
    for (const name of this.packs()) {
      const pack = nullIfDamaged(() => openPack(this.folder, name))
      for (const [sha256, start] of pack?.table.contents ?? []) places.set(sha256, { pack: name, start })
      pack?.close()
    }
    for (const name of readdirSync(this.#clones)) if (!name.endsWith('.tmp')) places.set(name, { clone: name })
    this.#places = places
    return places
  }

  /** An unfinished pack stores nothing. */
  forget(pack: string): void {
    for (const [sha256, place] of this.#places ?? []) if ('pack' in place && place.pack === pack) this.#places?.delete(sha256)
  }

  /** Needed at every checkpoint, for thousands of packs: computed once, then updated. */
  usage(): number {
    this.#used ??= this.#weigh()
    return this.#used
  }

  #weigh(): number {
    const sizes = (folder: string) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + (statSync(join(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0), 0)
    return sizes(this.folder) + sizes(this.#clones)
  }

  holdings(living: Iterable<string>): PackUsage {
    const numbers = new Map<string, number>()
    const sizes: number[] = []
    const numberOf = (name: string, folder: string) => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, sizes.length)
      return sizes.push(statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) - 1
    }
    const packs = new Map<string, Uint32Array>()
    for (const name of living) {
      const { packs: needed, clones } = this.#reachable([name])
      const files = [...[...needed].map((one) => numberOf(one, this.folder)), ...[...clones].map((one) => numberOf(one, this.#clones))]
      packs.set(name, Uint32Array.from(files))
    }
    return { sizes: Float64Array.from(sizes), packs }
  }

  /** Deletes everything that no live pack needs. If it is killed, it has deleted less; the next sweep deletes the rest. */
  sweep(living: readonly string[]): RemovedFile[] {
    const removed: RemovedFile[] = []
    this.#names = null
    this.#used = null
    const { packs, clones } = this.#reachable(living)
    // Before the packs: as long as an unreferenced pack exists, a start knows that there is more to delete.
    for (const name of readdirSync(this.#clones)) {
      if (clones.has(name)) continue
      // Removed from the index first: a content in the index is not stored again.
      const place = this.#places?.get(name)
      if (place && 'clone' in place) this.#places?.delete(name)
      this.#present().delete(name)
      rmSync(join(this.#clones, name), { force: true })
      this.#ports.crashpoint('sweep:clone')
    }
    for (const name of this.packs()) {
      if (packs.has(name)) continue
      this.#open.get(name)?.close()
      this.#open.delete(name)
      removed.push({ pack: name, bytes: statSync(join(this.folder, name)).size })
      this.forget(name)
      this.#metas.delete(name)
      this.#present().delete(name)
      rmSync(join(this.folder, name), { force: true })
      this.#ports.crashpoint('sweep:removed')
    }
    const named = new Set(living)
    writeSharedPacks(
      this.folder,
      [...packs].filter((name) => !named.has(name)),
    )
    return removed
  }

  /** Partially written files of an earlier process. */
  removeTemps(): void {
    this.#used = null
    for (const folder of [this.folder, this.#clones]) {
      for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true })
    }
  }

  #reachable(living: Iterable<string>): { packs: Set<string>; clones: Set<string> } {
    const existing = this.#present()
    const packs = new Set<string>()
    const clones = new Set<string>()
    // The contents of a pack may be in another pack, which is kept only for its contents, so its own references do not count.
    for (const name of living) {
      if (!existing.has(name)) continue
      packs.add(name)
      const meta = this.#metaOf(name)
      // What only this pack referred to is lost with it.
      if (!meta) continue
      for (const other of meta.packs) packs.add(other)
      for (const clone of meta.clones) clones.add(clone)
      if (meta.base !== null) packs.add(meta.base)
    }
    return { packs, clones }
  }

  #metaOf(name: string): PackMeta | null {
    const known = this.#metas.get(name)
    if (known !== undefined) return known
    const pack = nullIfDamaged(() => openPack(this.folder, name))
    pack?.close()
    const meta = pack?.meta ?? null
    this.#metas.set(name, meta)
    return meta
  }

  /** Listed once, then updated. */
  #present(): Set<string> {
    this.#names ??= new Set([...this.packs(), ...readdirSync(this.#clones)])
    return this.#names
  }

  close(): void {
    for (const pack of this.#open.values()) pack.close()
    this.#open.clear()
  }
}

/** A damaged pack loses only its own contents and must not block anything else. */
export function nullIfDamaged<Result>(work: () => Result): Result | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof PackDamaged) return null
    throw error
  }
}
