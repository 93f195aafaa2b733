// Which files' contents a checkpoint keeps: all of a small scope; of a larger one the named targets, then small files within the budget.
import { sep } from 'node:path'
import type { RestoreKind } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import { isWithin } from './coverage.ts'
import type { FileImage, Image } from './image.ts'
import type { UnprotectedNotes } from './unprotected.ts'
import { isRegenerable } from './walk.ts'

export interface Kept {
  readonly paths: ReadonlySet<string>
  readonly bytes: number
}

export function chooseKept(
  kind: RestoreKind,
  images: ReadonlyMap<string, Image>,
  targets: readonly string[],
  notes: UnprotectedNotes,
): Kept {
  const paths = new Set<string>()
  let bytes = 0
  if (kind === 'filesystem_snapshot') {
    for (const [path, image] of images) {
      if (image.type !== 'file') continue
      paths.add(path)
      bytes += image.size
    }
    return { paths, bytes }
  }
  for (const [path, image] of inOrder(images, targets)) {
    if (image.size > limits.content_snapshot_file_bytes && rank(path, targets) > 0) notes.add('too_large', path)
    else if (bytes + image.size > limits.content_snapshot_bytes) notes.add('over_budget', path)
    else {
      paths.add(path)
      bytes += image.size
    }
  }
  return { paths, bytes }
}

/** Named targets first, what a tool can make again last; between them what was worked on last. */
function inOrder(images: ReadonlyMap<string, Image>, targets: readonly string[]): [string, FileImage][] {
  const files: [string, FileImage][] = []
  let small = 0
  for (const [path, image] of images) {
    if (image.type !== 'file') continue
    files.push([path, image])
    if (image.size <= limits.content_snapshot_file_bytes) small += image.size
  }
  // Where everything small fits, order decides nothing, and sorting a hundred thousand paths would cost more than the walk.
  if (small <= limits.content_snapshot_bytes && targets.length === 0) return files
  const ranks = new Map(files.map(([path]) => [path, rank(path, targets)]))
  return files.sort((left, right) => (ranks.get(left[0]) ?? 0) - (ranks.get(right[0]) ?? 0) || right[1].mtime - left[1].mtime)
}

function rank(path: string, targets: readonly string[]): 0 | 1 | 2 {
  if (targets.some((target) => isWithin(path, target))) return 0
  return path.split(sep).some(isRegenerable) ? 2 : 1
}
