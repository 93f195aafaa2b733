// Reads single paths, and the direct children of a folder that is too large to scan.
import { fileImage, folderImage, type Image, isUnchangedByStats, linkImage } from '../content/image.ts'
import { Images } from '../content/images.ts'
import { readLink, statsOf } from '../content/stats.ts'
import { UnprotectedNotes } from '../unprotected.ts'
import { namesIn, prefixOf } from './listing.ts'
import type { KnownImages, WalkOptions, WalkResult } from './walk.ts'

export function look(folder: string, { known }: WalkOptions): WalkResult {
  const images = new Images()
  const notes = new UnprotectedNotes()
  const blind: string[] = []
  let files = 0
  let bytes = 0
  const names = namesIn(folder)
  if (names === 'unreadable') notes.add('unreadable', folder)
  const below = typeof names === 'string' ? [] : names.map((name) => prefixOf(folder) + name)
  for (const path of [folder, ...below]) {
    const image = readImage(path, known)
    if (!image) continue
    images.set(path, image)
    if (image.type === 'file') {
      files += 1
      bytes += image.size
    }
    if (image.type === 'special') notes.add('special', path)
    if (image.type === 'directory' && path !== folder) blind.push(path)
  }
  notes.add('wide_scope', folder)
  const children = names === 'unreadable' ? [] : [folder]
  return { images, coverage: { trees: [], paths: [folder], children, blind }, notes, files, bytes, whole: false }
}

export function readImage(path: string, known: Pick<KnownImages, 'get'>): Image | null {
  const stats = statsIfAllowed(path)
  if (!stats) return null
  const before = known.get(path)
  if (stats.isDirectory()) return folderImage(path, stats, before)
  if (stats.isSymbolicLink()) return linkImage(path, readLink(path) ?? '', stats, before)
  if (!stats.isFile()) return { type: 'special', ino: stats.ino }
  return before?.type === 'file' && isUnchangedByStats(before, stats) ? before : fileImage(stats)
}

function statsIfAllowed(path: string): ReturnType<typeof statsOf> {
  try {
    return statsOf(path)
  } catch {
    // Below a folder without access: not seen.
    return null
  }
}
