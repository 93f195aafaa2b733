// Restores files: everything that will be changed is saved first, then the journal is written and synced, then it is applied. Whenever it
// is interrupted, the journal shows how to finish it, and the saved state how to undo it.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BackgroundSelection, ConflictChoice, RestoreChange, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { CheckpointWriter, WrittenCheckpoint } from '../checkpoint-writer.ts'
import { hashFile } from '../content/file-reading.ts'
import type { FileImage, Image } from '../content/image.ts'
import type { Images } from '../content/images.ts'
import { syncFolder } from '../content/pack.ts'
import { repositoryOf } from '../content/repository.ts'
import { statsOf } from '../content/stats.ts'
import { withFoldersOpen } from '../scan/disk.ts'
import { apply, type NotRestored, type Operation } from './apply.ts'
import { type Comparison, compare, countEntries, toEntry } from './comparison.ts'
import type { History } from './history.ts'
import type { RestoreDecision } from './restore-rule.ts'
import { verify } from './verification.ts'

export interface RestoreRequest extends ComparedRestore {
  readonly restore_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
}

/** What determines which paths are restored. */
export interface ComparedRestore {
  readonly history: History
  readonly on_conflict: ConflictChoice
  readonly background: BackgroundSelection
  /** Only these paths; all of them by default. */
  readonly paths?: readonly string[]
}

/** Paths that changed while background commands ran. */
export interface BackgroundPaths {
  readonly restored: number
  readonly left: number
}

export type StagedRestore =
  | {
      readonly outcome: 'staged'
      readonly counts: RestoreCounts
      readonly left_alone: readonly RestorePreviewEntry[]
      readonly safety: WrittenCheckpoint
      readonly root: string
      readonly paths: number
      readonly background: BackgroundPaths
    }
  | { readonly outcome: 'conflict'; readonly counts: RestoreCounts; readonly conflicts: readonly RestorePreviewEntry[] }
  | { readonly outcome: 'no_space'; readonly needed: number; readonly free: number }
  /** Background commands of these checkpoints still run and may have changed what would be restored. */
  | { readonly outcome: 'running'; readonly checkpoint_ids: readonly string[] }

export type AppliedRestore =
  | {
      readonly outcome: 'applied'
      /** Every path that is not as it should be, whether it was skipped or failed the verification. */
      readonly left: readonly UnrestoredEntry[]
      /** Written or removed by this restore, and verified. */
      readonly paths: number
      /** As of when it was staged. */
      readonly counts: JournalCounts
    }
  /** The disk refused during the restore; everything is as it was before. */
  | { readonly outcome: 'rolled_back'; readonly message: string }
  /** Neither way was possible; the journal stays, and the next start tries again. */
  | { readonly outcome: 'stuck'; readonly message: string }

export interface UnrestoredEntry {
  readonly entry: Extract<RestorePreviewEntry, { readonly reason: string }>
  /** How it was counted when the restore was staged. */
  readonly counted: RestoreChange
}

interface Journal {
  readonly restore_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
  readonly operations: readonly Operation[]
  readonly closed: readonly (readonly [string, number])[]
  readonly counts: JournalCounts
}

interface JournalCounts extends Pick<RestoreCounts, 'conflict' | 'unrecoverable'> {
  /** Changed while background commands ran, and not selected. Restores of earlier versions do not have it. */
  readonly background_left?: number
}

export interface Journals {
  readonly readable: readonly JournalRef[]
  /** Journals that are damaged, each with the reason. */
  readonly broken: readonly { readonly file: string; readonly message: string }[]
}

export interface JournalRef {
  readonly restore_id: string
  readonly checkpoint_id: string
  readonly safety_checkpoint_id: string
}

const leftShown = 200

