// The content of a folder, name by name, in a form that can be transferred between threads without copying.
import { readdirSync, type Stats } from 'node:fs'
import { sep } from 'node:path'
import { isGone, statsOf } from '../content/stats.ts'

/** The stats that an image needs. */
export type PathStats = Pick<Stats, 'mode' | 'size' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'ino' | 'nlink' | 'dev' | 'uid' | 'gid'>
export type ListedPath = PathStats | 'absent' | 'unreadable'

export interface Listing {
  readonly folder: string
  /** Separated by `/`, which no name contains; null if the folder has none. */
  readonly names: string | null
  readonly numbers: Float64Array<ArrayBuffer>
}

export type FolderListing = Listing | { readonly folder: string; readonly failure: 'absent' | 'unreadable' }

const fields = 10
const mark = { absent: 0, unreadable: -1 } as const

export function list(folder: string): FolderListing {
  const names = namesIn(folder)
  if (typeof names === 'string') return { folder, failure: names }
  const numbers = new Float64Array(names.length * fields)
  const prefix = prefixOf(folder)
  names.forEach((name, index) => {
    const found = foundAt(prefix + name)
    if (typeof found === 'string') numbers[index * fields] = mark[found]
    else pack(numbers, index * fields, found)
  })
  return { folder, names: names.length === 0 ? null : names.join('/'), numbers }
}

export function namesOf({ names }: Listing): string[] {
  return names === null ? [] : names.split('/')
}

export function foundIn({ numbers }: Listing, index: number): ListedPath {
  const at = index * fields
  const number = (field: number) => numbers[at + field] ?? 0
  const mode = number(0)
  if (mode === mark.absent) return 'absent'
  if (mode === mark.unreadable) return 'unreadable'
  const times = { mtimeMs: number(2), ctimeMs: number(3), birthtimeMs: number(4) }
  const owner = { uid: number(8), gid: number(9) }
  return { mode, size: number(1), ...times, ino: number(5), nlink: number(6), dev: number(7), ...owner }
}

export function namesIn(folder: string): string[] | 'absent' | 'unreadable' {
  try {
    return readdirSync(folder)
  } catch (error) {
    return isGone(error) ? 'absent' : 'unreadable'
  }
}

export function foundAt(path: string): ListedPath {
  try {
    return statsOf(path) ?? 'absent'
  } catch {
    // Below a folder without access: reported as unreadable.
    return 'unreadable'
  }
}

export function prefixOf(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}

function pack(numbers: Float64Array, at: number, outline: PathStats): void {
  const { mode, size, mtimeMs, ctimeMs, birthtimeMs, ino, nlink, dev, uid, gid } = outline
  numbers[at] = mode
  numbers[at + 1] = size
  numbers[at + 2] = mtimeMs
  numbers[at + 3] = ctimeMs
  numbers[at + 4] = birthtimeMs
  numbers[at + 5] = ino
  numbers[at + 6] = nlink
  numbers[at + 7] = dev
  numbers[at + 8] = uid
  numbers[at + 9] = gid
}
