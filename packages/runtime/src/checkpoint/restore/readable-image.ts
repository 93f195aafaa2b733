// The bytes of a path as it is now, and as a checkpoint saved it.
import { closeSync, fstatSync } from 'node:fs'
import type { Contents } from '../content/contents.ts'
import { openForReading, readWhole } from '../content/file-reading.ts'
import type { FileImage, Image } from '../content/image.ts'
import { PackDamaged } from '../content/pack.ts'

export type Readable = Exclude<Image, { type: 'directory' | 'special' }> | 'absent'

export function isReadable(image: Image | 'absent'): image is Readable {
  return image === 'absent' || image.type === 'file' || image.type === 'symlink'
}

export function isSameContent(now: Readable, to: Readable): boolean {
  return now !== 'absent' && to !== 'absent' && now.type === 'file' && to.type === 'file' && now.sha256 !== null && now.sha256 === to.sha256
}

export function sizeOf(image: Readable): number {
  return image !== 'absent' && image.type === 'file' ? image.size : 0
}

/** Null if it cannot be read, or is larger than `most`. */
export function bytesAt(path: string, image: Readable, most: number): Buffer | null {
  if (image === 'absent') return Buffer.alloc(0)
  return image.type === 'symlink' ? Buffer.from(image.link_target) : bytesOfFile(path, most)
}

export function keptBytes(contents: Pick<Contents, 'read'>, image: Readable): Buffer | null {
  if (image === 'absent') return Buffer.alloc(0)
  if (image.type === 'symlink') return Buffer.from(image.link_target)
  return readKept(contents, image)
}

function readKept(contents: Pick<Contents, 'read'>, image: FileImage): Buffer | null {
  if (image.content === null) return null
  try {
    // Each part is copied: its buffer is reused.
    return Buffer.concat(Array.from(contents.read(image), (part) => Buffer.from(part)))
  } catch (error) {
    if (error instanceof PackDamaged) return null
    throw error
  }
}

export function bytesOfFile(path: string, most: number): Buffer | null {
  const descriptor = openForReading(path)
  if (typeof descriptor === 'string') return null
  try {
    const { size } = fstatSync(descriptor)
    return size > most ? null : readWhole(descriptor, size)
  } finally {
    closeSync(descriptor)
  }
}
