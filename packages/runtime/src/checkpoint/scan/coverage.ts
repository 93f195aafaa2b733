// Which paths a checkpoint covers. If it scanned a path and found nothing, the path was absent; elsewhere it knows nothing.
import { dirname } from 'node:path'
import { isInside } from '../../path/inside.ts'
import type { ScannedPath } from '../content/image.ts'
import type { Images } from '../content/images.ts'

export interface Coverage {
  /** Folders scanned with everything below them. */
  readonly trees: readonly string[]
  /** Scanned alone, without anything below them. */
  readonly paths: readonly string[]
  /** Folders of which only the direct children were scanned. */
  readonly children: readonly string[]
  /** Below a tree, but not scanned. The path itself was seen. */
  readonly blind: readonly string[]
}

export interface CoveredImages {
  readonly coverage: Coverage
  readonly images: Images
}

export function seenAt({ coverage, images }: CoveredImages, path: string): ScannedPath {
  const image = images.get(path)
  if (image) return image
  return covers(coverage, path) || isBelowNothing(coverage, images, path) ? 'absent' : 'unseen'
}

/** Below something that is not a folder, or does not exist, there is nothing: no scan is needed. */
function isBelowNothing(coverage: Coverage, images: Images, path: string): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const image = images.get(above)
    if (image) return image.type !== 'directory'
    if (covers(coverage, above)) return true
  }
  return false
}

function covers(coverage: Coverage, path: string): boolean {
  const { trees, children, blind } = coverage
  if (single(coverage).has(path)) return true
  if (children.includes(dirname(path))) return true
  if (!trees.some((tree) => isInside(path, tree))) return false
  return !blind.some((folder) => path !== folder && isInside(path, folder))
}

const singles = new WeakMap<Coverage, ReadonlySet<string>>()

function single(coverage: Coverage): ReadonlySet<string> {
  const known = singles.get(coverage) ?? new Set(coverage.paths)
  singles.set(coverage, known)
  return known
}
