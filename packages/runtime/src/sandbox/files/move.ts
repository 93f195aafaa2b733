// Moves an entry: by rename within a file system, otherwise by a durable copy that gets its final name at the very end.
import { link, rename, unlink } from 'node:fs/promises'
import { isInside } from '../../path/inside.ts'
import { errorCode, fileFailure, systemFailure } from './file-failure.ts'
import { lstatOrNull, type ResolvedEntry } from './path-resolver.ts'
import { lacksHardLinks, syncDirectory, temporaryName } from './replace.ts'
import { copyTree, removeTree } from './tree.ts'

export interface MoveEntry {
  readonly overwrite: boolean
  readonly fromPath: string
  readonly toPath: string
  readonly signal: AbortSignal
}

export async function moveEntry(from: ResolvedEntry, to: ResolvedEntry, move: MoveEntry): Promise<'renamed' | 'copied'> {
  const what = from.found
  if (!what) throw systemFailure('ENOENT', move.fromPath)
  if (from.real === to.real) return 'renamed'
  if (what.isDirectory() && isInside(to.real, from.real)) throw fileFailure('into_itself', move.toPath)
  // On a case-insensitive file system the new spelling is the old file.
  const same = to.found?.ino === what.ino && to.found.dev === what.dev && !(what.isFile() && what.nlink > 1n)
  if (to.found && !same) {
    if (!move.overwrite) throw systemFailure('EEXIST', move.toPath)
    if (to.found.isDirectory() !== what.isDirectory()) throw systemFailure(to.found.isDirectory() ? 'EISDIR' : 'ENOTDIR', move.toPath)
  }
  const how = await put(from, to, move, same)
  await syncDirectory(to.anchor)
  await syncDirectory(from.anchor)
  return how
}

async function put(from: ResolvedEntry, to: ResolvedEntry, move: MoveEntry, same: boolean): Promise<'renamed' | 'copied'> {
  // Only a file can be linked to its new name first; on some systems a hard link to a link would link to its target.
  const free = !to.found && from.found?.isFile() === true
  const [source, target] = [from.anchor.at(from.name), to.anchor.at(to.name)]
  try {
    await (free && !same ? renameWhereNothingIs(source, target) : rename(source, target))
    return 'renamed'
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error
  }
  const beside = temporaryName()
  try {
    await copyTree(from.anchor, from.name, to.anchor, beside, move.fromPath, move.signal)
    const copied = to.anchor.at(beside)
    await (free ? renameWhereNothingIs(copied, target) : rename(copied, target))
  } catch (error) {
    if (await lstatOrNull(to.anchor.at(beside))) await removeTree(to.anchor, beside, move.toPath)
    throw error
  }
  await removeTree(from.anchor, from.name, move.fromPath)
  return 'copied'
}

/** A plain rename would silently replace an entry that was created after the check. */
async function renameWhereNothingIs(source: string, target: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    if (!lacksHardLinks(error)) throw error
    return rename(source, target)
  }
  await unlink(source)
}
