// The steps of a merge in the folder itself. Each opens the folders on its way one by one, never through a link, so that nothing outside the
// folder is changed, whatever is renamed in the meantime. Every new content is written before the first path is changed, and what is
// replaced keeps a second name until the merge is recorded: undoing it only renames, and needs no space.
import { constants, type Stats } from 'node:fs'
import { chmod, copyFile, link, lstat, mkdir, open, readdir, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asFileFailure, errorCode, fileFailure } from '../../sandbox/files/file-failure.ts'
import { type OpenDirectory, platformOpener } from '../../sandbox/files/open-directory.ts'
import { lacksHardLinks, syncDirectory } from '../../sandbox/files/replace.ts'
import type { ContentSource } from './merge-contents.ts'
import type { JournaledOperation, MergeRecord } from './merge-records.ts'
import type { TreeEntry } from './merge-trees.ts'
import type { MergePlan } from './plan-merge.ts'
import { foldersAbove, type ReadFolder } from './read-folder.ts'

type Merge = Pick<MergeRecord, 'merge_id' | 'workspace' | 'journal'>

/** Null if one of the folders does not exist, or is a link or a file. */
async function withFolder<Result>(
  workspace: string,
  folder: string,
  use: (open: OpenDirectory) => Promise<Result>,
): Promise<Result | null> {
  const opener = await platformOpener(process.platform)
  let at = await opener(workspace)
  try {
    if (at.real !== workspace) throw fileFailure('changed_since_read', workspace)
    for (const name of folder === '' ? [] : folder.split('/')) {
      const inside = await at.enter(name).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
        throw error
      })
      if (!inside) return null
      await at.close()
      at = inside
    }
    return await use(at)
  } finally {
    await at.close()
  }
}

/** The folder of the path, and that of its temporary files. */
async function withBoth<Result>(
  workspace: string,
  { path, stage }: JournaledOperation,
  use: (at: string, temp: (name: string) => string) => Promise<Result>,
): Promise<Result | null> {
  return await withFolder(workspace, folderOf(path), (folder) =>
    withFolder(workspace, stage, (staged) => use(folder.at(nameOf(path)), (name) => staged.at(name))),
  )
}

const folderOf = (path: string) => (dirname(path) === '.' ? '' : dirname(path))
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const newName = (merge_id: string, number: number) => `.tandem-merge-${merge_id}-${number}.new`
const oldName = (merge_id: string, number: number) => `.tandem-merge-${merge_id}-${number}.old`

/** As it is now. Folders and special files are never as wanted. */
export async function entryAt(folder: ReadFolder, path: string): Promise<TreeEntry | null | 'other'> {
  const found = folder.find(path)
  // Below something that is not a folder, there is nothing.
  if (found.is === 'absent' || found.is === 'blocked') return null
  if (found.is !== 'entry') return 'other'
  if (found.facts.kind === 'link') return found.facts
  return { kind: 'file', sha256: await folder.sha256(path), mode: found.facts.mode }
}

export function isSameEntry(left: TreeEntry | null | 'other', right: TreeEntry | null): boolean {
  if (left === 'other' || left === null || right === null) return left === right
  if (left.kind === 'link') return right.kind === 'link' && left.target === right.target
  return right.kind === 'file' && left.sha256 === right.sha256 && left.mode === right.mode
}

/** A folder that the merge removes, because a file takes its place. */
export function isReplacedFolder({ journal }: Pick<Merge, 'journal'>, path: string, folder: ReadFolder): boolean {
  return journal.emptied.some(([emptied]) => emptied === path) && folder.find(path).is === 'folder'
}

/** A folder that the merge creates in place of a file that it deletes. */
export function isMadeFolder({ journal }: Pick<Merge, 'journal'>, path: string, folder: ReadFolder): boolean {
  return journal.made.some(([made]) => made === path) && folder.find(path).is === 'folder'
}

/** Only the permissions change: the file itself stays. */
function isModeOnly({ before, after }: JournaledOperation): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && before.sha256 === after.sha256
}

export async function makeFolders({ workspace, journal }: Merge): Promise<void> {
  for (const [path, mode] of journal.made) {
    await attempt(path, () =>
      withFolder(workspace, folderOf(path), async (folder) => {
        await mkdir(folder.at(nameOf(path)), { mode: 0o700 })
        await chmod(folder.at(nameOf(path)), mode)
      }),
    )
  }
}

