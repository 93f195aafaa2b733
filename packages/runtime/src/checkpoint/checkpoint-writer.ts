// Takes and settles checkpoints: the part that accesses the disk. It is synchronous, so it runs in a separate thread.
import type { RestoreKind } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import { blobsOf, Contents } from './content/contents.ts'
import { cloneFile, hashFile } from './content/file-reading.ts'
import type { Image } from './content/image.ts'
import type { FolderFacts, Images } from './content/images.ts'
import type { Manifest } from './content/manifest.ts'
import { ManifestMemory } from './content/manifest-memory.ts'
import { type PackMeta, PackWriter } from './content/pack.ts'
import { type Crashpoint, crashPoint } from './crashpoint.ts'
import type { FileCount } from './file-count.ts'
import type { Coverage } from './scan/coverage.ts'
import type { ListingWorkers } from './scan/listing-workers.ts'
import { rescan } from './scan/rescan.ts'
import { type ScopeScan, scanScope } from './scan/scan-scope.ts'
import type { ChangeScope } from './scan/scope.ts'
import { type WalkOptions, walk, walkBudget } from './scan/walk.ts'
import { packAfter, packAtEnd, packBefore } from './store.ts'
import { type Unprotected, UnprotectedNotes } from './unprotected.ts'

export interface CheckpointWriterOptions {
  readonly home: string
  now(): number
  elapsed(): number
  readonly crashpoint?: Crashpoint
  readonly clone?: (from: string, to: string) => boolean
  readonly budget?: WalkOptions['budget']
  canceled?(): boolean
  /** Told often how far a walk or a taking is. */
  readonly counted?: FileCount
  readonly workers?: ListingWorkers
}

export interface ScannedScope {
  readonly kind: RestoreKind
  readonly files: number
  readonly bytes: number
  readonly kept_files: number
  readonly kept_bytes: number
  readonly protected_targets: readonly string[]
  readonly unprotected: readonly Unprotected[]
}

export interface WrittenCheckpoint extends ScannedScope {
  readonly artifact_count: number
  readonly artifact_bytes: number
  readonly stored_bytes: number
}

/** A scan made for a plan can be used for taking a checkpoint this soon after: another scan would take about as long. */
const freshFor = 250

export class CheckpointWriter {
  readonly contents: Contents
  readonly crashpoint: Crashpoint
  readonly options: CheckpointWriterOptions
  readonly #memory: ManifestMemory
  #fresh: { readonly scope: string; readonly at: number; readonly survey: ScopeScan } | null = null

  constructor(options: CheckpointWriterOptions) {
    this.options = options
    const { home, now, crashpoint = crashPoint, clone = cloneFile } = options
    this.crashpoint = crashpoint
    this.contents = new Contents({ folder: blobsOf(home), now, clone, crashpoint })
    this.#memory = new ManifestMemory(this.contents)
  }

