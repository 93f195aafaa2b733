// What one call changed: the difference between its checkpoint and the scan after it.

import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { sameImage } from '../content/image.ts'
import { packAfter, packBefore } from '../store.ts'

export interface ListedChanges {
  readonly paths: readonly string[]
  /** Folders that were scanned in full, before and after. */
  readonly trees: readonly string[]
  /** Folders within them that were not scanned. */
  readonly blind: readonly string[]
}

/** Null if there are more than `most`. */
export function changesOf(keeper: CheckpointWriter, checkpoint_id: string, most: number): ListedChanges | null {
  const before = keeper.manifest(packBefore(checkpoint_id))
  const after = keeper.manifest(packAfter(checkpoint_id))
  const paths: string[] = []
  for (const [path, was, is] of before.images.differences(after.images)) {
    if (was && is && sameImage(was, is)) continue
    if (paths.length === most) return null
    paths.push(path)
  }
  const trees = before.coverage.trees.filter((tree) => after.coverage.trees.includes(tree))
  return { paths, trees, blind: [...new Set([...before.coverage.blind, ...after.coverage.blind])] }
}
