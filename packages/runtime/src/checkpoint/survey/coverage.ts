// Which paths a checkpoint speaks for. Where it looked and found nothing, the path was absent; elsewhere it knows nothing.
import { dirname } from 'node:path'
import { isInside } from '../../path/inside.ts'
import type { Seen } from '../content/image.ts'
import type { Images } from '../content/images.ts'

export interface Coverage {
  /** Folders seen with everything below them. */
  readonly trees: readonly string[]
  /** Seen alone, with nothing below them. */
  readonly paths: readonly string[]
  /** Folders of which only the direct children were seen. */
  readonly children: readonly string[]
  /** Below a tree, yet not looked into. The path itself was seen. */
  readonly blind: readonly string[]
}

export interface Seeing {
  readonly coverage: Coverage
  readonly images: Images
}

export function seenAt({ coverage, images }: Seeing, path: string): Seen {
  const image = images.get(path)
  if (image) return image
  return covers(coverage, path) || isBelowNothing(coverage, images, path) ? 'absent' : 'unseen'
}

/** What would lie below something that is no folder, or that is not there, is not there: nobody has to look. */
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
