// Starts, adopts, watches and stops the PostgreSQL in our data folder. The only file of the server that starts a program.
import { execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { DatabaseAddress } from '../config/database-url.ts'
import { claimFolder, type FolderClaim } from './embedded-claim.ts'
import { type Cluster, logPath, openCluster, owner, portPath, socketPath } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { copiesFolder, removeOtherCopies } from './postgres-copy.ts'
import {
  isAlive,
  orphanedProcesses,
  type PostmasterFile,
  type PostmasterStatus,
  postmasterStatus,
  readPostmasterFile,
} from './postmaster.ts'
import type { ProcessIdentity } from './unprivileged.ts'

export interface EmbeddedPostgres {
  readonly url: DatabaseAddress
  /** The pid of the postmaster; it changes if PostgreSQL died and was restarted. */
  readonly pid: number
  /** It was already running: an earlier server of this folder was killed. */
  readonly adopted: boolean
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dir: string
  readonly password: string
  readonly log: (line: string) => void
  /** How many connections it must accept, if more than usual. */
  readonly connections?: number
  /** Default: those that npm installed. */
  readonly binaries?: PostgresBinaries
}

const startPatience = 60_000
const usualConnections = 100
const stopPatience = 20_000

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dir, password, log, binaries: installed = installedBinaries() } = options
  const cluster = await openCluster(dir, password, installed, runProgram)
  const connections = Math.max(usualConnections, options.connections ?? 0)
  const house: House = { dir, installed, binaries: cluster.binaries, cluster, connections, log }

  let running = await findOrLaunch(house)
  let hold: FolderClaim
  try {
    hold = await claimFolder(running.url, password, house.cluster.folder)
  } catch (error) {
    // Stop only what we started; one that was already running belongs to another process.
    if (!running.adopted) await halt(house, running.pid)
    throw error
  }
  const { adopted, url } = running
  try {
    await removeOtherCopies(house.binaries, dirname(house.cluster.folder))
  } catch (error) {
    await hold.release()
    if (!adopted) await halt(house, running.pid)
    throw error
  }
  log(`PostgreSQL ${adopted ? 'adopted' : 'started'} in ${house.cluster.folder} (process ${running.pid})`)

  let stopping = false
  const watching = watch()

  return {
    url,
    adopted,
    get pid() {
      return running.pid
    },
    async stop() {
      if (stopping) return watching
      stopping = true
      await hold.release()
      await watching
      await hold.release()
      await halt(house, running.pid)
      log('PostgreSQL stopped')
    },
  }

  /** Restarts PostgreSQL whenever the connection with our claim breaks. */
  async function watch(): Promise<void> {
    while (!stopping) {
      await hold.lost
      for (let attempt = 1; !stopping; attempt += 1) {
        try {
          running = await findOrLaunch(house)
          hold = await claimFolder(running.url, password, house.cluster.folder)
          log(`PostgreSQL is available again (process ${running.pid})`)
          break
        } catch (error) {
          log(`PostgreSQL is not available: ${error instanceof Error ? error.message : String(error)}`)
          await pause(Math.min(100 * 2 ** attempt, 2_000))
        }
      }
    }
  }
}

function installedBinaries(): PostgresBinaries {
  const found = findPostgresBinaries()
  if (found.ok) return found.binaries
  throw new EmbeddedPostgresError(
    'binaries_missing',
    `${found.wanted} is not installed; run npm ci, or set BAAS_URL to a PostgreSQL of your own`,
  )
}

interface House {
  readonly dir: string
  readonly installed: PostgresBinaries
  /** The binaries that are started. */
  readonly binaries: PostgresBinaries
  readonly cluster: Cluster
  readonly connections: number
  readonly log: (line: string) => void
}

interface Running {
  readonly pid: number
  readonly url: DatabaseAddress
  readonly adopted: boolean
}

async function findOrLaunch(house: House): Promise<Running> {
  const { folder } = house.cluster
  for (const start = Date.now(); Date.now() - start < startPatience; await pause(50)) {
    const file = await readPostmasterFile(folder)
    const standing = file ? await standingHere(house, file.pid) : 'gone'
    if (file && standing === 'ours') {
      if (file.ready) return { pid: file.pid, url: addressOf(file), adopted: true }
      continue
    }
    if (file && standing === 'foreign') {
      throw new EmbeddedPostgresError('foreign_postmaster', `${folder} is used by another PostgreSQL (process ${file.pid}); stop it first`)
    }
    if (file && standing === 'replaced') {
      house.log(`PostgreSQL's program was replaced since it started; restarting it (process ${file.pid})`)
      await halt(house, file.pid)
      continue
    }
    if (file && isAlive(file.pid)) await removeStaleFile(house, file.pid)
    const launched = await launch(house)
    if (launched) return launched
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL in ${folder} is not ready after ${startPatience / 1000} s; see ${logPath(house.dir)}`,
  )
}

/**
 * The pid in the file was reused by another program, so PostgreSQL would refuse to start. A file whose pid is unused is left
 * to PostgreSQL: it also checks whether children of the dead process still use the shared memory.
 */
async function removeStaleFile(house: House, pid: number): Promise<void> {
  const { folder } = house.cluster
  for (const start = Date.now(); (await orphanedProcesses(folder)).length > 0; await pause(50)) {
    if (Date.now() - start > stopPatience) {
      throw new EmbeddedPostgresError(
        'start_failed',
        `child processes of a crashed PostgreSQL are still running in ${folder}; stop them and start again`,
      )
    }
  }
  house.log(`removing a stale postmaster.pid (process ${pid} is a different program)`)
  await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true })
}

/** Starts a postmaster; undefined if the caller should check again (another process was faster, or a port was taken). */
async function launch(house: House): Promise<Running | undefined> {
  const { folder, guise } = house.cluster
  const socket = socketPath(folder)
  const port = socket === undefined ? await choosePort(folder) : 5432
  const path = logPath(house.dir)
  const from = await rotateLog(path)
  const log = openSync(path, 'a', 0o600)
  const [program = house.binaries.postgres, ...args] = [
    ...guise.prefix,
    house.binaries.postgres,
    '-D',
    folder,
    ...settings(house, socket, port),
  ]
  // Its own process group: Ctrl-C reaches only us, and we stop it after draining.
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log], env: programEnvironment(), ...identity(guise) })
  closeSync(log)
  child.unref()

  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`exit ${code ?? signal}`))
  })
  let verdict: string | undefined
  void ended.then((reason) => {
    verdict = reason
  })
  for (const start = Date.now(); Date.now() - start < startPatience; await pause(10)) {
    if (verdict !== undefined) break
    const file = await readPostmasterFile(folder)
    if (file && file.pid === child.pid && file.ready) return { pid: file.pid, url: addressOf(file), adopted: false }
  }
  // It did not answer in time: otherwise it would keep running.
  if (verdict === undefined && child.pid !== undefined) await halt(house, child.pid)
  const said = (await readFile(path, 'utf8')).slice(from)
  if (/lock file ".*" already exists|shared memory block .* is still in use/.test(said)) return undefined
  if (socket === undefined && /could not bind|could not create any TCP/.test(said)) {
    await rm(portPath(folder), { force: true })
    return undefined
  }
  const reason = said.split('\n').findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? said.trim().split('\n').at(-1) ?? ''
  throw new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL in ${folder} did not start (${verdict ?? 'no answer'}): ${reason}; see ${path}`,
  )
}

