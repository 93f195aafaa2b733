// The embedded cluster on disk: its folder, its user, and initdb if it is new.
import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { copyBinaries } from './postgres-copy.ts'
import { isAlive } from './postmaster.ts'
import {
  allowTraversal,
  createAccountFolder,
  currentIdentity,
  namespaceIdentity,
  type ProcessIdentity,
  readAccount,
  userIdentity,
} from './unprivileged.ts'

export const owner = 'tandem'

/** Runs a program to completion under another identity. */
export type RunProgram = (guise: ProcessIdentity, program: string, args: readonly string[]) => Promise<{ ok: boolean; output: string }>

export interface Cluster {
  /** Real path of the data folder. */
  readonly folder: string
  readonly guise: ProcessIdentity
  /** The binaries to start: the given ones, or a copy that the user can access. */
  readonly binaries: PostgresBinaries
}

/** The cluster in `dir`, created if it does not exist. */
export async function openCluster(dir: string, password: string, installed: PostgresBinaries, run: RunProgram): Promise<Cluster> {
  await makeFolder(dir, 0o700)
  const door = join(dir, 'postgres')
  if (await isCluster(door)) {
    const folder = await realpath(door)
    const guise = await guiseOfExisting(folder, installed, run)
    return { folder, guise, binaries: await withinReach(guise, installed, dirname(folder), run) }
  }
  const { base, guise } = await placeForNew(dir, installed, run)
  const binaries = await withinReach(guise, installed, base, run)
  await sweepDrafts(base)
  await initialize(base, guise, password, binaries, run)
  if (base !== dir) await linkOnce(join(base, 'postgres'), door)
  return { folder: await realpath(door), guise, binaries }
}

/** PG_VERSION alone does not prove it (initdb writes it early), but a folder gets this name only when initdb has finished. */
async function isCluster(folder: string): Promise<boolean> {
  return exists(join(folder, 'PG_VERSION'))
}

async function guiseOfExisting(folder: string, binaries: PostgresBinaries, run: RunProgram): Promise<ProcessIdentity> {
  if (process.getuid?.() !== 0) return currentIdentity
  const { uid, gid } = await stat(folder)
  if (uid !== 0) return userIdentity({ uid, gid })
  const account = await readAccount()
  const guise = account && namespaceIdentity(account)
  if (guise && (await works(guise, binaries, run))) return guise
  throw new EmbeddedPostgresError(
    'no_unprivileged_user',
    `${folder} belongs to root, PostgreSQL cannot run as root, and this machine does not allow user namespaces; ` +
      `start the server as another user, or run: chown -R ${account?.name ?? 'nobody'} ${folder}`,
  )
}

async function placeForNew(dir: string, binaries: PostgresBinaries, run: RunProgram): Promise<{ base: string; guise: ProcessIdentity }> {
  if (process.getuid?.() !== 0) return { base: dir, guise: currentIdentity }
  const account = await readAccount()
  if (!account) {
    throw new EmbeddedPostgresError('no_unprivileged_user', 'PostgreSQL cannot run as root and /etc/passwd has no other user; add one')
  }
  const inNamespace = namespaceIdentity(account)
  if (await works(inNamespace, binaries, run)) return { base: dir, guise: inNamespace }
  const guise = userIdentity(account)
  if (await allowTraversal(dir, account)) return { base: dir, guise }
  const name = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 16)
  return { base: await createAccountFolder(account, name), guise }
}

/** Another user may not have access to the folder where npm installed the programs. */
async function withinReach(guise: ProcessIdentity, installed: PostgresBinaries, base: string, run: RunProgram): Promise<PostgresBinaries> {
  if (guise.uid === undefined || (await works(guise, installed, run))) return installed
  return await copyBinaries(installed, base)
}

async function works(guise: ProcessIdentity, binaries: PostgresBinaries, run: RunProgram): Promise<boolean> {
  return (await run(guise, binaries.postgres, ['--version'])).ok
}

/** Created in a draft folder, then renamed: a start that was killed leaves nothing that looks like a cluster. */
async function initialize(
  base: string,
  guise: ProcessIdentity,
  password: string,
  binaries: PostgresBinaries,
  run: RunProgram,
): Promise<void> {
  const draft = join(base, `postgres.init-${process.pid}-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${draft}.password`
  try {
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
    if (guise.uid !== undefined && guise.gid !== undefined) {
      await Promise.all([draft, passwordFile].map((path) => chown(path, guise.uid ?? 0, guise.gid ?? 0)))
    }
    const { ok, output } = await run(guise, binaries.initdb, [
      `--pgdata=${draft}`,
      `--username=${owner}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ])
    if (!ok) {
      const reason = output.split('\n').findLast((line) => /error|fatal/i.test(line)) ?? output.trim().slice(-300)
      throw new EmbeddedPostgresError('initdb_failed', `PostgreSQL could not be set up in ${base}: ${reason}`)
    }
    await takeName(draft, join(base, 'postgres'))
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

async function takeName(draft: string, name: string): Promise<void> {
  try {
    await rename(draft, name)
  } catch (error) {
    // Two first starts at once: the other was faster, and its cluster is just as good.
    if (await isCluster(name)) return
    // A folder that is not a cluster: incomplete, or from an older setup. Kept, never deleted.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    await rename(name, `${name}.unfinished-${Date.now()}`)
    await rename(draft, name)
  }
}

async function linkOnce(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Drafts of dead processes. */
async function sweepDrafts(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const maker = /^postgres\.init-(\d+)-/.exec(name)?.[1]
    if (maker !== undefined && !isAlive(Number(maker))) await rm(join(base, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

export function logPath(dir: string): string {
  return join(dir, 'postgres.log')
}

/** The path of the socket file if the operating system supports its length (Linux 107 bytes, macOS 103), else undefined. */
export function socketPath(folder: string): string | undefined {
  const path = join(folder, '.s.PGSQL.5432')
  return process.platform !== 'win32' && Buffer.byteLength(path) <= 100 ? path : undefined
}

export function portPath(folder: string): string {
  return join(dirname(folder), 'postgres-port')
}
