import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPostgresBinaries, type PostgresBinaries, programsIn } from './postgres-binaries.ts'
import { isAlive, readPostmasterFile } from './postmaster.ts'

const password = "pass word'\\"
const isRoot = process.getuid?.() === 0

let dir: string
let lines: string[]
let cleanup: (() => Promise<unknown>)[]

beforeEach(async () => {
  const made = await mkdtemp(join(tmpdir(), 'tandem-embedded-'))
  dir = made
  lines = []
  cleanup = [() => rm(made, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const step of cleanup.reverse()) await step()
})

test('data survives a restart, is UTF-8, and requires the password', async () => {
  const first = await start()
  expect({ adopted: first.adopted, ...first.url }).toEqual({
    adopted: false,
    host: '127.0.0.1',
    port: 5432,
    user: 'tandem',
    database: 'tandem',
    tls: 'disable',
    pooled: false,
    socket: join(dir, 'postgres', '.s.PGSQL.5432'),
  })
  await query(first, async (sql) => {
    await sql`create table kept (word text)`
    await sql`insert into kept values ('größer')`
    const [facts] = await sql`
      select current_setting('server_encoding') as encoding, datlocprovider, datlocale, current_setting('fsync') as fsync,
        current_setting('listen_addresses') as listen from pg_database where datname = current_database()`
    expect(facts).toEqual({ encoding: 'UTF8', datlocprovider: 'b', datlocale: 'C.UTF-8', fsync: 'on', listen: '' })
  })
  await expect(query(first, (sql) => sql`select 1`, 'wrong')).rejects.toMatchObject({ code: '28P01' })
  await first.stop()
  // Its end is known to this process a moment after it has left the folder.
  await expect.poll(() => isAlive(first.pid)).toBe(false)

  const second = await start()
  expect(second.adopted).toBe(false)
  expect(await query(second, (sql) => sql`select word from kept`)).toEqual([{ word: 'größer' }])
  expect((await readdir(dir)).sort()).toEqual(['postgres', 'postgres.log'])
  await second.stop()
})

test('it survives a killed server and is adopted by the next', async () => {
  const child = startElsewhere()
  const pid = await child.started
  child.process.kill('SIGKILL')
  await once(child.process, 'exit')

  const next = await start()
  expect({ adopted: next.adopted, pid: next.pid }).toEqual({ adopted: true, pid })
  expect(await query(next, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
  await next.stop()
  expect((await readdir(join(dir, 'postgres'))).includes('postmaster.pid')).toBe(false)
})

test('a second server on the same folder is refused with the pid of the first', async () => {
  const first = await start()
  await expect(start()).rejects.toMatchObject({
    code: 'in_use',
    message: `${join(dir, 'postgres')} is in use by another server (process ${process.pid}); stop it, or give this one its own folder`,
  })
  expect(await query(first, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
  await first.stop()
})

test('two concurrent first starts end with one server and one clear refusal', async () => {
  const results = await Promise.allSettled([start(), start()])
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  expect({ won: won.length, lost }).toEqual({ won: 1, lost: ['in_use'] })
  await won[0]?.stop()
})

test('a wrong password is reported, and nothing is left running', async () => {
  await (await start()).stop()
  await expect(startEmbeddedPostgres({ dir, password: 'other', log })).rejects.toMatchObject({ code: 'wrong_password' })
  expect(await readPostmasterFile(join(dir, 'postgres'))).toBe(undefined)
})

test('PostgreSQL is restarted if it is killed while the server runs', async () => {
  const server = await start()
  const before = server.pid
  process.kill(before, 'SIGKILL')
  await until(() => server.pid !== before && lines.some((line) => line.startsWith('PostgreSQL is available again')))
  expect(await query(server, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
  await server.stop()
  await expect.poll(() => isAlive(server.pid)).toBe(false)
})

describe('a stale postmaster.pid', () => {
  test.each([
    ['of a process that has exited', async () => 4_194_200],
    ['whose pid is now that of this process', async () => process.pid],
  ])('%s does not prevent a start', async (_name, stranger) => {
    const first = await start()
    const file = await readFile(join(dir, 'postgres', 'postmaster.pid'), 'utf8')
    await first.stop()
    const pid = await stranger()
    await writeFile(join(dir, 'postgres', 'postmaster.pid'), file.replace(/^\d+/, String(pid)), { mode: 0o600 })
    await writeFile(join(dir, 'postgres', '.s.PGSQL.5432.lock'), file.replace(/^\d+/, String(pid)), { mode: 0o600 })
    const second = await start()
    expect(second.adopted).toBe(false)
    await second.stop()
  })
})

describe('an interrupted setup', () => {
  test('after a kill during initdb, the next start begins again and cleans up', async () => {
    const child = startElsewhere()
    await until(async () => (await readdir(dir)).some((name) => name.startsWith('postgres.init-') && !name.endsWith('.password')))
    await until(async () => (await readdir(dir)).includes('postgres') || (await drafts()).length > 5)
    child.process.kill('SIGKILL')
    await once(child.process, 'exit')
    expect((await readdir(dir)).includes('postgres')).toBe(false)

    const server = await start()
    expect(await query(server, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
    await server.stop()
    expect((await readdir(dir)).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
  })

  test('a folder that is not a cluster is moved aside, not deleted', async () => {
    await mkdir(join(dir, 'postgres'))
    await writeFile(join(dir, 'postgres', 'base'), 'half')
    await (await start()).stop()
    const aside = (await readdir(dir)).find((name) => name.startsWith('postgres.unfinished-'))
    expect(await readFile(join(dir, aside ?? '', 'base'), 'utf8')).toBe('half')
  })

  async function drafts(): Promise<string[]> {
    const draft = (await readdir(dir)).find((name) => /^postgres\.init-\d+-[0-9a-f]+$/.test(name))
    return draft === undefined ? [] : readdir(join(dir, draft))
  }
})

test('a path too long for a socket uses loopback, on the same port each time', async () => {
  const long = join(dir, 'x'.repeat(100))
  const first = await startEmbeddedPostgres({ dir: long, password, log })
  expect(first.url.socket).toBe(undefined)
  expect(await query(first, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
  await first.stop()
  const second = await startEmbeddedPostgres({ dir: long, password, log })
  expect(second.url).toEqual(first.url)
  await second.stop()
})

describe.runIf(isRoot)('as root', () => {
  test('it runs unprivileged in a folder that only root can access', async () => {
    const server = await start()
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, 'postgres'))).uid).toBe(0)
    expect(await readlink(`/proc/${server.pid}/ns/user`)).not.toBe(await readlink('/proc/self/ns/user'))
    await server.stop()
  })

  test('without user namespaces it runs as another user', async () => {
    const first = startElsewhere({ PATH: '/nowhere' })
    const pid = await first.started
    const owner = (await stat(join(dir, 'postgres'))).uid
    expect(owner).not.toBe(0)
    expect((await stat(`/proc/${pid}`)).uid).toBe(owner)
    expect((await stat(dir)).mode & 0o777).toBe(0o711)
    first.process.kill('SIGKILL')
    await once(first.process, 'exit')
    const next = await start()
    expect(next.adopted).toBe(true)
    await next.stop()
    // If namespaces are available again, it still runs as the user who owns it.
    const last = await start()
    expect((await stat(`/proc/${last.pid}`)).uid).toBe(owner)
    await last.stop()
  })

  test('if that user has no access, the cluster is in a separate folder', async () => {
    const barred = join(dir, 'barred')
    await mkdir(barred, { mode: 0o700 })
    await mkdir(join(barred, 'data'))
    dir = join(barred, 'data')
    const child = startElsewhere({ PATH: '/nowhere' })
    await child.started
    const room = await readlink(join(dir, 'postgres'))
    cleanup.push(() => rm(join(room, '..'), { recursive: true, force: true }))
    child.process.kill('SIGKILL')
    await once(child.process, 'exit')
    const next = await start()
    expect({ adopted: next.adopted, room: room.startsWith('/var/lib/tandem/') }).toEqual({ adopted: true, room: true })
    await next.stop()
  })

  describe('if that user cannot access the programs', () => {
    let barred: PostgresBinaries
    beforeEach(async () => {
      const folder = join(dir, 'barred')
      await mkdir(folder, { mode: 0o700 })
      const found = findPostgresBinaries()
      if (!found.ok) throw new Error(`${found.wanted} is not installed`)
      await cp(found.binaries.home, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
      barred = { ...programsIn(join(folder, 'native')), version: '18.0.0-test' }
    })
    const copies = () => join(dir, 'postgres.programs')
    const startBarred = (binaries = barred) => startEmbeddedPostgres({ dir, password, log, binaries })

    test('they are copied once, next to the cluster, and adopted after a kill', async () => {
      const first = startElsewhere({ PATH: '/nowhere' }, barred)
      const pid = await first.started
      const copy = join(copies(), '18.0.0-test', 'bin', 'postgres')
      expect(await readlink(`/proc/${pid}/exe`)).toBe(copy)
      expect((await stat(`/proc/${pid}`)).uid).not.toBe(0)
      const { ino } = await stat(copy)
      first.process.kill('SIGKILL')
      await once(first.process, 'exit')

      const next = await startBarred()
      expect({ adopted: next.adopted, pid: next.pid }).toEqual({ adopted: true, pid })
      await next.stop()
      const last = await startBarred()
      expect({ names: await readdir(copies()), ino: (await stat(copy)).ino }).toEqual({ names: ['18.0.0-test'], ino })
      await last.stop()
    })

    test('an incomplete copy is created again, and drafts of dead processes are deleted', async () => {
      await (await startAs(barred)).stop()
      await truncate(join(copies(), '18.0.0-test', 'share', 'postgresql', 'postgres.bki'), 10)
      await mkdir(join(copies(), '18.0.0-test.draft-4194200-00'))
      const server = await startBarred()
      expect(await query(server, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }])
      expect(await readdir(copies())).toEqual(['18.0.0-test'])
      await server.stop()
    })

    test.each([
      ['a newer version', () => startBarred({ ...barred, version: '18.0.1-test' }), ['18.0.1-test']],
      ['programs that can be reached again', () => chmod(join(dir, 'barred'), 0o755).then(() => startBarred()), []],
    ])('%s replaces the running one', async (_name, startNext, names) => {
      const first = startElsewhere({ PATH: '/nowhere' }, barred)
      const pid = await first.started
      first.process.kill('SIGKILL')
      await once(first.process, 'exit')
      const next = await startNext()
      cleanup.push(() => next.stop())
      expect({ adopted: next.adopted, said: lines[0] }).toEqual({
        adopted: false,
        said: `PostgreSQL's program was replaced since it started; restarting it (process ${pid})`,
      })
      expect(await readdir(copies())).toEqual(names)
    })

    async function startAs(binaries: PostgresBinaries): Promise<EmbeddedPostgres> {
      const first = startElsewhere({ PATH: '/nowhere' }, binaries)
      await first.started
      first.process.kill('SIGKILL')
      await once(first.process, 'exit')
      return await startBarred(binaries)
    }
  })
})

function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dir, password, log })
}

function log(line: string): void {
  lines.push(line)
}

/** A server in its own process, so that it can be killed. */
function startElsewhere(env: NodeJS.ProcessEnv = {}, binaries?: PostgresBinaries) {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    const server = await startEmbeddedPostgres({ ...${JSON.stringify({ dir, password, binaries })}, log() {} })
    console.log(server.pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanup.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const started = once(child.stdout, 'data').then(([chunk]) => Number(String(chunk)))
  return { process: child, started }
}

async function query<T>(server: EmbeddedPostgres, work: (sql: postgres.Sql) => Promise<T>, secret = password): Promise<T> {
  const { host, port, user, database, socket } = server.url
  const sql = postgres({ host, port, user, database, password: secret, max: 1, ...(socket === undefined ? {} : { path: socket }) })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const begun = Date.now(); !(await condition()); await new Promise((resolve) => setTimeout(resolve, 5))) {
    if (Date.now() - begun > 15_000) throw new Error('waited 15 s in vain')
  }
}