/** Changes only Tandem's own folder. */
export function stage(keeper: CheckpointWriter, request: RestoreRequest): StagedRestore {
  const insist = request.on_conflict === 'overwrite'
  const compared = compareFor(keeper, request)
  const checkpoint_ids = runningBehind(compared.decisions)
  if (checkpoint_ids.length > 0) return { outcome: 'running', checkpoint_ids }
  const entries = compared.decisions.map(toEntry)
  const counts = countEntries(entries)
  if (request.on_conflict === 'stop' && counts.conflict > 0) {
    return { outcome: 'conflict', counts, conflicts: entries.filter(({ change }) => change === 'conflict').slice(0, leftShown) }
  }
  const isDone = ({ hindrance }: RestoreDecision) => hindrance === null || (insist && hindrance.change === 'conflict')
  const chosen = compared.decisions.filter(isDone)
  const shortage = spaceShortage(compared.root, chosen)
  if (shortage) return { outcome: 'no_space', ...shortage }
  keeper.crashpoint('restore:planned')
  return withFoldersOpen(compared.closed, () => {
    const paths = new Map(chosen.map(({ path, now }) => [path, now]))
    const { manifest, taken, missing } = keeper.takePaths(request.safety_checkpoint_id, compared.root, paths, repositories(chosen))
    keeper.crashpoint('restore:safe')
    const operations = chosen
      .filter(({ path }) => !missing.includes(path))
      .map(
        ({ path, to, change, hindrance }): Operation => ({
          path,
          now: manifest.images.get(path) ?? 'absent',
          to: located(to, compared.moved.get(path), manifest.images),
          change: hindrance?.change ?? change,
        }),
      )
    const background = { restored: chosen.filter(({ background }) => background).length, left: compared.unselected.length }
    const journalCounts = { ...counts, background_left: background.left }
    writeJournal(keeper, { ...request, operations, closed: closedFolders(operations), counts: journalCounts })
    keeper.crashpoint('restore:journaled')
    const isWhole = ({ lost = [] }: RestoreDecision) => lost.length === 0
    const left_alone = compared.decisions.filter((decision) => !isDone(decision) || !isWhole(decision)).map(toEntry)
    left_alone.push(
      ...missing.map(
        (path): RestorePreviewEntry => ({
          path,
          type: 'file',
          change: 'unrecoverable',
          reason: 'it could not be saved before the restore, so it was left unchanged',
        }),
      ),
    )
    return {
      outcome: 'staged',
      counts,
      left_alone: left_alone.slice(0, leftShown),
      safety: taken,
      root: compared.root,
      paths: operations.length,
      background,
    }
  })
}

/** The checkpoints of background commands that must have ended before this can be restored. */
export function commandsToEnd(keeper: CheckpointWriter, request: ComparedRestore): string[] {
  return runningBehind(compareFor(keeper, request).decisions)
}

export function runningBehind(decisions: readonly RestoreDecision[]): string[] {
  return [...new Set(decisions.flatMap(({ running = [] }) => running))]
}

function compareFor(keeper: CheckpointWriter, { history, background, on_conflict, paths: only }: ComparedRestore): Comparison {
  const paths = only && new Set(only)
  const chosenOnly = paths ? { isChosen: (path: string) => paths.has(path) } : {}
  return compare(keeper, history, { insist: on_conflict === 'overwrite', background, ...chosenOnly })
}

/** Also called after a restart: what is already applied is detected and skipped. */
export function applyStaged(keeper: CheckpointWriter, restore_id: string): AppliedRestore {
  const journal = readJournal(keeper, restore_id)
  const ports = {
    contents: keeper.contents,
    crashpoint: keeper.crashpoint,
    restore_id,
    closed: journal.closed,
    hash: (path: string) => hashFile(path, keeper.options.now),
  }
  try {
    removeTemps(journal)
    const { left, done } = apply(journal.operations, ports)
    keeper.crashpoint('restore:applied')
    const skipped = new Set(left.map(({ path }) => path))
    const wrong = verify(
      journal.operations.filter(({ path }) => !skipped.has(path)),
      ports.hash,
    )
    const notRestored = [...left, ...wrong]
    const failed = new Set(notRestored.map(({ path }) => path))
    const paths = new Set(done.filter((path) => !failed.has(path)))
    keeper.settle(journal.safety_checkpoint_id, 'after', (after) => withoutOthers(after, journal.operations, skipped))
    keeper.crashpoint('restore:settled')
    return { outcome: 'applied', left: leftEntries(journal.operations, notRestored), paths: paths.size, counts: journal.counts }
  } catch (error) {
    return takeBack(journal, ports, error)
  }
}

/** What others changed during the restore is not a change of the restore: undoing it must not overwrite that. */
function withoutOthers(after: Images, operations: readonly Operation[], skipped: ReadonlySet<string>): void {
  for (const { path, now, to } of operations) {
    const image = skipped.has(path) ? now : isDifferent(after.get(path), to) ? to : null
    if (image === 'absent') after.delete(path)
    else if (image) after.set(path, image)
  }
}

/** Type, target or content; permissions and times cannot always be restored. */
function isDifferent(found: Image | undefined, to: Image | 'absent'): boolean {
  if (!found || to === 'absent') return (found === undefined) !== (to === 'absent')
  if (found.type === 'symlink' && to.type === 'symlink') return found.link_target !== to.link_target
  if (found.type !== 'file' || to.type !== 'file') return found.type !== to.type
  return found.size !== to.size || (found.sha256 !== null && to.sha256 !== null && found.sha256 !== to.sha256)
}

function leftEntries(operations: readonly Operation[], notRestored: readonly NotRestored[]): UnrestoredEntry[] {
  const byPath = new Map(operations.map((operation) => [operation.path, operation]))
  return notRestored.flatMap(({ path, change, reason }) => {
    const operation = byPath.get(path)
    if (!operation) return []
    const { type } = toEntry({ path, now: operation.now, to: operation.to, change: 'changed', hindrance: null })
    return [{ entry: { path, type, change, reason }, counted: operation.change ?? plainChange(operation) }]
  })
}

function plainChange({ now, to }: Operation): RestoreChange {
  if (to === 'absent') return 'created'
  return now === 'absent' ? 'deleted' : 'changed'
}

