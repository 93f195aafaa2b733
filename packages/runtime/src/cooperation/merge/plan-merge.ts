// What a merge would do to a folder: compared with how it is now, how each copy was when it was made, and how its member left it.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { canonicalJson } from '@tandem/contract/sync'
import { grouped, visibleText } from '@tandem/contract/text'
import { ToolFailure } from '../../call/failure.ts'
import type { BaseManifest } from '../copy/base-manifest.ts'
import type { Copies } from '../copy/copies.ts'
import type { CopyChanges, TouchedPath } from '../copy/copy-changes.ts'
import { type EntryFacts, folderFacts } from '../copy/folder-facts.ts'
import { MergeContents } from './merge-contents.ts'
import { type MemberSide, mergeSides, type PathConflict, type Resolution } from './merge-sides.ts'
import type { TreeEntry } from './merge-trees.ts'
import { type HashMemory, type ReadFolder, readFolder } from './read-folder.ts'
import { whyNotMerged } from './unmergeable.ts'

export interface PlannedMember {
  readonly run_id: string
  readonly title: string
}

export interface PlannedOperation {
  readonly path: string
  readonly before: TreeEntry | null
  readonly after: TreeEntry | null
  readonly authors: readonly string[]
}

export interface MergePlan {
  readonly workspace: string
  readonly members: readonly PlannedMember[]
  /** In the order of the paths. */
  readonly operations: readonly PlannedOperation[]
  readonly conflicts: readonly PathConflict[]
  /** What is not merged. */
  readonly notes: readonly string[]
  /** The permissions of folders that are created. */
  readonly folders: ReadonlyMap<string, number>
  /** Folders that a member removed. They are removed if they are empty. */
  readonly removed: ReadonlySet<string>
  readonly contents: MergeContents
  /** Of the result and of what it is compared with. */
  readonly digest: string
}

export interface MergeRequest {
  readonly workspace: string
  readonly parent_run_id: string
  readonly members: readonly PlannedMember[]
  readonly resolutions: readonly Resolution[]
  /** How old the scan of a copy may be. */
  readonly max_age_ms: number
}

export interface PlanPorts {
  readonly copies: Pick<Copies, 'base' | 'scan' | 'folderOf'>
  readonly hashes: HashMemory
  /** The content that a checkpoint of the run saved of this path, when it had this size and modification time. */
  savedContent(run_id: string, path: string, facts: { readonly size: number; readonly mtime: number }): Promise<Uint8Array | null>
  /** Who made a path of the folder what it is now; null if it is not known. */
  authorOf(path: string, now: TreeEntry | null): string | null
}

/** More paths than this are not shown and checked by anyone. */
const mostPaths = 5_000

export async function planMerge(request: MergeRequest, ports: PlanPorts): Promise<MergePlan> {
  const planning = new Planning(request, ports)
  for (const member of request.members) await planning.add(member)
  return await planning.end()
}

class Planning {
  readonly #request: MergeRequest
  readonly #ports: PlanPorts
  readonly #folder: ReadFolder
  readonly #contents: MergeContents
  readonly #current = new Map<string, TreeEntry>()
  readonly #seen = new Set<string>()
  readonly #sides: MemberSide[] = []
  readonly #notes: string[] = []
  readonly #folders = new Map<string, number>()
  readonly #removed = new Set<string>()
  #files: Promise<ReadonlyMap<string, EntryFacts>> | null = null

  constructor(request: MergeRequest, ports: PlanPorts) {
    this.#request = request
    this.#ports = ports
    this.#folder = readFolder(request.workspace, ports.hashes)
    this.#contents = new MergeContents((path) => ports.authorOf(path, this.#current.get(path) ?? null))
  }