function settings({ cluster: { folder }, connections }: House, socket: string | undefined, port: number): string[] {
  const values = {
    port,
    // A socket in the 0700 data folder is inaccessible to other users and cannot collide; TCP is for paths that are too long.
    listen_addresses: socket === undefined ? '127.0.0.1' : '',
    unix_socket_directories: socket === undefined ? '' : folder,
    unix_socket_permissions: '0700',
    max_connections: connections,
    shared_buffers: '128MB',
    max_wal_size: '512MB',
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_parameter_max_length_on_error: 0,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function addressOf(file: PostmasterFile): DatabaseAddress {
  const address = {
    host: file.host || '127.0.0.1',
    port: file.port,
    user: owner,
    database: 'tandem',
    tls: 'disable',
    pooled: false,
  } as const
  return file.socket_dir === '' ? address : { ...address, socket: join(file.socket_dir, `.s.PGSQL.${file.port}`) }
}

/** Fast shutdown: open transactions are rolled back, everything is written, then it exits. */
async function halt(house: House, pid: number): Promise<void> {
  for (const [signal, patience] of [['INT', stopPatience] as const, ['QUIT', 5_000] as const]) {
    if ((await standingHere(house, pid)) === 'gone') return
    await signalPostmaster(house, pid, signal)
    for (const start = Date.now(); Date.now() - start < patience; await pause(20)) {
      if ((await standingHere(house, pid)) === 'gone') return
    }
    house.log(`PostgreSQL (process ${pid}) did not stop within ${patience / 1000} s of ${signal}`)
  }
  throw new EmbeddedPostgresError('stop_failed', `PostgreSQL (process ${pid}) in ${house.cluster.folder} does not stop`)
}

async function signalPostmaster(house: House, pid: number, signal: 'INT' | 'QUIT'): Promise<void> {
  if (process.platform === 'win32') await runProgram(house.cluster.guise, house.binaries.pg_ctl, ['kill', signal, String(pid)])
  else process.kill(pid, `SIG${signal}`)
}

async function standingHere(house: House, pid: number): Promise<PostmasterStatus> {
  const former = [house.installed.postgres, copiesFolder(dirname(house.cluster.folder))]
  const standing = await postmasterStatus(pid, house.cluster.folder, { current: house.binaries.postgres, former })
  if (standing !== 'ours' || process.platform !== 'darwin') return standing
  // Without /proc, `ps` shows the path of the program, which is enough to detect a reused pid.
  const { output } = await runProgram({ prefix: [] }, 'ps', ['-o', 'comm=', '-p', String(pid)])
  return output.trim() === house.binaries.postgres ? 'ours' : 'gone'
}

function runProgram(guise: ProcessIdentity, program: string, args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const [first = program, ...rest] = [...guise.prefix, program, ...args]
  return new Promise((resolve) => {
    execFile(first, rest, { env: programEnvironment(), ...identity(guise) }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}${error && stderr === '' ? error.message : ''}` })
    })
  })
}

function identity(guise: ProcessIdentity): { uid?: number; gid?: number; cwd?: string } {
  return guise.uid === undefined || guise.gid === undefined ? {} : { uid: guise.uid, gid: guise.gid, cwd: '/' }
}

/** A minimal environment: PostgreSQL needs no secrets of the server, and another LANG would change the cluster. */
function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env
  return { PATH, LC_ALL: 'C', TZ: 'UTC', ...(SystemRoot === undefined ? {} : { SystemRoot }), ...(TEMP === undefined ? {} : { TEMP }) }
}

/** Keeps one older log; returns where new lines will start. */
async function rotateLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  )
  if (size < 8 * 1024 * 1024) return size
  await rename(path, `${path}.1`)
  return 0
}

/** The previous port, so that other programs find it again, or a free one. */
async function choosePort(folder: string): Promise<number> {
  const kept = await readFile(portPath(folder), 'utf8').then(Number, () => Number.NaN)
  if (kept > 0 && kept < 65_536) return kept
  const port = await new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
  await writeFile(portPath(folder), String(port), { mode: 0o600 })
  return port
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
