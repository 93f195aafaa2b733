// What remains of a recovery point whose contents were deleted: which paths its call changed, and how, without any content.
import { createHmac } from 'node:crypto'
import { dirname } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { isInside } from '../../path/inside.ts'
import { sameImage } from '../content/image.ts'
import { Images } from '../content/images.ts'
import { type Manifest, readManifest, type WrittenManifest, writeManifest } from '../content/manifest.ts'

export type KeptChanges =
  /** The changed paths before and after the call, and when its background command ended. */
  | {
      readonly kind: 'states'
      readonly paths: readonly string[]
      readonly before: WrittenManifest
      readonly after: WrittenManifest
      readonly end: WrittenManifest | null
    }
  /** Where it may have changed something: these paths and everything below them. */
  | { readonly kind: 'places'; readonly places: readonly string[] }
  /** The same after its conversation was erased: keyed hashes, by which a known path is recognized. */
  | { readonly kind: 'hashes'; readonly paths: readonly string[]; readonly places: readonly string[] }

/** As it is passed to the checkpoint thread. */
export interface KeptRecord {
  /** Null if nothing is known about it. */
  readonly changes: Uint8Array | null
  readonly key: string
}

/** A call that changed more is only kept by its folders. */
const mostPathsKept = 20_000

/** `end`: the state when the background command of the call ended, if it had one. */
export function keptChangesOf(before: Manifest, after: Manifest, end: Manifest | null): KeptChanges {
  const paths = new Set<string>()
  const sides = end ? [after, end] : [after]
  let last = before
  for (const side of sides) {
    for (const [path, was, is] of last.images.differences(side.images)) if (!(was && is && sameImage(was, is))) paths.add(path)
    last = side
  }
  const { trees, children, paths: single } = before.coverage
  if (paths.size > mostPathsKept) return { kind: 'places', places: [...new Set([...trees, ...children, ...single])] }
  const part = (side: Manifest) => writeManifest(partOf(side, paths), null)
  return { kind: 'states', paths: [...paths], before: part(before), after: part(after), end: end && part(end) }
}

function partOf(manifest: Manifest, paths: ReadonlySet<string>): Manifest {
  const images = new Images()
  for (const path of paths) {
    const image = manifest.images.get(path)
    if (image) images.set(path, image)
  }
  return { ...manifest, coverage: { ...manifest.coverage, paths: [...paths] }, images, unprotected: [] }
}

/** It knows the changed paths only: of every other path it does not know how it was. */
export function readKeptSide(side: WrittenManifest): Manifest {
  return { ...readManifest(side, null), isPartial: true }
}

export function packChanges(changes: KeptChanges): Uint8Array {
  return zstdCompressSync(JSON.stringify(changes))
}

export function unpackChanges({ changes }: Pick<KeptRecord, 'changes'>): KeptChanges | null {
  return changes && JSON.parse(zstdDecompressSync(changes).toString('utf8'))
}

/** Without names: for a conversation that is erased. */
export function hashed(changes: KeptChanges, key: string): KeptChanges {
  const hashes = (paths: readonly string[]) => paths.map((path) => hashOf(path, key)).sort()
  if (changes.kind === 'states') return { kind: 'hashes', paths: hashes(changes.paths), places: [] }
  return changes.kind === 'places' ? { kind: 'hashes', paths: [], places: hashes(changes.places) } : changes
}

/** Whether the call may have changed a path. */
export function toucherOf({ changes, key }: KeptRecord): (path: string) => boolean {
  const kept = unpackChanges({ changes })
  if (!kept) return () => true
  if (kept.kind === 'places') return (path) => kept.places.some((place) => isInside(path, place))
  const paths = new Set(kept.paths)
  if (kept.kind === 'states') return (path) => paths.has(path)
  const places = new Set(kept.places)
  return (path) => paths.has(hashOf(path, key)) || (places.size > 0 && withAncestors(path).some((one) => places.has(hashOf(one, key))))
}

function withAncestors(path: string): string[] {
  const all = [path]
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) all.push(above)
  return all
}

function hashOf(path: string, key: string): string {
  return createHmac('sha256', key).update(path).digest('base64url').slice(0, 22)
}
