// A pack is one file with the new contents of a checkpoint and the list of what it found. Contents are stored one after another and
// compressed in blocks, so that thousands of small files need one write and one sync.
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Crashpoint } from '../crashpoint.ts'
import { isGone } from './stats.ts'

const block = 1024 * 1024
const magic = Buffer.from('TNDMPK01')
const trailerLength = magic.length + 3 * 4 + 32
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** What must exist as long as this pack does. */
export interface PackMeta {
  readonly base: string | null
  readonly packs: readonly string[]
  readonly clones: readonly string[]
}

export interface PackTable {
  /** Offset and length of each block in the file. */
  readonly blocks: readonly (readonly [number, number])[]
  /** Hash, start in the uncompressed contents, size. */
  readonly contents: readonly (readonly [string, number, number])[]
}

export class PackDamaged extends Error {
  constructor(file: string, what: string) {
    super(`${file} is damaged (${what})`)
    this.name = 'PackDamaged'
  }
}

/** Writes to a temporary name; only a complete, synced pack gets the final name. */
export class PackWriter {
  readonly name: string
  readonly #file: string
  readonly #temp: string
  readonly #descriptor: number
  readonly #blocks: [number, number][] = []
  readonly #contents: [string, number, number][] = []
  readonly #pending = Buffer.allocUnsafe(block)
  #filled = 0
  #start = 0
  #offset = 0

  constructor(folder: string, name: string) {
    this.name = name
    this.#file = join(folder, name)
    this.#temp = `${this.#file}.tmp`
    this.#descriptor = openSync(this.#temp, 'w', 0o600)
  }

  get contentCount(): number {
    return this.#contents.length
  }

  /** Bytes are written before their hash is known; `end` sets it, or discards a content that turned out to be unusable. */
  content(): { write(bytes: Uint8Array): void; end(sha256: string): number } {
    const start = this.#start
    return {
      write: (bytes) => this.#append(bytes),
      end: (sha256) => {
        this.#contents.push([sha256, start, this.#start - start])
        return start
      },
    }
  }

  finish(meta: PackMeta, manifest: unknown, crashpoint: Crashpoint): number {
    this.#flush()
    const table: PackTable = { blocks: this.#blocks, contents: this.#contents }
    const sections = [meta, table, manifest].map((section) => zstdCompressSync(JSON.stringify(section), fast))
    for (const section of sections) this.#write(section)
    const trailer = Buffer.alloc(trailerLength)
    const hash = createHash('sha256')
    sections.forEach((section, index) => {
      trailer.writeUInt32LE(section.length, index * 4)
      hash.update(section)
    })
    hash.digest().copy(trailer, 12)
    magic.copy(trailer, 44)
    this.#write(trailer)
    crashpoint('pack:written')
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    crashpoint('pack:synced')
    renameSync(this.#temp, this.#file)
    syncFolder(dirname(this.#file))
    crashpoint('pack:named')
    return this.#offset
  }

  abandon(): void {
    try {
      closeSync(this.#descriptor)
    } catch {
      // Already closed: the failure came after the contents were complete.
    }
    rmSync(this.#temp, { force: true })
  }

  #append(bytes: Uint8Array): void {
    let taken = 0
    while (taken < bytes.length) {
      const part = bytes.subarray(taken, taken + block - this.#filled)
      this.#pending.set(part, this.#filled)
      this.#filled += part.length
      this.#start += part.length
      taken += part.length
      if (this.#filled === block) this.#flush()
    }
  }

  #flush(): void {
    if (this.#filled === 0) return
    const compressed = zstdCompressSync(this.#pending.subarray(0, this.#filled), fast)
    this.#blocks.push([this.#offset, compressed.length])
    this.#write(compressed)
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done)
    this.#offset += bytes.length
  }
}

export interface OpenPack {
  readonly meta: PackMeta
  readonly table: PackTable
  readonly bytes: number
  manifest(): unknown
  /** The bytes from `start`, block by block. */
  read(start: number, size: number): Generator<Buffer>
  close(): void
}

export function openPack(folder: string, name: string): OpenPack {
  const file = join(folder, name)
  const descriptor = opened(file)
  try {
    return readPack(file, descriptor)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if (isGone(error)) throw new PackDamaged(file, 'it does not exist')
    throw error
  }
}

function readPack(file: string, descriptor: number): OpenPack {
  const bytes = fstatSync(descriptor).size
  const slice = (offset: number, length: number) => {
    const buffer = Buffer.allocUnsafe(Math.max(0, length))
    if (offset < 0 || readSync(descriptor, buffer, 0, length, offset) !== length) throw new PackDamaged(file, 'it is too short')
    return buffer
  }
  const trailer = slice(bytes - trailerLength, trailerLength)
  if (!trailer.subarray(44).equals(magic)) throw new PackDamaged(file, 'its end is missing')
  const lengths = [0, 4, 8].map((at) => trailer.readUInt32LE(at))
  let offset = bytes - trailerLength - lengths.reduce((sum, length) => sum + length, 0)
  const sections = lengths.map((length) => {
    const section = slice(offset, length)
    offset += length
    return section
  })
  const hash = createHash('sha256')
  for (const section of sections) hash.update(section)
  if (!hash.digest().equals(trailer.subarray(12, 44))) throw new PackDamaged(file, 'its list does not match its hash')
  const [meta, table] = sections.slice(0, 2).map((section) => JSON.parse(zstdDecompressSync(section).toString('utf8'))) as [
    PackMeta,
    PackTable,
  ]
  const last = { index: -1, raw: Buffer.alloc(0) }

  function decompressed(bytes: Buffer) {
    try {
      return zstdDecompressSync(bytes)
    } catch (error) {
      throw new PackDamaged(file, error instanceof Error ? error.message : String(error))
    }
  }

  function blockAt(index: number): Buffer {
    if (last.index === index) return last.raw
    const place = table.blocks[index]
    if (!place) throw new PackDamaged(file, 'a block is missing')
    last.raw = decompressed(slice(place[0], place[1]))
    last.index = index
    return last.raw
  }

  return {
    meta,
    table,
    bytes,
    manifest: () => JSON.parse(zstdDecompressSync(sections[2] ?? Buffer.alloc(0)).toString('utf8')),
    *read(start, size) {
      for (let at = start; at < start + size; ) {
        const raw = blockAt(Math.floor(at / block))
        const from = at % block
        const part = raw.subarray(from, Math.min(raw.length, from + start + size - at))
        if (part.length === 0) throw new PackDamaged(file, 'the content ends early')
        yield part
        at += part.length
      }
    },
    close: () => closeSync(descriptor),
  }
}

export function syncFolder(folder: string): void {
  // Windows cannot open a folder to sync it; its renames are journaled.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
