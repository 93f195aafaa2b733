// A workspace that was moved: what was saved at its old path belongs to the new one, and the new path can often be found.
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isInside } from '../../path/inside.ts'
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import type { FileImage } from '../content/image.ts'
import type { Manifest } from '../content/manifest.ts'
import { statsOf } from '../content/stats.ts'
import { seenAt } from '../scan/coverage.ts'
import type { StageRef } from './history.ts'
import { savedManifest } from './saved-manifest.ts'

export interface Relocation {
  readonly from: string
  readonly to: string
}

export type WorkspaceLocation =
  | { readonly state: 'there' }
  /** `found`: a folder with the same files, if there is one. */
  | { readonly state: 'gone'; readonly found: string | null }

export function relocateHistory(manifest: Manifest, { from, to }: Relocation): Manifest {
  const moved = (path: string) => (isInside(path, from) ? to + path.slice(from.length) : path)
  const { trees, paths, children, blind } = manifest.coverage
  const coverage = { trees: trees.map(moved), paths: paths.map(moved), children: children.map(moved), blind: blind.map(moved) }
  return { ...manifest, root: moved(manifest.root), coverage, images: manifest.images.relocated(from, to) }
}

/** Whether a restore can write to `workspace`: it exists, or the run itself removed it. */
export function locateWorkspace(keeper: CheckpointWriter, stages: readonly StageRef[], workspace: string): WorkspaceLocation {
  if (isFolder(workspace)) return { state: 'there' }
  for (const stage of stages.toReversed()) {
    if (stage.settled !== 'yes' && stage.settled !== 'late') continue
    const last = seenAt(savedManifest(keeper, stage, 'after'), stage.moved?.from ?? workspace)
    if (last === 'absent') return { state: 'there' }
    if (last !== 'unseen') break
  }
  const [first] = stages
  if (!first) return { state: 'gone', found: null }
  return { state: 'gone', found: findMoved(savedManifest(keeper, first, 'before'), first.moved?.from ?? workspace, workspace) }
}

const filesCompared = 20
const foldersTried = 5_000

/**
 * A folder near the old path with a file that has the same inode and creation time at the same relative path: a move keeps both. `saved`:
 * where the manifest has them.
 */
function findMoved({ images }: Manifest, saved: string, workspace: string): string | null {
  const known: (readonly [string, FileImage])[] = []
  for (const [path, image] of images) {
    if (image.type === 'file' && isInside(path, saved)) known.push([relative(saved, path), image])
    if (known.length === filesCompared) break
  }
  if (known.length === 0) return null
  const isSame = (folder: string) =>
    known.some(([path, { ino, born }]) => {
      const stats = statsIfAllowed(join(folder, path))
      return stats?.isFile() && stats.ino === ino && stats.birthtimeMs === born
    })
  let tried = 0
  for (const folder of nearby(workspace)) {
    if (isSame(folder)) return folder
    tried += 1
    if (tried === foldersTried) return null
  }
  return null
}

/** Folders next to the old path, then those one level below and above. */
function* nearby(workspace: string): Generator<string> {
  const parent = dirname(workspace)
  const beside = foldersIn(parent)
  yield* beside
  for (const folder of beside) yield* foldersIn(folder)
  const above = foldersIn(dirname(parent)).filter((folder) => folder !== parent)
  yield* above
  for (const folder of above) yield* foldersIn(folder)
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
  } catch {
    // Unreadable or missing: nothing is found there.
    return []
  }
}

function isFolder(path: string): boolean {
  return statsIfAllowed(path)?.isDirectory() ?? false
}

function statsIfAllowed(path: string): ReturnType<typeof statsOf> {
  try {
    return statsOf(path)
  } catch {
    // Below a folder without access.
    return null
  }
}
