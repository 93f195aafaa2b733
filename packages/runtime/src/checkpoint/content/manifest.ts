// The stored form of what a checkpoint found: all of it, or the difference from an earlier one of the same folder.
import { isAbsolute, sep } from 'node:path'
import type { RestoreKind } from '@tandem/contract/checkpoint'
import type { Coverage, CoveredImages } from '../scan/coverage.ts'
import type { Unprotected } from '../unprotected.ts'
import type { Attributes } from './attributes.ts'
import { type ExtendedAttributes, noExtendedAttributes } from './extended-attributes.ts'
import type { ContentPlace, Image } from './image.ts'
import { Images } from './images.ts'

export interface Manifest extends CoveredImages {
  readonly root: string
  readonly kind: RestoreKind
  readonly unprotected: readonly Unprotected[]
}

/**
 * `[path, …]`; a letter for the type. Compact, because there may be a hundred thousand. Rows of earlier versions end before the attributes.
 */
type ManifestRow =
  | readonly [
      string,
      'f',
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      string | null,
      string | 0,
      number,
      0 | 1,
      ...AttributeColumns,
    ]
  | readonly [string, 'l', string, number, ...AttributeColumns]
  | readonly [string, 'd', number, number, (number | null)?, ...AttributeColumns]
  | readonly [string, 's', number]

/** User, group, nanoseconds, extended attributes. Null if unknown, 0 if there are none. */
type AttributeColumns = readonly [(number | null)?, (number | null)?, (number | null)?, (ExtendedAttributes | 0 | null)?]

export interface WrittenManifest {
  readonly root: string
  readonly kind: RestoreKind
  readonly coverage: Coverage
  readonly unprotected: readonly Unprotected[]
  readonly rows: readonly ManifestRow[]
  /** Paths of the base that no longer exist; only with a base. */
  readonly gone: readonly string[]
}

const cloned = -1

export function writeManifest(manifest: Manifest, base: Images | null): WrittenManifest {
  const { root, kind, coverage, unprotected, images } = manifest
  const rows: ManifestRow[] = []
  const gone: string[] = []
  for (const [path, image] of images.differences(base ?? new Images())) {
    if (image) rows.push(toRow(toRelative(root, path), image))
    else gone.push(toRelative(root, path))
  }
  return { root, kind, coverage, unprotected, rows, gone }
}

export function readManifest(written: WrittenManifest, base: Images | null): Manifest {
  const { root, kind, coverage, unprotected } = written
  const images = base ? Images.copyOf(base) : new Images()
  for (const path of written.gone) images.delete(toAbsolute(root, path))
  for (const row of written.rows) images.set(toAbsolute(root, row[0]), fromRow(row))
  return { root, kind, coverage, unprotected, images }
}

function toRelative(root: string, path: string): string {
  if (path === root) return ''
  const prefix = root.endsWith(sep) ? root : root + sep
  return path.startsWith(prefix) ? path.slice(prefix.length) : path
}

function toAbsolute(root: string, path: string): string {
  if (path === '') return root
  if (isAbsolute(path)) return path
  return root.endsWith(sep) ? root + path : root + sep + path
}

function toRow(path: string, image: Image): ManifestRow {
  switch (image.type) {
    case 'file': {
      const { mode, size, mtime, ctime, ino, links, born, sha256, content, racy } = image
      const place = content === null ? 0 : 'clone' in content ? content.clone : content.pack
      const start = content === null ? 0 : 'clone' in content ? cloned : content.start
      return [path, 'f', mode, size, mtime, ctime, ino, links, born, sha256, place, start, racy ? 1 : 0, ...toColumns(image)]
    }
    case 'symlink':
      return [path, 'l', image.link_target, image.mtime, ...toColumns(image)]
    case 'directory':
      return [path, 'd', image.mode, image.mtime, image.ctime ?? null, ...toColumns(image)]
    case 'special':
      return [path, 's', image.ino]
  }
}

function fromRow(row: ManifestRow): Image {
  switch (row[1]) {
    case 'f': {
      const [, , mode, size, mtime, ctime, ino, links, born, sha256, place, start, racy, ...columns] = row
      const stats = { mode, size, mtime, ctime, ino, links, born }
      return { type: 'file', ...stats, sha256, content: toPlace(place, start), racy: racy === 1, ...fromColumns(columns) }
    }
    case 'l': {
      const [, , link_target, mtime, ...columns] = row
      return { type: 'symlink', link_target, mtime, ...fromColumns(columns) }
    }
    case 'd': {
      const [, , mode, mtime, ctime, ...columns] = row
      return { type: 'directory', mode, mtime, ...(ctime == null ? {} : { ctime }), ...fromColumns(columns) }
    }
    case 's':
      return { type: 'special', ino: row[2] }
  }
}

function toColumns({ uid, gid, mtime_ns, xattrs }: Attributes): AttributeColumns {
  return [uid ?? null, gid ?? null, mtime_ns ?? null, xattrs === undefined ? null : xattrs.length === 0 ? 0 : xattrs]
}

function fromColumns([uid, gid, mtime_ns, xattrs]: AttributeColumns): Attributes {
  return {
    ...(uid == null ? {} : { uid }),
    ...(gid == null ? {} : { gid }),
    ...(mtime_ns == null ? {} : { mtime_ns }),
    ...(xattrs == null ? {} : { xattrs: xattrs === 0 ? noExtendedAttributes : xattrs }),
  }
}

function toPlace(place: string | 0, start: number): ContentPlace | null {
  if (place === 0) return null
  return start === cloned ? { clone: place } : { pack: place, start }
}
