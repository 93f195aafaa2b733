// PostgreSQL's programs next to the cluster, for a user who cannot access those that npm installed.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type PostgresBinaries, programsIn } from './postgres-binaries.ts'
import { isAlive } from './postmaster.ts'

/** The folder of the copies, next to the cluster, one per version. */
export function copiesFolder(base: string): string {
  return join(base, 'postgres.programs')
}

/** The copy of `binaries` in `base`, created if it is missing or incomplete. */
export async function copyBinaries(binaries: PostgresBinaries, base: string): Promise<PostgresBinaries> {
  const copies = copiesFolder(base)
  await mkdir(copies, { recursive: true })
  // The umask restricts the mode, and the reader is another user.
  await chmod(copies, 0o711)
  await sweepDrafts(copies)
  const home = join(copies, binaries.version)
  if (!(await isWhole(home, binaries.home))) await makeCopy(binaries.home, home)
  return { ...programsIn(await realpath(home)), version: binaries.version }
}

/** Copies of other versions; unused after PostgreSQL was started from this one. */
export async function removeOtherCopies(binaries: PostgresBinaries, base: string): Promise<void> {
  const copies = copiesFolder(base)
  for (const name of await namesIn(copies)) {
    if (binaries.home !== join(copies, name) && draftMaker(name) === undefined) {
      await rm(join(copies, name), { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** A copy gets its name when it is complete. */
async function makeCopy(from: string, home: string): Promise<void> {
  const draft = `${home}.draft-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
    await openToAll(draft)
    // Renamed, not deleted: a postmaster that still runs from it continues until it is replaced.
    if ((await lookAt(home)) !== undefined) await rename(home, `${home}.broken-${Date.now()}`)
    await rename(draft, home)
  } catch (error) {
    // Two starts at once: the other was faster, and its copy is just as good.
    if (!(await isWhole(home, from))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A package version never changes, so a file of the same size is the same; a copy interrupted by a full disk or power loss differs. */
async function isWhole(home: string, original: string): Promise<boolean> {
  for (const entry of await readdir(original, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const [wanted, found] = await Promise.all([lstat(path), lookAt(join(home, relative(original, path)))])
    if (found === undefined || found.isDirectory() !== wanted.isDirectory()) return false
    if (!wanted.isDirectory() && found.size !== wanted.size) return false
  }
  return true
}

/** A strict umask during installation left files that only their owner may read. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = await lstat(path)
    await chmod(path, entry.isDirectory() || (mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
}

/** Drafts of dead processes. */
async function sweepDrafts(copies: string): Promise<void> {
  for (const name of await readdir(copies)) {
    const maker = draftMaker(name)
    if (maker !== undefined && !isAlive(maker)) await rm(join(copies, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function draftMaker(name: string): number | undefined {
  const maker = /\.draft-(\d+)-/.exec(name)?.[1]
  return maker === undefined ? undefined : Number(maker)
}

function lookAt(path: string) {
  return lstat(path).catch(whenAbsent(undefined))
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(whenAbsent([]))
}

function whenAbsent<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return value
    throw error
  }
}
