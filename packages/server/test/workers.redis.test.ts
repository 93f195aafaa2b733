// Several worker processes behind one port: with embedded PostgreSQL and a real Redis.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordSocket } from '../../../e2e/socket-recorder.ts'
import { restartDelay } from '../src/workers.ts'
import { testDatabase } from './support/test-database.ts'
import { startTestRedis, type TestRedis } from './support/test-redis.ts'
import { waitFor } from './support/test-wait.ts'
import { createUserWithData } from './support/user-with-data.ts'
import { validRequest } from './support/valid-request.ts'

let redis: TestRedis
let folder: string
const started: ChildProcess[] = []
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  redis = await startTestRedis()
  folder = await mkdtemp(join(tmpdir(), 'tandem-workers-'))
})
afterAll(async () => {
  for (const one of started) if (one.exitCode === null && one.signalCode === null) one.kill('SIGKILL')
  for (const close of closers) await close()
  await redis.stop()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string, platform: readonly string[], extra: readonly string[] = []) {
  const dir = join(folder, name)
  const server = fork(
    new URL('./support/workers-process.ts', import.meta.url),
    [
      ...['WORKERS=3', 'PORT=0', 'LOG_LEVEL=error', `DATA_DIR=${dir}`, ...platform],
      ...['BAAS_JWT_SECRET=a-secret-of-tests-that-is-long-enough-0123456789', `CACHE_URL=${redis.url}`, 'OLLAMA_HOST=off', ...extra],
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  started.push(server)
  const [message] = await once(server, 'message')
  return {
    server,
    message: Object(message),
    async workers(): Promise<number[]> {
      const answer = once(server, 'message')
      server.send('pids')
      return Object((await answer)[0]).pids
    },
  }
}

/** The PostgreSQL of the test run. */
async function shared(): Promise<string[]> {
  const { target, close } = await testDatabase()
  closers.push(close)
  const { host, port, user, database, socket } = target.address
  const server = socket === undefined ? host : encodeURIComponent(socket.slice(0, socket.lastIndexOf('/')))
  return [`BAAS_URL=postgres://${user}@${server}:${port}/${database}`, `BAAS_KEY=${target.password}`, `STORAGE_URL=file:${folder}/files`]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('workers share a port, a killed one is replaced, and a stop ends all of them', async () => {
  const { server, message, workers } = await start('shared', [
    `BAAS_URL=embedded:${join(folder, 'shared')}`,
    'BAAS_KEY=a-password-of-tests-0123',
  ])
  const url: string = message.url
  const first = await workers()
  expect(new Set(first).size).toBe(3)

  // Connections are served by workers in turn: hints reach the sockets of all of them.
  const user = await createUserWithData(url)
  const ears = await Promise.all([1, 2, 3, 4, 5, 6].map(() => recordSocket(url, user.token)))
  expect((await user.call('sync_push', validRequest('sync_push', user))).status).toBe(200)
  await waitFor(() => ears.every((ear) => ear.heard.some((one) => Object(one).type === 'sync.changed')), 30_000)
  for (const ear of ears) ear.close()

  const [victim = 0] = first
  process.kill(victim, 'SIGKILL')
  await waitFor(async () => {
    const now = await workers()
    return now.length === 3 && !now.includes(victim)
  }, 60_000)
  await waitFor(async () => (await fetch(`${url}/ready`).catch(() => undefined))?.status === 200, 30_000)
  expect((await user.call('sync_pull')).status).toBe(200)

  const last = await workers()
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  await waitFor(() => last.every((pid) => !isAlive(pid)), 30_000)
})

test('every worker reports the metrics of both', async () => {
  const { server, message, workers } = await start('metrics', await shared(), ['WORKERS=2'])
  const read = async (path: string) => await (await fetch(`${message.url}${path}`, { headers: { connection: 'close' } })).text()
  const figure = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    )
  // Each request is a connection of its own, and workers get connections in turn.
  for (let n = 0; n < 20; n += 1) await read('/health')
  const health = 'tandem_request_duration_seconds_count{route="health",method="GET",status="200"}'
  for (let n = 0; n < 6; n += 1) {
    const text = await read('/metrics')
    expect([figure(text, 'tandem_workers'), figure(text, health)]).toEqual([2, 20])
  }
  const first = await workers()
  process.kill(first[0] ?? 0, 'SIGKILL')
  await waitFor(async () => {
    const now = await workers()
    return now.length === 2 && now.every((pid) => pid !== first[0])
  }, 60_000)
  await waitFor(async () => figure(await read('/metrics').catch(() => ''), 'tandem_workers') === 2, 30_000)
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})

test('workers end with the first process, even if it is killed', async () => {
  const { server, workers } = await start('orphans', await shared())
  const pids = await workers()
  server.kill('SIGKILL')
  await waitFor(() => pids.every((pid) => !isAlive(pid)), 60_000)
})

test('workers that cannot start are reported, and nothing is left', async () => {
  const { server, message } = await start('failing', await shared(), ['FAIL_WORKERS=yes'])
  expect(message).toEqual({ problems: ['WORKERS: a worker process could not start; its own messages explain why'] })
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})

test('a worker that crashes again and again is replaced ever more slowly, up to half a minute', () => {
  expect([0, 1, 2, 3, 4, 8, 9, 100].map(restartDelay)).toEqual([0, 250, 500, 1_000, 2_000, 30_000, 30_000, 30_000])
})