  survey(scope: ChangeScope): ScannedScope {
    const found = scanScope(scope, this.#walkOptions())
    this.#fresh = { scope: JSON.stringify(scope), at: this.options.elapsed(), survey: found }
    return surveyed(scope, found)
  }

  /** Complete and synced when it returns; otherwise it throws and leaves nothing. */
  take(checkpoint_id: string, scope: ChangeScope): WrittenCheckpoint {
    this.crashpoint('take:begun')
    const found = this.#freshSurvey(scope) ?? scanScope(scope, this.#walkOptions())
    const images = found.images
    const writer = new PackWriter(this.contents.folder, packBefore(checkpoint_id))
    return this.#writing(writer, () => {
      let done = 0
      const count = (files: number) => {
        done += files
        this.options.counted?.(done, found.files)
      }
      for (const [prefix, facts] of images.facts()) {
        if (!facts.wanting && this.#holdsAll(facts)) {
          count(facts.files.length)
          continue
        }
        for (const [name] of facts.files) {
          if (!found.kept.left.has(prefix + name)) this.#keep(writer, prefix + name, images, found.notes)
          count(1)
        }
      }
      const manifest: Manifest = { root: scope.root, kind: found.kind, coverage: found.coverage, images, unprotected: found.notes.list() }
      const stored_bytes = this.#finish(writer, manifest)
      const facts = surveyed(scope, found)
      const absent = found.coverage.trees.filter((tree) => !images.has(tree)).length
      return { ...facts, artifact_count: images.size + absent, artifact_bytes: facts.kept_bytes, stored_bytes }
    })
  }

  /** Saves exactly these paths, whatever their size: a restore changes nothing that was not saved first. `trees` are only scanned. */
  takePaths(
    checkpoint_id: string,
    root: string,
    paths: ReadonlyMap<string, Image | 'absent'>,
    trees: readonly string[],
  ): { manifest: Manifest; taken: WrittenCheckpoint; missing: string[] } {
    const images = walk(trees, this.#walkOptions()).images
    const notes = new UnprotectedNotes()
    for (const [path, image] of paths) if (image !== 'absent') images.set(path, image)
    const writer = new PackWriter(this.contents.folder, packBefore(checkpoint_id))
    return this.#writing(writer, () => {
      for (const path of paths.keys()) this.#keep(writer, path, images, notes)
      const missing = [...paths.keys()].filter((path) => isUnkept(images.get(path)))
      const coverage: Coverage = { trees, paths: [...paths.keys()], children: [], blind: [] }
      const manifest: Manifest = { root, kind: 'filesystem_snapshot', coverage, images, unprotected: notes.list() }
      const stored_bytes = this.#finish(writer, manifest)
      const kept = [...paths.keys()].flatMap((path) => images.get(path) ?? [])
      const kept_bytes = kept.reduce((sum, image) => sum + (image.type === 'file' ? image.size : 0), 0)
      const facts = { kind: manifest.kind, files: images.size, bytes: kept_bytes, kept_files: images.size, kept_bytes }
      return {
        manifest,
        missing,
        taken: {
          ...facts,
          protected_targets: [],
          unprotected: manifest.unprotected,
          artifact_count: paths.size,
          artifact_bytes: kept_bytes,
          stored_bytes,
        },
      }
    })
  }

  /**
   * Records how the call left the files, so that later changes of others are recognized; with `end`, how its background command left them.
   * `correct`: what is known better than a scan shows.
   */
  settle(checkpoint_id: string, side: 'after' | 'end' = 'after', correct: (after: Images) => void = () => undefined): number {
    // An earlier scan does not show what changed until now.
    this.#fresh = null
    const before = this.manifest(side === 'after' ? packBefore(checkpoint_id) : packAfter(checkpoint_id))
    const after = this.glance(before)
    correct(after.images)
    this.crashpoint('settle:looked')
    const writer = new PackWriter(this.contents.folder, side === 'after' ? packAfter(checkpoint_id) : packAtEnd(checkpoint_id))
    return this.#writing(writer, () => this.#finish(writer, after))
  }

  /** The current state. Changed files are read, within a budget: times alone do not prove that a file is different. */
  glance(before: Manifest): Manifest {
    const { images, coverage } = rescan(before, this.#walkOptions(before.images))
    let budget: number = limits.content_snapshot_bytes
    for (const [path, image, known] of [...images.differences(before.images)]) {
      if (image?.type !== 'file' || image.sha256 !== null) continue
      const comparable = known?.type === 'file' && known.sha256 !== null && known.size === image.size
      if (!comparable && (image.size > limits.content_snapshot_file_bytes || image.size > budget)) continue
      budget -= image.size
      const hashed = hashFile(path, this.options.now)
      // The stored content of the same bytes is used for this image.
      if (hashed) images.set(path, comparable && hashed.sha256 === known.sha256 ? { ...hashed, content: known.content } : hashed)
    }
    return { ...before, coverage, images, unprotected: [] }
  }

  manifest(pack: string): Manifest {
    return this.#memory.manifest(pack)
  }

  /** Loads what was last found below a root, for scans to compare with. */
  recall(root: string, checkpoint_id: string): void {
    this.#memory.recall(root, packBefore(checkpoint_id))
  }

  forget(): void {
    this.#memory.forget()
    this.#fresh = null
  }

  #keep(writer: PackWriter, path: string, images: Images, notes: UnprotectedNotes): void {
    const image = images.get(path)
    if (image?.type !== 'file') return
    if (image.content !== null && !image.racy && this.contents.holds(image.content)) return
    this.crashpoint('take:file')
    const stored = this.contents.store(writer, path, image)
    if (stored.stored) images.set(path, { ...stored.image, mode: image.mode })
    else if (stored.why === 'gone') images.delete(path)
    else {
      images.set(path, { ...image, content: null })
      notes.add(stored.why, path)
    }
  }

  #holdsAll({ packs, clones }: FolderFacts): boolean {
    for (const pack of packs) if (!this.contents.holds({ pack, start: 0 })) return false
    for (const clone of clones) if (!this.contents.holds({ clone })) return false
    return true
  }

  #writing<Result>(writer: PackWriter, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      writer.abandon()
      this.contents.forget(writer.name)
      throw error
    }
  }

  #finish(writer: PackWriter, manifest: Manifest): number {
    const { written, base } = this.#memory.write(manifest)
    const bytes = writer.finish({ ...references(manifest.images, writer.name), base }, written, this.crashpoint)
    this.contents.finished(writer.name, bytes)
    this.#memory.remember(writer.name, manifest, base)
    return bytes
  }

  #freshSurvey(scope: ChangeScope): ScopeScan | null {
    const fresh = this.#fresh
    this.#fresh = null
    if (!fresh || fresh.scope !== JSON.stringify(scope) || this.options.elapsed() - fresh.at > freshFor) return null
    return fresh.survey
  }

  #walkOptions(first?: Images): WalkOptions {
    const known = first ?? this.#memory.known()
    const { home, elapsed, workers, budget = walkBudget } = this.options
    return { home, known, budget, elapsed, workers, canceled: () => this.options.canceled?.() ?? false, counted: this.options.counted }
  }
}

function surveyed({ targets }: ChangeScope, { kind, files, bytes, kept, images, notes }: ScopeScan): ScannedScope {
  const isProtected = (target: string) => images.get(target)?.type !== 'file' || !kept.left.has(target)
  return {
    kind,
    files,
    bytes,
    kept_files: kept.files,
    kept_bytes: kept.bytes,
    protected_targets: targets.filter(isProtected),
    unprotected: notes.list(),
  }
}

function references(images: Images, own: string): Omit<PackMeta, 'base'> {
  const packs = new Set<string>()
  const clones = new Set<string>()
  for (const [, facts] of images.facts()) {
    for (const clone of facts.clones) clones.add(clone)
    for (const pack of facts.packs) if (pack !== own) packs.add(pack)
  }
  return { packs: [...packs], clones: [...clones] }
}

function isUnkept(image: Image | undefined): boolean {
  return image?.type === 'file' && image.content === null
}
