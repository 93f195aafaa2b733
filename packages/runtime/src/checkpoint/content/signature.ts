// What tells that nothing in a folder was touched, side by side in memory: to compare fifty thousand files by their images
// costs as much time as a third of the walk, because the images lie all over it.

import type { Outline } from '../survey/listing.ts'
import type { Folder } from './images.ts'

export interface Signature {
  /** In the order the system lists them, which is the same as long as none comes or goes. */
  readonly names: readonly string[]
  readonly numbers: Float64Array
}

const fields = 5
const signatures = new WeakMap<Folder, Signature>()

export function signatureOf(folder: Folder): Signature | undefined {
  return signatures.get(folder)
}

/** Only for a folder that is shared, and so does not change any more. */
export function sign(folder: Folder, names: readonly string[]): void {
  const numbers = new Float64Array(names.length * fields)
  names.forEach((name, index) => {
    const image = folder.get(name)
    // Nothing equals NaN: what is no file, or proves nothing by its times, is looked at closely. So is what an earlier version saved.
    if (image?.type === 'file' && !image.racy && image.uid !== undefined)
      numbers.set([image.mtime, image.ctime, image.ino, image.size, image.mode], index * fields)
    else numbers.fill(Number.NaN, index * fields, (index + 1) * fields)
  })
  signatures.set(folder, { names, numbers })
}

export function isSigned({ names, numbers }: Signature, index: number, name: string, stats: Outline): boolean {
  const at = index * fields
  return (
    stats.mtimeMs === numbers[at] &&
    stats.ctimeMs === numbers[at + 1] &&
    stats.ino === numbers[at + 2] &&
    stats.size === numbers[at + 3] &&
    (stats.mode & 0o7777) === numbers[at + 4] &&
    name === names[index]
  )
}
