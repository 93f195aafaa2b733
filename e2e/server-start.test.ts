// A start that cannot succeed ends soon, with exit code 1 and one line per problem that names the variable and no secret.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSupabase, type TestSupabase } from '../packages/server/test/support/supabase.ts'
import { testDatabase } from '../packages/server/test/support/test-database.ts'
import { startTestRedis, type TestRedis } from '../packages/server/test/support/test-redis.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { emptyDatabase, type TestDatabase, urlOf } from './server-database.ts'
import { clearEmbedded, type Ended, endServers, launchServer, startServerProcess, type Variables } from './server-process.ts'

const canary = () => `cAnAry${randomBytes(20).toString('hex')}`
const secrets = { key: canary(), jwt: canary(), cache: canary(), storage: canary() }

let folder: string
let redis: TestRedis
let database: TestDatabase
/** Accepts connections and never responds. */
let silent: Server
let silentPort: number
const closedPort = 9

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-start-'))
  redis = await startTestRedis({ password: secrets.cache })
  database = await emptyDatabase()
  silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  silentPort = address !== null && typeof address === 'object' ? address.port : 0
})
afterAll(endServers)
afterAll(async () => {
  silent.close()
  await redis.stop()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const good = (): Record<string, string> => ({
  ENV: 'production',
  HOST: '127.0.0.1',
  BAAS_URL: database.url,
  BAAS_KEY: database.password,
  BAAS_JWT_SECRET: secrets.jwt,
  CACHE_URL: redis.url,
  CACHE_PASSWORD: secrets.cache,
  STORAGE_URL: `file:${join(folder, 'files')}`,
})
const local = (port: number, path = '') => `127.0.0.1:${port}${path}`
const postgresAt = (place: string) => `postgres://someone@${place}/tandem`
const s3At = (port: number) => ({
  STORAGE_URL: `s3://tandem-files?endpoint=http://${local(port)}&region=eu-1`,
  STORAGE_ACCESS_KEY: 'access',
  STORAGE_SECRET_KEY: secrets.storage,
})

/** The changes to a valid environment (an empty string unsets), and the variables named in the errors. */
type Case = readonly [name: string, changes: () => Variables, blamed: readonly string[]]

const wrong: readonly Case[] = [
  [
    'nothing is set',
    () => Object.fromEntries(Object.keys(good()).map((name) => [name, name === 'ENV' ? 'production' : ''])),
    ['BAAS_URL', 'BAAS_KEY', 'CACHE_URL', 'BAAS_JWT_SECRET'],
  ],
  ['BAAS_URL malformed', () => ({ BAAS_URL: `mysql://${secrets.key}@h/d` }), ['BAAS_URL']],
  ['BAAS_URL with a password', () => ({ BAAS_URL: `postgres://u:${secrets.key}@h/d` }), ['BAAS_URL']],
  ['BAAS_KEY missing', () => ({ BAAS_KEY: '' }), ['BAAS_KEY']],
  ['BAAS_KEY wrong', () => ({ BAAS_KEY: secrets.key }), ['BAAS_KEY']],
  ['BAAS_JWT_SECRET short', () => ({ BAAS_JWT_SECRET: secrets.jwt.slice(0, 31) }), ['BAAS_JWT_SECRET']],
  ['CACHE_URL malformed', () => ({ CACHE_URL: `http://${secrets.cache}` }), ['CACHE_URL']],
  ['CACHE_PASSWORD missing', () => ({ CACHE_PASSWORD: '' }), ['CACHE_PASSWORD']],
  ['CACHE_PASSWORD wrong', () => ({ CACHE_PASSWORD: secrets.key }), ['CACHE_PASSWORD']],
  ['Redis unreachable', () => ({ CACHE_URL: `redis://${local(closedPort)}` }), ['CACHE_URL']],
  ['PostgreSQL unreachable', () => ({ BAAS_URL: postgresAt(local(closedPort)), BAAS_KEY: secrets.key }), ['BAAS_URL']],
  ['no such host', () => ({ BAAS_URL: postgresAt('nowhere.invalid'), BAAS_KEY: secrets.key }), ['BAAS_URL']],
  ['no such database', () => ({ BAAS_URL: `${database.url}_elsewhere` }), ['BAAS_URL']],
  ['STORAGE_URL missing', () => ({ STORAGE_URL: '' }), ['STORAGE_URL']],
  ['STORAGE_URL below a file', () => ({ STORAGE_URL: `file:${join(folder, 'a-file', 'files')}` }), ['STORAGE_URL']],
  ['STORAGE_URL where no folder can be created', () => ({ STORAGE_URL: 'file:/proc/nowhere/files' }), ['STORAGE_URL']],
  ['S3 unreachable', () => s3At(closedPort), ['STORAGE_URL']],
  ['PORT malformed', () => ({ PORT: '80a' }), ['PORT']],
  ['PORT in use', () => ({ PORT: String(silentPort) }), ['PORT']],
  ['HOST of another machine', () => ({ HOST: '192.0.2.1' }), ['HOST']],
  ['HOST unknown', () => ({ HOST: 'nowhere.invalid' }), ['HOST']],
  ['TRUST_PROXY with a mask that is too long', () => ({ TRUST_PROXY: '10.0.0.0/33' }), ['TRUST_PROXY']],
  ['OLLAMA_HOST malformed', () => ({ OLLAMA_HOST: 'http:///nowhere' }), ['OLLAMA_HOST']],
  ['LOG_LEVEL malformed', () => ({ LOG_LEVEL: secrets.key }), ['LOG_LEVEL']],
  [
    'three services unreachable',
    () => ({ BAAS_URL: postgresAt(local(closedPort)), CACHE_URL: `redis://${local(closedPort)}`, ...s3At(closedPort) }),
    ['BAAS_URL', 'STORAGE_URL', 'CACHE_URL'],
  ],
]

test.concurrent.each(wrong)('%s', async (_name, changes, blamed) => {
  await writeFile(join(folder, 'a-file'), '')
  expectRefused(await failedStart({ ...good(), ...changes() }), blamed)
})

/** A server that accepts the connection but never responds takes the whole timeout: not in parallel with many others. */
const slow: readonly Case[] = [
  ['Redis at the address of PostgreSQL', () => ({ BAAS_URL: postgresAt(local(redis.port)), BAAS_KEY: secrets.key }), ['BAAS_URL']],
  [
    'three services that never respond',
    () => ({ BAAS_URL: postgresAt(local(silentPort)), CACHE_URL: `redis://${local(silentPort)}`, ...s3At(silentPort) }),
    ['BAAS_URL', 'STORAGE_URL', 'CACHE_URL'],
  ],
]

test.each(slow)('%s', async (_name, changes, blamed) => {
  expectRefused(await failedStart({ ...good(), ...changes() }), blamed)
})

test('the first starts of a fresh clone, four at once without a compile cache', async () => {
  const unreachable = { BAAS_URL: postgresAt(local(closedPort)), BAAS_KEY: secrets.key }
  const starts = [{ PORT: '80a' }, { LOG_LEVEL: 'loud' }, unreachable, unreachable].map(async (changes, number) => {
    // The compile cache is in the temporary folder.
    const TMPDIR = join(folder, `fresh-${number}`)
    await mkdir(TMPDIR)
    return await failedStart({ ...good(), ...changes, TMPDIR })
  })
  const blamed = [['PORT'], ['LOG_LEVEL'], ['BAAS_URL'], ['BAAS_URL']]
  for (const [number, ended] of (await Promise.all(starts)).entries()) expectRefused(ended, blamed[number] ?? [])
})

test('SIGTERM ends a start that waits for another node', async () => {
  const own = await testDatabase({ template: 'template0' })
  const { promise: release, resolve } = Promise.withResolvers<void>()
  // The migration lock, held as by a node that hangs.
  const holding = own.database.owner.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(7263510402)`
    await release
  })
  const started = launchServer({ ...good(), BAAS_URL: urlOf(own.target.address), BAAS_KEY: own.target.password })
  await waitFor(async () => {
    const [row] = await own.database.owner`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted`
    return row?.waiting > 0
  }, 20_000)
  started.signal('SIGTERM')
  const { code } = await started.ended
  resolve()
  await holding.catch(() => undefined)
  await own.close()
  expect(code).toBe(143)
})

test('a valid environment starts', async () => {
  await using server = await startServerProcess(good())
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  expectNoSecret(server.output())
})

describe('an embedded folder', () => {
  const embedded = (dir: string): Variables => ({ ...good(), BAAS_URL: `embedded:${dir}`, BAAS_KEY: secrets.key, STORAGE_URL: '' })

  test('that another server uses, or that has another password', async () => {
    const dir = join(folder, 'embedded')
    {
      await using _server = await startServerProcess(embedded(dir))
      expectRefused(await failedStart(embedded(dir)), ['BAAS_URL'])
      expectRefused(await failedStart({ ...embedded(dir), BAAS_KEY: canary() }), ['BAAS_KEY'])
    }
    expectRefused(await failedStart({ ...embedded(dir), BAAS_KEY: canary() }), ['BAAS_KEY'])
    await clearEmbedded(dir)
  })

  test('that cannot be created, in production and in development', async () => {
    await writeFile(join(folder, 'a-file'), '')
    const dir = join(folder, 'a-file', 'embedded')
    expectRefused(await failedStart(embedded(dir)), ['BAAS_URL'])
    expectRefused(await failedStart({ ENV: 'development', BAAS_URL: `embedded:${dir}` }), ['BAAS_URL'])
  })

  test('where no folder can be created', async () => {
    expectRefused(await failedStart(embedded('/proc/nowhere/data')), ['BAAS_URL'])
    expectRefused(await failedStart({ ENV: 'development', DATA_DIR: '/proc/nowhere/data' }), ['DATA_DIR'])
  })

  test('and a cache, both wrong, are both reported', async () => {
    const dir = join(folder, 'a-file', 'embedded')
    await writeFile(join(folder, 'a-file'), '')
    expectRefused(await failedStart({ ...embedded(dir), CACHE_PASSWORD: canary() }), ['BAAS_URL', 'CACHE_PASSWORD'])
  })
})

describe('a Supabase project', () => {
  let supabase: TestSupabase
  let variables: Variables
  let close: () => Promise<void>
  beforeAll(async () => {
    const own = await testDatabase()
    supabase = await startTestSupabase({ database: own.target, folder: join(folder, 'supabase'), jwt_secret: secrets.jwt })
    close = async () => {
      await supabase.stop()
      await own.close()
    }
    variables = {
      ...good(),
      STORAGE_URL: '',
      BAAS_URL: supabase.url,
      BAAS_KEY: supabase.service_key,
      DATABASE_URL: urlOf(own.target.address),
      DATABASE_PASSWORD: own.target.password,
    }
  })
  afterAll(() => close())

  const cases: readonly Case[] = [
    ['wrong key', () => ({ BAAS_KEY: secrets.key }), ['BAAS_KEY']],
    ['unreachable', () => ({ BAAS_URL: `http://${local(closedPort)}`, BAAS_KEY: secrets.key }), ['BAAS_URL']],
    ['not a Supabase project', () => ({ BAAS_URL: `http://${local(redis.port)}` }), ['BAAS_URL']],
    ['wrong database password', () => ({ DATABASE_PASSWORD: secrets.key }), ['DATABASE_PASSWORD']],
    [
      'wrong key and wrong database',
      () => ({ BAAS_KEY: secrets.key, DATABASE_URL: postgresAt(local(closedPort)) }),
      ['DATABASE_URL', 'BAAS_KEY'],
    ],
  ]
  test.concurrent.each(cases)('%s', async (_name, changes, blamed) => {
    expectRefused(await failedStart({ ...variables, ...changes() }), blamed)
  })
})

function failedStart(variables: Variables): Promise<Ended> {
  return launchServer(variables).ended
}

function expectRefused({ code, stdout, stderr }: Ended, blamed: readonly string[]): void {
  const lines = stderr.split('\n').filter((line) => line !== '')
  expect(lines.map((line) => /^tandem: ([A-Z_]+): [a-z/\d]/.exec(line)?.[1] ?? line)).toEqual(blamed)
  expect(code).toBe(1)
  expectNoSecret(stdout + stderr)
}

function expectNoSecret(text: string): void {
  for (const secret of [...Object.values(secrets), 'cAnAry', database.password]) expect(text).not.toContain(secret)
}
