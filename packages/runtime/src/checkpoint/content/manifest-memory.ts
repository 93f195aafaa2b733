// Recent manifests, and for each folder the one that later manifests are stored as differences from.

import type { KnownImages } from '../scan/walk.ts'
import { type Contents, nullIfDamaged } from './contents.ts'
import type { Images } from './images.ts'
import { type Manifest, readManifest, type WrittenManifest, writeManifest } from './manifest.ts'

interface Remembered {
  readonly base: { readonly name: string; readonly images: Images }
  readonly images: Images
}

const rootsRemembered = 4
const manifestsCached = 4

export class ManifestMemory {
  readonly #contents: Contents
  readonly #remembered = new Map<string, Remembered>()
  readonly #recent = new Map<string, Manifest>()

  constructor(contents: Contents) {
    this.#contents = contents
  }

  /** The known images that a scan compares with; the latest come first. */
  known(): KnownImages {
    return together([...this.#remembered.values()].reverse().map(({ images }) => images))
  }

  manifest(pack: string): Manifest {
    const recent = this.#recent.get(pack)
    if (recent) return recent
    const open = this.#contents.open(pack)
    const base = open.meta.base === null ? null : this.#baseImages(open.meta.base)
    const manifest = readManifest(open.manifest() as WrittenManifest, base)
    this.#cache(pack, manifest)
    return manifest
  }

  /** From a pack of an earlier process, unless this process has already scanned the folder. */
  recall(root: string, pack: string): void {
    if (this.#remembered.has(root) || !this.#contents.holds({ pack, start: 0 })) return
    const known = nullIfDamaged(() => {
      const { base } = this.#contents.open(pack).meta
      const manifest = this.manifest(pack)
      return { manifest, base: { name: base ?? pack, images: base === null ? manifest.images : this.#baseImages(base) } }
    })
    if (!known || !isTree(known.manifest) || known.manifest.root !== root) return
    this.#keep(root, { base: known.base, images: known.manifest.images })
  }

  /** As a difference if that is much shorter; `base` is then the pack it differs from. */
  write(manifest: Manifest): { written: WrittenManifest; base: string | null } {
    const base = isTree(manifest) ? this.#remembered.get(manifest.root)?.base : undefined
    if (!base || !this.#contents.holds({ pack: base.name, start: 0 })) return { written: writeManifest(manifest, null), base: null }
    const difference = writeManifest(manifest, base.images)
    const wide = difference.rows.length + difference.gone.length > Math.max(500, manifest.images.size / 4)
    return wide ? { written: writeManifest(manifest, null), base: null } : { written: difference, base: base.name }
  }

  /** `base` as returned by `write`. */
  remember(pack: string, manifest: Manifest, base: string | null): void {
    this.#cache(pack, manifest)
    if (!isTree(manifest)) return
    const { root, images } = manifest
    const earlier = this.#remembered.get(root)?.base
    this.#keep(root, { base: base !== null && earlier ? earlier : { name: pack, images }, images })
  }

  forget(): void {
    this.#remembered.clear()
    this.#recent.clear()
  }

  #cache(pack: string, manifest: Manifest): void {
    this.#recent.set(pack, manifest)
    dropOldest(this.#recent, manifestsCached)
  }

  #keep(root: string, remembered: Remembered): void {
    this.#remembered.delete(root)
    this.#remembered.set(root, remembered)
    dropOldest(this.#remembered, rootsRemembered)
  }

  #baseImages(name: string): Images {
    for (const { base } of this.#remembered.values()) if (base.name === name) return base.images
    return readManifest(this.#contents.open(name).manifest() as WrittenManifest, null).images
  }
}

function isTree({ coverage, root }: Manifest): boolean {
  return coverage.trees[0] === root
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}

/** A root below another one is in both; a manifest that scanned all of a folder has more of it than one that only borders on it. */
function together(all: readonly Images[]): KnownImages {
  const [only] = all
  if (only && all.length === 1) return only
  return {
    get: (path) => all.find((images) => images.has(path))?.get(path),
    folder: (prefix) =>
      all
        .map((images) => images.folder(prefix))
        .reduce((best, folder) => ((folder?.size ?? 0) > (best?.size ?? 0) ? folder : best), undefined),
  }
}