/** Writes the new content of a path to its temporary file. */
export async function stageNew(merge: Merge, number: number, operation: JournaledOperation, source: ContentSource | null): Promise<void> {
  const { path, stage, before, after } = operation
  if (after === null || isModeOnly(operation)) return
  const owner = before?.kind === 'file' ? await lstat(join(merge.workspace, path)).catch(() => null) : null
  const done = await attempt(path, () =>
    withFolder(merge.workspace, stage, async (folder) => {
      const temp = folder.at(newName(merge.merge_id, number))
      if (after.kind === 'link') await symlink(after.target, temp)
      else if (source) await writeNew(temp, source, after.mode, owner)
      return true
    }),
  )
  if (done === null) throw fileFailure('changed_since_read', path)
}

async function writeNew(temp: string, source: ContentSource, mode: number, owner: Stats | null): Promise<void> {
  if (source.from === 'file') {
    await copyFile(source.file, temp, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await chmod(temp, 0o600)
  }
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | (source.from === 'bytes' ? constants.O_CREAT | constants.O_EXCL : 0)
  const handle = await open(temp, flags, 0o600)
  try {
    if (source.from === 'bytes') await handle.writeFile(source.bytes)
    const own = await handle.stat()
    // Only root can give files away; for others the new file belongs to the user who wrote it.
    if (owner && (owner.uid !== own.uid || owner.gid !== own.gid))
      await handle.chown(owner.uid, owner.gid).catch((error: unknown) => {
        if (errorCode(error) !== 'EPERM') throw error
      })
    await handle.chmod(mode & 0o777)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether what was staged is what was planned. */
export async function isStaged(merge: Merge, number: number, operation: JournaledOperation, folder: ReadFolder): Promise<boolean> {
  if (operation.after === null || isModeOnly(operation)) return true
  return isSameEntry(await entryAt(folder, join(operation.stage, newName(merge.merge_id, number))), operation.after)
}

/** What is replaced or deleted keeps a second name. */
export async function putNew(merge: Merge, number: number, operation: JournaledOperation): Promise<void> {
  const { path, before, after } = operation
  const done = await attempt(path, () =>
    withBoth(merge.workspace, operation, async (at, temp) => {
      const [old, staged] = [temp(oldName(merge.merge_id, number)), temp(newName(merge.merge_id, number))]
      if (isModeOnly(operation)) {
        if (after?.kind === 'file') await chmodFile(at, after.mode)
      } else if (after === null) await rename(at, old)
      else if (before === null) await putWhereNothingIs(staged, at, path)
      else {
        await keep(at, old)
        await rename(staged, at)
      }
      return true
    }),
  )
  if (done === null) throw fileFailure('changed_since_read', path)
}

/** A second name for what is about to be replaced. */
async function keep(at: string, old: string): Promise<void> {
  try {
    await link(at, old)
  } catch (error) {
    if (!lacksHardLinks(error)) throw error
    await rename(at, old)
  }
}

/** Never overwrites what was created in the meantime. */
async function putWhereNothingIs(from: string, at: string, path: string): Promise<void> {
  try {
    await link(from, at)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw fileFailure('changed_since_read', path)
    if (!lacksHardLinks(error)) throw error
    await rename(from, at)
    return
  }
  await unlink(from)
}

/** Not through a link. */
async function chmodFile(at: string, mode: number): Promise<void> {
  const handle = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(async (error: unknown) => {
    // A file of our own that we cannot read.
    if (errorCode(error) !== 'EACCES' || !(await lstat(at)).isFile()) throw error
    return null
  })
  if (!handle) return await chmod(at, mode & 0o777)
  try {
    await handle.chmod(mode & 0o777)
  } finally {
    await handle.close()
  }
}

export async function removeEmptied({ workspace, journal }: Merge): Promise<void> {
  for (const [path] of journal.emptied) {
    await withFolder(workspace, folderOf(path), (folder) =>
      rmdir(folder.at(nameOf(path))).catch((error: unknown) => {
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'].includes(errorCode(error) ?? '')) throw error
      }),
    )
  }
}

/** The folders of all paths, on disk when it returns. */
export async function syncFolders({ workspace, journal }: Merge): Promise<void> {
  const folders = new Set([
    ...journal.operations.flatMap(({ path, stage }) => [folderOf(path), stage]),
    ...journal.made.map(([path]) => folderOf(path)),
  ])
  for (const folder of folders) await withFolder(workspace, folder, syncDirectory)
}

/** Removes the names that only the merge needed. */
export async function removeTemps(merge: Merge): Promise<void> {
  const prefix = `.tandem-merge-${merge.merge_id}-`
  for (const stage of new Set(merge.journal.operations.map((operation) => operation.stage))) {
    await withFolder(merge.workspace, stage, async (at) => {
      for (const name of await readdir(at.at(''))) if (name.startsWith(prefix)) await unlink(at.at(name))
    })
  }
}

/** Undoes one operation, however far it was applied. Returns why it could not be undone; null if the path is as before. */
export async function undo(merge: Merge, number: number, operation: JournaledOperation, folder: ReadFolder): Promise<string | null> {
  const { path, stage, before, after } = operation
  const now = await entryAt(folder, path)
  if (isSameEntry(now, before)) return null
  if (isReplacedFolder(merge, path, folder)) return null
  // Between the two renames of a file system without hard links, nothing is there.
  if (!isSameEntry(now, after) && now !== null) return 'it was changed in the meantime'
  const old = oldName(merge.merge_id, number)
  const isKept = before !== null && !isModeOnly(operation)
  if (isKept && !isSameEntry(await entryAt(folder, join(stage, old)), before)) return 'its earlier content was not found'
  const done = await withBoth(merge.workspace, operation, async (at, temp) => {
    if (before === null) await unlink(at)
    else if (isKept) await rename(temp(old), at)
    else if (before.kind === 'file') await chmodFile(at, before.mode)
    return true
  })
  return done === null ? 'its folder no longer exists' : null
}

/** Creates folders again that the merge removed, for what is restored in them. */
export async function restoreEmptied({ workspace, journal }: Merge): Promise<void> {
  for (const [path, mode] of journal.emptied.toReversed()) {
    await withFolder(workspace, folderOf(path), async (folder) => {
      await mkdir(folder.at(nameOf(path)), { mode: 0o700 }).then(
        () => chmod(folder.at(nameOf(path)), mode),
        (error: unknown) => {
          if (errorCode(error) !== 'EEXIST') throw error
        },
      )
    })
  }
}

/** Removes the folders that the merge created, unless something else is in them by now. */
export async function removeMade(merge: Merge): Promise<void> {
  await removeEmptied({ ...merge, journal: { ...merge.journal, emptied: merge.journal.made.toReversed() } })
}

export async function journalOf({
  workspace,
  operations,
  folders,
  removed,
}: Pick<MergePlan, 'workspace' | 'operations' | 'folders' | 'removed'>): Promise<MergeRecord['journal']> {
  const modeAt = async (path: string) => {
    const found = await lstat(join(workspace, path)).catch(() => null)
    return found?.isDirectory() ? found.mode & 0o777 : null
  }
  const above = (chosen: typeof operations) => [...new Set(chosen.flatMap(({ path }) => foldersAbove(path)))].sort()
  const made: [string, number][] = []
  for (const path of above(operations.filter(({ after }) => after !== null)))
    if ((await modeAt(path)) === null) made.push([path, (folders.get(path) ?? 0o755) | 0o700])
  const emptied: [string, number][] = []
  for (const path of above(operations.filter(({ after }) => after === null)).reverse()) {
    const mode = await modeAt(path)
    if (mode !== null && removed.has(path)) emptied.push([path, mode])
  }
  const unstable = new Set([...operations.map(({ path }) => path), ...made.map(([path]) => path), ...emptied.map(([path]) => path)])
  return { operations: operations.map((operation) => ({ ...operation, stage: stageOf(operation.path, unstable) })), made, emptied }
}

function stageOf(path: string, unstable: ReadonlySet<string>): string {
  const folders = foldersAbove(path)
  const first = folders.findIndex((folder) => unstable.has(folder))
  return folders[(first < 0 ? folders.length : first) - 1] ?? ''
}

/** Errors of the file system name the path. */
async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw asFileFailure(error, path)
  }
}
