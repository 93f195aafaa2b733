// The functions of the checkpoint thread, by name. Inline, they run on the caller's thread, which is for tests and small programs.
import type { CheckpointArtifact } from '@tandem/contract/checkpoint'
import type { DiffSlice } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import {
  type ChangeDiffRequest,
  ChangeSnapshots,
  type ChangesPage,
  type ChangesPageRequest,
  type ChangesRequest,
  type UndoPaths,
} from './changes/change-snapshots.ts'
import { CheckpointWriter, type CheckpointWriterOptions, type ScannedScope, type WrittenCheckpoint } from './checkpoint-writer.ts'
import type { PackUsage, RemovedFile } from './content/contents.ts'
import type { Image } from './content/image.ts'
import type { Following } from './file-count.ts'
import type { SavedScans } from './kept-changes/keeping.ts'
import { changesOf, type ListedChanges } from './restore/changes.ts'
import type { History, StageRef } from './restore/history.ts'
import { type Page, type PageOfItems, pageItems } from './restore/page.ts'
import { type PreviewedPage, type PreviewPage, preview } from './restore/preview.ts'
import { locateWorkspace, type WorkspaceLocation } from './restore/relocation.ts'
import { savedContent, type WantedContent } from './restore/saved-content.ts'
import { changesToKeep } from './restore/saved-manifest.ts'
import {
  type AppliedRestore,
  applyStaged,
  type ComparedRestore,
  commandsToEnd,
  type Journals,
  journals,
  type RestoreRequest,
  removeJournal,
  type StagedRestore,
  stage,
} from './restore/staged-restore.ts'
import type { ChangeScope } from './scan/scope.ts'
import { packBefore } from './store.ts'

export type ArtifactOutline =
  | Omit<Extract<CheckpointArtifact, { type: 'file' }>, IdFields>
  | Omit<Extract<CheckpointArtifact, { type: 'symlink' }>, IdFields>
  | Omit<Extract<CheckpointArtifact, { type: 'directory' }>, IdFields>
  | Omit<Extract<CheckpointArtifact, { type: 'absent' }>, IdFields>
type IdFields = 'artifact_id' | 'checkpoint_id' | 'run_id' | 'created_at'

export interface CheckpointFunctions {
  /** `previous`: the checkpoint that last scanned the same folder. */
  survey(scope: ChangeScope, previous: string | null): ScannedScope
  /** `used_bytes`: the size of all stored contents, including this checkpoint. */
  take(checkpoint_id: string, scope: ChangeScope, previous: string | null): WrittenCheckpoint & { readonly used_bytes: number }
  settle(checkpoint_id: string, side?: 'after' | 'end'): number
  changes(checkpoint_id: string, most: number): ListedChanges | null
  saved(checkpoint_ids: readonly string[], wanted: WantedContent): Uint8Array | null
  preview(history: History, page: PreviewPage): PreviewedPage
  changedFiles(request: ChangesPageRequest): ChangesPage
  changeDiff(request: ChangeDiffRequest): DiffSlice | null
  undoPaths(request: ChangesRequest, paths: readonly string[]): UndoPaths
  commandsToEnd(request: ComparedRestore): string[]
  stage(request: RestoreRequest): StagedRestore
  whereabouts(stages: readonly StageRef[], workspace: string): WorkspaceLocation
  apply(restore_id: string): AppliedRestore
  finish(restore_id: string): void
  journals(): Journals
  artifacts(checkpoint_id: string, page: Page): PageOfItems<ArtifactOutline>
  keptChanges(points: readonly SavedScans[]): (Uint8Array | null)[]
  sweep(living: readonly string[]): RemovedFile[]
  holdings(living: readonly string[]): PackUsage
  usage(): number
  removeTemps(): void
}

/** The same functions, asynchronous; a thread that dies or a disk error rejects. */
export type Engine = {
  readonly [Name in Exclude<keyof CheckpointFunctions, 'survey' | 'take' | 'settle'>]: (
    ...args: Parameters<CheckpointFunctions[Name]>
  ) => Promise<ReturnType<CheckpointFunctions[Name]>>
} & {
  /** Rejects with `WalkCanceled` when the signal is aborted. */
  survey(scope: ChangeScope, previous: string | null, following?: Following): Promise<ScannedScope>
  take(
    checkpoint_id: string,
    scope: ChangeScope,
    previous: string | null,
    following?: Following,
  ): Promise<ReturnType<CheckpointFunctions['take']>>
  settle(checkpoint_id: string, side?: 'after' | 'end', following?: Following): Promise<number>
  close(): Promise<void>
}

