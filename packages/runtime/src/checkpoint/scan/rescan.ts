// After a call: scans the same paths again, and what the call created in them.

import type { Images } from '../content/images.ts'
import type { Manifest } from '../content/manifest.ts'
import type { Coverage } from './coverage.ts'
import { withFoldersOpen } from './disk.ts'
import { look, readImage } from './look.ts'
import { type WalkOptions, type WalkResult, walk } from './walk.ts'

export function rescan(before: Manifest, options: WalkOptions): { images: Images; coverage: Coverage } {
  const { trees, paths, children } = before.coverage
  const walked = walkClosed(trees, options, before)
  const images = walked.images
  const newFolders: string[] = []
  const blind = [...walked.coverage.blind]
  for (const folder of children) {
    const seen = look(folder, options)
    for (const [path, image] of seen.images) {
      images.set(path, image)
      if (image.type !== 'directory' || path === folder) continue
      // A folder that replaced a file was also created by the call.
      if (before.images.get(path)?.type === 'directory') blind.push(path)
      else newFolders.push(path)
    }
  }
  // A folder created by the call is scanned, otherwise it could not be removed.
  const made = walk(newFolders, options)
  for (const [path, image] of made.images) images.set(path, image)
  for (const path of paths) {
    const image = readImage(path, before.images)
    if (image) images.set(path, image)
  }
  const coverage = { trees: [...trees, ...newFolders], paths, children, blind: [...blind, ...made.coverage.blind] }
  return { images, coverage }
}

/** Folders that were open before and that the call closed (`chmod -R 000`) are opened for the scan, as far as we own them. */
function walkClosed(trees: readonly string[], options: WalkOptions, before: Manifest): WalkResult {
  const walked = walk(trees, options)
  if (!walked.notes.list().some(({ cause }) => cause === 'unreadable')) return walked
  const folders = [...before.images].filter(([, image]) => image.type === 'directory').map(([path]) => path)
  return withFoldersOpen(folders, (modes) => {
    const again = walk(trees, options)
    for (const [path, mode] of modes) {
      const image = again.images.get(path)
      if (image?.type === 'directory') again.images.set(path, { ...image, mode })
    }
    return again
  })
}
