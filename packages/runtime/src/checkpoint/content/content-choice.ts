// Which file contents a checkpoint stores: all of a small scope; of a larger one, the named targets, then small files within the budget.
import { sep } from 'node:path'
import type { RestoreKind } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import { isInside } from '../../path/inside.ts'
import { isRegenerable } from '../scan/walk.ts'
import type { UnprotectedNotes } from '../unprotected.ts'
import type { FileImage } from './image.ts'
import type { Images } from './images.ts'

export interface StoredContents {
  readonly files: number
  readonly bytes: number
  /** Files whose content is not stored; all others are stored. */
  readonly left: ReadonlySet<string>
}

export function chooseStoredContents(
  kind: RestoreKind,
  images: Images,
  targets: readonly string[],
  notes: UnprotectedNotes,
): StoredContents {
  const all = { files: 0, bytes: 0 }
  const large: [string, FileImage][] = []
  for (const [prefix, facts] of images.facts()) {
    all.files += facts.files.length
    all.bytes += facts.bytes
    if (facts.largest <= limits.content_snapshot_file_bytes) continue
    for (const [name, image] of facts.files) if (image.size > limits.content_snapshot_file_bytes) large.push([prefix + name, image])
  }
  if (kind === 'filesystem_snapshot') return { ...all, left: new Set() }
  const unnamed = large.filter(([path]) => rank(path, targets) > 0)
  for (const [path] of unnamed) notes.add('too_large', path)
  const rest = { files: all.files - unnamed.length, bytes: unnamed.reduce((sum, [, { size }]) => sum - size, all.bytes) }
  // If everything fits, the order is irrelevant, and sorting a hundred thousand paths would take longer than the scan.
  if (rest.bytes <= limits.content_snapshot_bytes) return { ...rest, left: new Set(unnamed.map(([path]) => path)) }
  return withinBudget(images, targets, new Set(unnamed.map(([path]) => path)), notes)
}

/** Named targets first, generated files last; in between, the most recently changed files. */
function withinBudget(images: Images, targets: readonly string[], left: Set<string>, notes: UnprotectedNotes): StoredContents {
  const ranked: { path: string; image: FileImage; rank: number }[] = []
  for (const [path, image] of images) if (image.type === 'file' && !left.has(path)) ranked.push({ path, image, rank: rank(path, targets) })
  ranked.sort((one, other) => one.rank - other.rank || other.image.mtime - one.image.mtime)
  let files = 0
  let bytes = 0
  for (const { path, image } of ranked) {
    if (bytes + image.size > limits.content_snapshot_bytes) {
      notes.add('over_budget', path)
      left.add(path)
    } else {
      files += 1
      bytes += image.size
    }
  }
  return { files, bytes, left }
}

function rank(path: string, targets: readonly string[]): 0 | 1 | 2 {
  if (targets.some((target) => isInside(path, target))) return 0
  return path.split(sep).some(isRegenerable) ? 2 : 1
}