  async add(member: PlannedMember): Promise<void> {
    const { copies, hashes } = this.#ports
    const [base, changes] = [copies.base(member.run_id), await copies.scan(member.run_id, this.#request.max_age_ms)]
    const root = copies.folderOf(member.run_id)
    if (!base || !changes || root === null) return
    const copy = readFolder(root, hashes)
    const mergeable = changes.touched.filter(({ path, now }) => this.#isMergeable(path, now))
    if (mergeable.length > mostPaths) throw tooLarge(member, mergeable.length)
    this.#noteRest(member, changes)
    for (const [path, { mode }] of changes.folders) this.#folders.set(path, mode)
    for (const path of base.folders.keys()) if (!changes.folders.has(path)) this.#removed.add(path)
    const [before, theirs] = [new Map<string, TreeEntry>(), new Map<string, TreeEntry>()]
    const moved: string[] = []
    for (const touched of mergeable) {
      const now = await this.#theirs(copy, touched)
      if (now) theirs.set(touched.path, now)
      await this.#see(touched.path)
      const was = await this.#base(member, base, root, touched, moved)
      if (was) before.set(touched.path, was)
    }
    this.#sides.push({ title: member.title, base: before, theirs, moved })
  }

  async end(): Promise<MergePlan> {
    const { workspace, members, resolutions } = this.#request
    const { changes, conflicts } = await mergeSides(this.#current, this.#sides, this.#contents, resolutions)
    const operations = [...changes]
      .map(([path, { entry, authors }]): PlannedOperation => ({ path, before: this.#current.get(path) ?? null, after: entry, authors }))
      .sort((left, right) => (left.path < right.path ? -1 : 1))
    const decided = conflicts.map(({ conflict_id, kind, resolved }) => [conflict_id, kind, resolved])
    const text = canonicalJson({ workspace, operations, decided, runs: members.map(({ run_id }) => run_id) })
    const digest = createHash('sha256').update(text).digest('hex')
    const notes =
      this.#notes.length > mostNotes ? [...this.#notes.slice(0, mostNotes - 1), moreNotes(this.#notes.length - mostNotes + 1)] : this.#notes
    return {
      workspace,
      members,
      operations,
      conflicts,
      notes,
      folders: this.#folders,
      removed: this.#removed,
      contents: this.#contents,
      digest,
    }
  }

  #isMergeable(path: string, now: EntryFacts | null): boolean {
    const why = whyNotMerged(path, now)
    if (why !== null) this.#notes.push(why)
    return why === null
  }

  #noteRest({ title }: PlannedMember, { special, ignored, repositories }: CopyChanges): void {
    const by = visibleText(title)
    for (const path of special) this.#notes.push(`${visibleText(path)} is not merged: it is a pipe, a socket or a device.`)
    if (ignored > 0)
      this.#notes.push(
        `${count(ignored, 'changed file')} of ${by} in folders that .gitignore excludes ${ignored === 1 ? 'is' : 'are'} not merged.`,
      )
    for (const { folder, commits } of repositories) {
      const where = folder === '' ? '' : ` in ${visibleText(folder)}`
      const subjects = commits.slice(0, 5).map((subject) => visibleText(subject.slice(0, 100)))
      const what =
        commits.length === 0 ? `changed its repository${where}` : `made ${count(commits.length, 'commit')}${where} (${subjects.join('; ')})`
      this.#notes.push(`${by} ${what}. Only files are merged: what was committed appears as changes that are not committed.`)
    }
  }

  async #theirs(copy: ReadFolder, { path, now }: TouchedPath): Promise<TreeEntry | null> {
    if (now === null || now.kind === 'link') return now
    const sha256 = await copy.sha256(path)
    this.#contents.addFile(sha256, copy, path)
    return { kind: 'file', sha256, mode: now.mode }
  }

  /** Adds a path of the folder, as it is now, to the current tree. */
  async #see(path: string): Promise<void> {
    if (this.#seen.has(path)) return
    this.#seen.add(path)
    const found = this.#folder.find(path)
    if (found.is === 'entry') await this.#seeEntry(path, found.facts)
    else if (found.is === 'folder') await this.#seeFolder(path)
    else if (found.is === 'special') this.#current.set(`${path}/.`, somethingElse)
    else if (found.is === 'blocked' && found.facts) await this.#seeEntry(found.above, found.facts)
    else if (found.is === 'blocked') this.#current.set(found.above, somethingElse)
  }

  async #seeEntry(path: string, facts: EntryFacts): Promise<void> {
    if (facts.kind === 'link') {
      this.#current.set(path, facts)
      return
    }
    const sha256 = await this.#folder.sha256(path)
    this.#contents.addFile(sha256, this.#folder, path)
    this.#current.set(path, { kind: 'file', sha256, mode: facts.mode })
  }

  /** What is in a folder where a member has a file. An empty folder is in the way, too, and so is what cannot be named. */
  async #seeFolder(path: string): Promise<void> {
    const { entries } = await folderFacts(join(this.#folder.root, path))
    const inside = [...entries.keys()].map((name) => `${path}/${name}`)
    for (const one of inside) await this.#see(one)
    if (inside.length === 0 || inside.some((one) => !this.#current.has(one))) this.#current.set(`${path}/.`, somethingElse)
  }

  async #base(
    member: PlannedMember,
    base: BaseManifest,
    root: string,
    { path, before }: TouchedPath,
    moves: string[],
  ): Promise<TreeEntry | null> {
    if (before === null || before.kind === 'link') return before
    const found = this.#folder.find(path)
    const now = this.#current.get(path)
    if (found.is === 'entry' && isSameVersion(before, found.facts, base.begun) && now?.kind === 'file') return { ...now, mode: before.mode }
    const moved = found.is === 'absent' ? await this.#movedTo(before, base) : null
    if (moved !== null) {
      moves.push(moved.path)
      return { ...moved.entry, mode: before.mode }
    }
    const saved =
      (await this.#ports.savedContent(member.run_id, join(root, path), before)) ??
      (await this.#ports.savedContent(this.#request.parent_run_id, join(this.#folder.root, path), before))
    return { kind: 'file', sha256: saved ? this.#contents.addBytes(saved) : `unknown:${path}`, mode: before.mode }
  }

  /** Where the file is now that was at another path when the copy was made: renaming keeps its size and its time. */
  async #movedTo(
    before: EntryFacts,
    base: BaseManifest,
  ): Promise<{ readonly path: string; readonly entry: Extract<TreeEntry, { kind: 'file' }> } | null> {
    this.#files ??= folderFacts(this.#folder.root).then(({ entries }) => entries)
    const found = [...(await this.#files)].filter(([path, facts]) => !base.entries.has(path) && isSameVersion(before, facts, base.begun))
    const [only] = found
    if (!only || found.length > 1) return null
    await this.#see(only[0])
    const entry = this.#current.get(only[0])
    return entry?.kind === 'file' ? { path: only[0], entry } : null
  }
}

/** Something that no merge replaces: a folder without files, a pipe, a socket or a device. */
const somethingElse: TreeEntry = { kind: 'link', target: '\0' }

const mostNotes = 50

/** Whether a file of the folder still has the content that was copied: same size, and not written since. */
function isSameVersion(copied: EntryFacts, now: EntryFacts, begun: number): boolean {
  if (copied.kind !== 'file' || now.kind !== 'file' || copied.size !== now.size || copied.mtime !== now.mtime) return false
  // On a file system with times of whole seconds, a change in the second in which it was copied does not show.
  const isCoarse = copied.mtime % 1_000 === 0 && now.ctime % 1_000 === 0
  return !isCoarse || now.ctime < begun - 2_500
}

function tooLarge({ title }: PlannedMember, paths: number): ToolFailure {
  return new ToolFailure('merge_too_large', `${visibleText(title)} changed ${paths} paths; a merge changes at most ${mostPaths}.`, {
    remedy: 'Exclude generated folders in .gitignore, or copy the changes from the folder of the copy yourself.',
    recoverability: 'user_action',
  })
}

function moreNotes(more: number): string {
  return `There are ${more} more paths that are not merged.`
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`
}