export function journals(keeper: CheckpointWriter): Journals {
  const readable: JournalRef[] = []
  const broken: Journals['broken'][number][] = []
  for (const name of readdirSync(keeper.contents.folder).filter((one) => one.endsWith('.journal'))) {
    try {
      const { restore_id, checkpoint_id, safety_checkpoint_id } = readJournal(keeper, name.slice(0, -'.journal'.length))
      readable.push({ restore_id, checkpoint_id, safety_checkpoint_id })
    } catch (error) {
      broken.push({ file: join(keeper.contents.folder, name), message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { readable, broken }
}

export function removeJournal(keeper: CheckpointWriter, restore_id: string): void {
  rmSync(journalFile(keeper, restore_id), { force: true })
}

function takeBack(journal: Journal, ports: Parameters<typeof apply>[1], cause: unknown): AppliedRestore {
  const message = cause instanceof Error ? cause.message : String(cause)
  try {
    removeTemps(journal)
    const reversed = journal.operations.map(({ path, now, to }) => ({ path, now: to, to: now }))
    const { left } = apply(reversed, ports)
    const wrong = left.length > 0 ? left : verify(reversed, ports.hash)
    if (wrong.length === 0) return { outcome: 'rolled_back', message }
    return { outcome: 'stuck', message: `${message}; ${wrong.map(({ path, reason }) => `${path}: ${reason}`).join('; ')}` }
  } catch (error) {
    return { outcome: 'stuck', message: `${message}; undoing it failed as well: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Scanned in full, so that changes of others in them are recognized when the restore is undone. */
function repositories(decisions: readonly RestoreDecision[]): string[] {
  return [...new Set(decisions.flatMap(({ path }) => repositoryOf(path) ?? []))]
}

/** A content that was only moved is stored by now, under the path it was moved to. */
function located(to: Image | 'absent', movedTo: string | undefined, kept: Images): Image | 'absent' {
  const source = movedTo === undefined ? undefined : kept.get(movedTo)
  if (to === 'absent' || to.type !== 'file' || source?.type !== 'file') return to
  return { ...to, sha256: source.sha256, content: source.content }
}

function spaceShortage(root: string, decisions: readonly RestoreDecision[]): { needed: number; free: number } | null {
  let needed = 0
  for (const { now, to } of decisions) if (to !== 'absent' && to.type === 'file' && !isModeOnly(now, to)) needed += to.size
  let standing = root
  while (!statsOf(standing) && standing !== dirname(standing)) standing = dirname(standing)
  const { bavail, bsize } = statfsSync(standing)
  const free = bavail * bsize
  let freed = 0
  for (const { now } of decisions) if (now !== 'absent' && now.type === 'file' && now.links === 1) freed += now.size
  return needed > free + freed ? { needed, free } : null
}

function isModeOnly(now: Image | 'absent', to: FileImage): boolean {
  return now !== 'absent' && now.type === 'file' && now.sha256 !== null && now.sha256 === to.sha256
}

function closedFolders(operations: readonly Operation[]): [string, number][] {
  const folders = new Set(operations.map(({ path }) => dirname(path)))
  const touched = new Set(operations.map(({ path }) => path))
  return [...folders].flatMap((folder): [string, number][] => {
    const stats = statsOf(folder)
    if (touched.has(folder) || !stats?.isDirectory() || (stats.mode & 0o300) === 0o300) return []
    return [[folder, stats.mode & 0o7777]]
  })
}

/** Left by an attempt that was killed between writing a file and renaming it. */
function removeTemps({ restore_id, operations }: Journal): void {
  const prefix = `.tandem-restore-${restore_id}-`
  const folders = [...new Set(operations.map(({ path }) => dirname(path)))]
  withFoldersOpen(folders, () => {
    for (const folder of folders) {
      if (!statsOf(folder)?.isDirectory()) continue
      for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true })
    }
  })
}

function journalFile(keeper: CheckpointWriter, restore_id: string): string {
  return join(keeper.contents.folder, `${restore_id}.journal`)
}

function writeJournal(keeper: CheckpointWriter, journal: Journal): void {
  const { restore_id, checkpoint_id, safety_checkpoint_id, operations, closed, counts } = journal
  const file = journalFile(keeper, restore_id)
  const descriptor = openSync(`${file}.tmp`, 'w', 0o600)
  try {
    const bytes = Buffer.from(JSON.stringify({ restore_id, checkpoint_id, safety_checkpoint_id, operations, closed, counts }))
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
    fsyncSync(descriptor)
    keeper.crashpoint('journal:written')
  } catch (error) {
    rmSync(`${file}.tmp`, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  renameSync(`${file}.tmp`, file)
  syncFolder(keeper.contents.folder)
}

function readJournal(keeper: CheckpointWriter, restore_id: string): Journal {
  // Journals of earlier versions have no counts.
  return { counts: { conflict: 0, unrecoverable: 0 }, ...JSON.parse(readFileSync(journalFile(keeper, restore_id), 'utf8')) }
}
