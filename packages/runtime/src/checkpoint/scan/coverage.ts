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
  /** Only `images` and `coverage.paths` are known; the rest of `coverage` shows what was scanned at that time. */
  readonly isPartial?: boolean
}

export function seenAt(covered: CoveredImages, path: string): ScannedPath {
  const image = covered.images.get(path)
  if (image) return image
  return knows(covered, path) || isBelowNothing(covered, path) ? 'absent' : 'unseen'
}

/** Whether it was scanned, even if what was found there is not known any more. */
export function wasScanned(covered: CoveredImages, path: string): boolean {
  return seenAt(covered, path) !== 'unseen' || (covered.isPartial === true && covers(covered.coverage, path))
}

/** Below something that is not a folder, or does not exist, there is nothing: no scan is needed. */
function isBelowNothing(covered: CoveredImages, path: string): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const image = covered.images.get(above)
    if (image) return image.type !== 'directory'
    if (knows(covered, above)) return true
  }
  return false
}

function knows({ coverage, isPartial }: CoveredImages, path: string): boolean {
  return isPartial ? single(coverage).has(path) : covers(coverage, path)
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
