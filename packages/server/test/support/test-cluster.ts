// A separate PostgreSQL for tests of a whole server: standbys, promotion, TLS. On a free loopback port, without waiting for the disk.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { DatabaseAddress } from '../../src/config/database-url.ts'
import { type Cluster, openCluster } from '../../src/database/embedded-cluster.ts'
import { findPostgresBinaries } from '../../src/database/postgres-binaries.ts'
import type { ProcessIdentity } from '../../src/database/unprivileged.ts'

export interface TestCluster extends AsyncDisposable {
  readonly address: DatabaseAddress
  readonly password: string
  /** The data folder. */
  readonly folder: string
  /** As the superuser, in `database` or the default one. */
  admin<T>(work: (sql: postgres.Sql) => Promise<T>, database?: string): Promise<T>
  /** A standby that streams from this one, asynchronously. */
  standby(): Promise<TestCluster>
  /** Ends replication to this standby: it does not receive later commits. */
  stopStreaming(): Promise<void>
  promote(): Promise<void>
  /** SIGKILL of all its processes, as in a machine failure. */
  kill(): Promise<void>
}

export interface ClusterOptions {
  /** Settings by name, as with `-c`. Paths of files in the data folder may be relative to it. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called with the data folder before the first start. */
  readonly prepare?: (folder: string) => Promise<void>
  /** Gets its log. */
  readonly log?: (text: string) => void
}

const password = 'only-for-this-test'

export async function startTestCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const found = findPostgresBinaries()
  if (!found.ok) throw new Error(`${found.wanted} is needed for this test: run npm ci`)
  const dir = await mkdtemp(join(tmpdir(), 'tandem-cluster-'))
  const cluster = await openCluster(dir, password, found.binaries, run)
  await options.prepare?.(cluster.folder)
  return await startIn(cluster, cluster.folder, dir, options)
}

async function startIn(cluster: Cluster, folder: string, dir: string, options: ClusterOptions): Promise<TestCluster> {
  const port = await freePort()
  const address: DatabaseAddress = { host: '127.0.0.1', port, user: 'tandem', database: 'postgres', tls: 'disable', pooled: false }
  let running = await start(cluster, folder, port, options)
  const standbys: TestCluster[] = []

  async function stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill(signal)
    await gone
  }

  async function admin<T>(work: (sql: postgres.Sql) => Promise<T>, database = 'postgres'): Promise<T> {
    const { host, user } = address
    const sql = postgres({ host, port, user, password, database, max: 1, fetch_types: false, onnotice: () => undefined })
    try {
      return await work(sql)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }

  return {
    address,
    password,
    folder,
    admin,
    kill: () => stop('SIGKILL'),
    async standby() {
      const copyDir = await mkdtemp(join(tmpdir(), 'tandem-standby-'))
      const copy = join(copyDir, 'postgres')
      // A copy of a stopped cluster is equivalent to pg_basebackup of a running one.
      await stop('SIGINT')
      await mkdir(copyDir, { recursive: true })
      const copied = await run({ prefix: [] }, 'cp', ['-a', folder, copy])
      if (!copied.ok) throw new Error(copied.output)
      running = await start(cluster, folder, port, options)
      await writeFile(join(copy, 'standby.signal'), '')
      const source = `host=127.0.0.1 port=${port} user=tandem password=${password} application_name=standby`
      await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
      const made = await startIn(cluster, copy, copyDir, options)
      standbys.push(made)
      return made
    },
    async stopStreaming() {
      await admin(async (sql) => {
        await sql.unsafe(`alter system set primary_conninfo = ''`)
        await sql`select pg_reload_conf()`
        while ((await sql`select 1 from pg_stat_wal_receiver`).length > 0) await sql`select pg_sleep(0.05)`
      })
    },
    async promote() {
      await admin((sql) => sql`select pg_promote()`)
    },
    async [Symbol.asyncDispose]() {
      for (const made of standbys) await made[Symbol.asyncDispose]()
      await stop('SIGKILL')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function start(cluster: Cluster, folder: string, port: number, options: ClusterOptions): Promise<ChildProcess> {
  const settings = { fsync: 'off', listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings }
  const args = ['-D', folder, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const child = launch(cluster.guise, cluster.binaries.postgres, args)
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`postgres ended at its start:\n${output}`)))
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/ready to accept (read-only )?connections/.test(output)) resolve()
    })
  })
  child.removeAllListeners('exit')
  child.stderr?.removeAllListeners('data').resume()
  if (options.log) child.stderr?.setEncoding('utf8').on('data', options.log)
  return child
}

function launch({ prefix, uid, gid }: ProcessIdentity, program: string, args: readonly string[]): ChildProcess {
  const [first = program, ...rest] = [...prefix, program, ...args]
  const as = { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) }
  return spawn(first, rest, { ...as, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(guise: ProcessIdentity, program: string, args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const child = launch(guise, program, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return await new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