export function createCheckpointFunctions(options: CheckpointWriterOptions): CheckpointFunctions & { close(): void } {
  const keeper = new CheckpointWriter(options)
  const snapshots = new ChangeSnapshots(keeper)
  return {
    survey(scope, previous) {
      if (previous !== null) keeper.recall(scope.root, previous)
      return keeper.survey(scope)
    },
    take(checkpoint_id, scope, previous) {
      if (previous !== null) keeper.recall(scope.root, previous)
      return { ...keeper.take(checkpoint_id, scope), used_bytes: keeper.contents.usage() }
    },
    settle: (checkpoint_id, side) => keeper.settle(checkpoint_id, side),
    changes: (checkpoint_id, most) => changesOf(keeper, checkpoint_id, most),
    saved: (checkpoint_ids, wanted) => savedContent(keeper, checkpoint_ids, wanted),
    preview: (history, page) => preview(keeper, history, page),
    changedFiles: (request) => snapshots.page(request),
    changeDiff: (request) => snapshots.diff(request),
    undoPaths: (request, paths) => snapshots.undoPaths(request, paths),
    commandsToEnd: (request) => commandsToEnd(keeper, request),
    stage: (request) => stage(keeper, request),
    whereabouts: (stages, workspace) => locateWorkspace(keeper, stages, workspace),
    apply: (restore_id) => applyStaged(keeper, restore_id),
    finish: (restore_id) => removeJournal(keeper, restore_id),
    journals: () => journals(keeper),
    artifacts(checkpoint_id, page) {
      const { images, coverage } = keeper.manifest(packBefore(checkpoint_id))
      const rows: ArtifactOutline[] = []
      for (const [path, image] of images) if (image.type !== 'special') rows.push(outline(path, image))
      for (const path of [...coverage.trees, ...coverage.paths]) if (!images.has(path)) rows.push({ path, type: 'absent' })
      rows.sort((left, right) => (left.path < right.path ? -1 : 1))
      return pageItems(rows, page)
    },
    keptChanges: (points) => changesToKeep(keeper, points),
    sweep(living) {
      keeper.forget()
      return keeper.contents.sweep(living)
    },
    holdings: (living) => keeper.contents.holdings(living),
    usage: () => keeper.contents.usage(),
    removeTemps: () => keeper.contents.removeTemps(),
    close() {
      keeper.contents.close()
      options.workers?.close()
    },
  }
}

export function inlineEngine(options: CheckpointWriterOptions): Engine {
  let asked: AbortSignal | undefined
  const work = createCheckpointFunctions({ ...options, canceled: () => asked?.aborted ?? false })
  const later =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Result) =>
    async (...args: Args): Promise<Result> => {
      asked = undefined
      return call(...args)
    }
  return {
    async survey(scope, previous, following) {
      asked = following?.signal
      return work.survey(scope, previous)
    },
    take: later(work.take),
    settle: later(work.settle),
    changes: later(work.changes),
    saved: later(work.saved),
    preview: later(work.preview),
    changedFiles: later(work.changedFiles),
    changeDiff: later(work.changeDiff),
    undoPaths: later(work.undoPaths),
    commandsToEnd: later(work.commandsToEnd),
    stage: later(work.stage),
    whereabouts: later(work.whereabouts),
    apply: later(work.apply),
    finish: later(work.finish),
    journals: later(work.journals),
    artifacts: later(work.artifacts),
    keptChanges: later(work.keptChanges),
    sweep: later(work.sweep),
    holdings: later(work.holdings),
    usage: later(work.usage),
    removeTemps: later(work.removeTemps),
    close: async () => work.close(),
  }
}

function outline(path: string, image: Exclude<Image, { type: 'special' }>): ArtifactOutline {
  const mtime = timestamp(Math.max(0, Math.trunc(image.mtime)))
  switch (image.type) {
    case 'file': {
      const storage = image.content === null ? 'none' : 'clone' in image.content ? 'clone' : 'blob'
      return { path, type: 'file', mode: image.mode, size: image.size, mtime, sha256: image.sha256, storage }
    }
    case 'symlink':
      return { path, type: 'symlink', link_target: image.link_target, mtime }
    case 'directory':
      return { path, type: 'directory', mode: image.mode, mtime }
  }
}
