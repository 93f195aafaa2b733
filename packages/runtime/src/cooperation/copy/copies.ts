// The copies of folders that members of a team work in. Ports, databases and everything else outside the folder are not isolated.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { PathChange, WorkspaceCopy } from '@tandem/contract/team'
import { ToolFailure } from '../../call/failure.ts'
import { type Clock, timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import { type MergeCrashpoint, crashPoint as reach } from '../merge/crashpoint.ts'
import { type BaseManifest, readBaseManifest, writeBaseManifest } from './base-manifest.ts'
import { type CopyChanges, copyChanges } from './copy-changes.ts'
import { copyFolder } from './copy-folder.ts'
import { copyRecords } from './copy-records.ts'
import { type FolderFacts, folderFacts, type SubfolderFacts } from './folder-facts.ts'
import { removeFolder } from './remove-folder.ts'
import { isSameContent } from './same-content.ts'

export interface CopyOwner {
  readonly run_id: string
  readonly title: string
  /** The folder of its parent. */
  readonly source: string
}

export interface Copies {
  /** The folder of the member's copy, created first if it does not exist. Several calls at once create one. Throws a `ToolFailure`. */
  ensure(member: CopyOwner, signal: AbortSignal, progress?: (text: string) => void): Promise<string>
  folderOf(run_id: string): string | null
  /** The folder that was copied first, also for a copy of a copy; null if this folder is no copy. */
  originOf(folder: string): string | null
  /** What the member changed in its copy, without what a merge leaves out. Empty if it has none. */
  changes(run_id: string): Promise<readonly { readonly path: string; readonly change: PathChange }[]>
  list(): readonly WorkspaceCopy[]
  usedBytes(): number
  /** The member has ended. The state changes at once; a copy in which nothing was changed is deleted when that is known. */
  ended(run_id: string): Promise<void>
  /** Those of these runs with changes that were not merged. */
  unmerged(run_ids: readonly string[]): Promise<readonly UnmergedCopy[]>
  /** Called in the caller's transaction. */
  merged(run_id: string): void
  /** The number of bytes that were freed. Throws a `ToolFailure` for a copy that is in use or does not exist. */
  discard(run_id: string): Promise<number>
  /** Deletes copies a day after their merge, and the remains of interrupted copying and deleting. */
  sweep(): Promise<void>
  /** How the copy was when it was made; null if there is none. */
  base(run_id: string): BaseManifest | null
  /** Everything that differs from then, without what a merge leaves out. An earlier result is used if it is not older than `max_age_ms`. */
  scan(run_id: string, max_age_ms: number): Promise<CopyChanges | null>
}

export interface UnmergedCopy {
  readonly run_id: string
  readonly title: string
  readonly folder: string
  /** Null if the copy could not be examined. */
  readonly changed_paths: number | null
}

export interface CopiesOptions {
  readonly store: Store
  readonly clock: Clock
  readonly home: string
  quota_bytes(): number
  log(line: string): void
  readonly crashPoint?: (point: MergeCrashpoint) => void
}

/** How old a look at a copy may be that is shown before its conversation is deleted. */
const look_ms = 2_000
const day = 24 * 60 * 60 * 1000

export function openCopies({ store, clock, home, quota_bytes, log, crashPoint = reach }: CopiesOptions): Copies {
  const records = copyRecords(store)
  const root = join(home, 'copies')
  const making = new Map<string, Promise<string>>()
  const manifests = new Map<string, BaseManifest>()
  const scans = new Map<string, { readonly at: number; readonly changes: Promise<CopyChanges> }>()
  let inOrder: Promise<unknown> = Promise.resolve()

  const folderOfRun = (run_id: string) => join(root, checkedName(run_id))
  const filesOf = (run_id: string) => join(folderOfRun(run_id), 'files')

  /** One at a time: copies that are made together slow each other down, and each must fit into what is left of the quota. */
  function next<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = inOrder.then(work)
    inOrder = result.catch(() => undefined)
    return result
  }

  async function make(member: CopyOwner, signal: AbortSignal, progress: (text: string) => void): Promise<string> {
    const { run_id, title, source } = member
    signal.throwIfAborted()
    demandFolder(source)
    const part = `${folderOfRun(run_id)}.part`
    await removeFolder(part)
    const files = join(part, 'files')
    mkdirSync(files, { recursive: true, mode: 0o700 })
    try {
      // The clock of the file system: the change times of files are compared with it.
      const begun = lstatSync(files).ctimeMs
      const copied = await copyWithin(source, files, quota_bytes() - records.usedBytes(), signal, progress)
      const ended = timeIn(part)
      writeBaseManifest(join(part, 'base.json'), { begun, ended, ...copied })
      await setTimeout(ended % 1_000 === 0 ? coarseTick_ms : tick_ms)
      crashPoint('copy_copied')
      await removeFolder(folderOfRun(run_id))
      renameSync(part, folderOfRun(run_id))
      crashPoint('copy_made')
      // Waiting for the disk would wait for the whole copy. Everything that the member does later is written after this.
      store.relaxed(() => records.add({ run_id, title, source, files: copied.files, bytes: copied.bytes, created_at: clock.now() }))
      return filesOf(run_id)
    } catch (error) {
      await removeFolder(part).catch((failed: unknown) => log(`an unfinished copy could not be deleted: ${String(failed)}`))
      throw error
    }
  }

  async function copyWithin(
    from: string,
    to: string,
    left: number,
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<FolderFacts> {
    if (left <= 0) throw overQuota(quota_bytes())
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const demandRoom = (bytes: number) => {
      if (bytes > left) throw overQuota(quota_bytes())
    }
    progress('Copying the folder')
    // Examined while it is copied: this saves time, and a folder that is too large must not fill the disk first.
    const measuring = folderFacts(from, { signal: either, skips: home, counted: (_files, bytes) => demandRoom(bytes) })
    const copying = copyFolder({ from, to, home, signal: either })
    measuring.catch((error: unknown) => stop.abort(error))
    try {
      await copying
      await measuring
    } catch (error) {
      stop.abort(error)
      await Promise.allSettled([copying, measuring])
      throw stop.signal.reason instanceof ToolFailure ? stop.signal.reason : error
    }
    const copied = await measuring
    for (const path of copied.special) rmSync(join(to, path), { force: true })
    const folders = [...copied.folders.keys()].flatMap((path): [string, SubfolderFacts][] => {
      const facts = lstatSync(join(to, path), { throwIfNoEntry: false })
      return facts?.isDirectory() ? [[path, { mode: facts.mode & 0o777, ino: facts.ino }]] : []
    })
    return { ...copied, folders: new Map(folders) }
  }

  function manifestOf(run_id: string): BaseManifest | null {
    const known = manifests.get(run_id)
    if (known) return known
    if (!records.get(run_id)) return null
    const read = readBaseManifest(join(folderOfRun(run_id), 'base.json'))
    manifests.set(run_id, read)
    return read
  }

  async function scan(run_id: string, max_age_ms: number): Promise<CopyChanges | null> {
    const base = manifestOf(run_id)
    if (!base) return null
    const known = scans.get(run_id)
    if (known && clock.elapsed() - known.at <= max_age_ms) return known.changes
    const files = filesOf(run_id)
    const changes = folderFacts(files, { since: base.ended }).then((now) => copyChanges(files, base, now))
    scans.set(run_id, { at: clock.elapsed(), changes })
    changes.catch(() => scans.delete(run_id))
    return changes
  }

  async function changes(run_id: string, max_age_ms = 0) {
    const found = await scan(run_id, max_age_ms)
    const source = records.get(run_id)?.source
    if (!found || source === undefined) return []
    return found.touched.flatMap(({ path, before, now }) => {
      if (before?.kind !== 'file' || now?.kind !== 'file') return [{ path, change: changeOf(before, now) }]
      const isSame = now.size === before.size && isSameContent(join(filesOf(run_id), path), join(source, path))
      if (!isSame) return [{ path, change: 'edited' as const }]
      return before.mode === now.mode ? [] : [{ path, change: 'mode' as const }]
    })
  }

  /** A commit or a pipe is a change, too, but no path that a merge could take. Null if nothing was changed. */
  async function unmergedPaths(run_id: string): Promise<number | null> {
    const found = await scan(run_id, look_ms)
    const source = records.get(run_id)?.source ?? ''
    const paths = (await changes(run_id, look_ms)).filter((one) => !isInSource(filesOf(run_id), source, one)).length
    return found && (paths > 0 || found.special.length > 0 || found.repositories.length > 0) ? paths : null
  }

  /** The record is deleted first: a folder without one is deleted by the next sweep. */
  async function remove(run_id: string): Promise<void> {
    records.remove(run_id)
    manifests.delete(run_id)
    scans.delete(run_id)
    await removeFolder(folderOfRun(run_id))
  }

  return {
    async ensure(member, signal, progress = () => undefined) {
      const { run_id } = member
      const open = making.get(run_id)
      if (open) return open
      const record = records.get(run_id)
      if (record && existsSync(filesOf(run_id))) {
        // A merged one, too: what is changed from now on is not merged.
        if (record.state !== 'in_use') records.setState(run_id, 'in_use')
        return filesOf(run_id)
      }
      const started = next(() => make(member, signal, progress)).finally(() => making.delete(run_id))
      making.set(run_id, started)
      return started
    },
    folderOf: (run_id) => (records.get(run_id) ? filesOf(run_id) : null),
    originOf(folder) {
      if (!folder.startsWith(`${root}/`)) return null
      const copy = records.list().find(({ run_id }) => filesOf(run_id) === folder)
      return copy ? (this.originOf(copy.source) ?? copy.source) : null
    },
    changes: (run_id) => changes(run_id),
    list: () =>
      records.list().map(({ run_id, title, source, state, files, bytes, created_at, merged_at }) => ({
        ...{ run_id, title, state, copied_from: source, folder: filesOf(run_id), files, bytes },
        created_at: timestamp(created_at),
        merged_at: merged_at === null ? null : timestamp(merged_at),
        run_is_erased: !records.hasRun(run_id),
      })),
    usedBytes: records.usedBytes,
    async ended(run_id) {
      if (records.get(run_id)?.state !== 'in_use') return
      records.setState(run_id, 'unmerged')
      try {
        const found = await scan(run_id, 0)
        if (!found) return
        records.setSize(run_id, found.files, found.bytes)
        if ((await unmergedPaths(run_id)) === null && records.get(run_id)?.state === 'unmerged') await remove(run_id)
      } catch (error) {
        // It stays as it is, and a person can discard it.
        log(`the copy of ${run_id} could not be examined: ${String(error)}`)
      }
    },
    async unmerged(run_ids) {
      const found: UnmergedCopy[] = []
      for (const run_id of run_ids) {
        const record = records.get(run_id)
        if (!record || record.state === 'merged') continue
        const copy = { run_id, title: record.title, folder: filesOf(run_id) }
        try {
          const changed_paths = await unmergedPaths(run_id)
          if (changed_paths !== null) found.push({ ...copy, changed_paths })
        } catch (error) {
          log(`the copy of ${run_id} could not be examined: ${String(error)}`)
          found.push({ ...copy, changed_paths: null })
        }
      }
      return found
    },
    merged: (run_id) => records.setMerged(run_id, clock.now()),
    async discard(run_id) {
      const record = records.get(run_id)
      if (!record) throw new ToolFailure('copy_not_found', `The run ${run_id} has no copy of a folder.`, { subject: run_id })
      if (record.state === 'in_use') {
        throw new ToolFailure('copy_in_use', `The run ${run_id} still works in its copy.`, {
          subject: run_id,
          remedy: 'Wait until the run has ended, or cancel it.',
          recoverability: 'user_action',
        })
      }
      await remove(run_id)
      return record.bytes
    },
    async sweep() {
      for (const { run_id, state, merged_at } of records.list())
        if (state === 'merged' && merged_at !== null && merged_at + day <= clock.now()) await remove(run_id)
      const known = new Set(records.list().map(({ run_id }) => run_id))
      const isOpen = (name: string) => making.has(name.replace(/\.part$/, ''))
      for (const name of existsSync(root) ? readdirSync(root) : [])
        if (!known.has(name) && !isOpen(name)) await removeFolder(join(root, name))
      for (const run_id of known) {
        if (existsSync(filesOf(run_id))) continue
        log(`the copy of ${run_id} no longer exists`)
        records.remove(run_id)
      }
    },
    base: manifestOf,
    scan,
  }
}

/** A merge has taken it already: the folder has the same file, or lacks it as well. */
function isInSource(files: string, source: string, { path, change }: { readonly path: string; readonly change: PathChange }): boolean {
  if (change === 'deleted') return lstatSync(join(source, path), { throwIfNoEntry: false }) === undefined
  return change === 'added' && isSameContent(join(files, path), join(source, path))
}

function changeOf(before: object | null, now: object | null): PathChange {
  return before === null ? 'added' : now === null ? 'deleted' : 'edited'
}

/** After this time, a change has another time than the copy: until then it could go unnoticed. */
const tick_ms = 15
const coarseTick_ms = 2_100

/** By the clock of the file system. */
function timeIn(folder: string): number {
  const file = join(folder, 'copied')
  writeFileSync(file, '')
  return lstatSync(file).ctimeMs
}

/** Ids of runs have no other characters; anything else would lead out of the folder. */
function checkedName(run_id: string): string {
  if (!/^[\w-]{1,100}$/.test(run_id)) throw new Error(`${JSON.stringify(run_id)} is not the id of a run`)
  return run_id
}

function demandFolder(source: string): void {
  const facts = lstatSync(source, { throwIfNoEntry: false })
  if (facts?.isDirectory()) return
  throw new ToolFailure('source_missing', `The folder ${source} does not exist.`, {
    subject: source,
    remedy: 'Check the folder of the run that started this one.',
    recoverability: 'user_action',
  })
}

function overQuota(quota_bytes: number): ToolFailure {
  const size = `${(quota_bytes / 1024 ** 3).toLocaleString('en', { maximumFractionDigits: 2 })} GiB`
  return new ToolFailure('copy_quota_exceeded', `A copy of the folder does not fit into the quota for copies (${size}).`, {
    remedy: 'Discard copies that are no longer needed, or raise the quota in the settings.',
    recoverability: 'user_action',
  })
}
