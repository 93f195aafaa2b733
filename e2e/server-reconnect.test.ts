// A node dies and all its devices reconnect to the other at once: all are accepted, and its own devices are served as before.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerMessage, subprotocolsWithToken } from '@tandem/contract/ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { newId } from '../packages/server/src/http/id.ts'
import { openTokens } from '../packages/server/src/token/tokens.ts'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { startTestRedis, type TestRedis } from '../packages/server/test/support/test-redis.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { openAccount } from './server-load.ts'
import { endServers, startServerProcess, type Variables } from './server-process.ts'

let folder: string
let redis: TestRedis
let database: TestDatabase
let variables: Variables
const secret = randomBytes(32).toString('hex')
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-stampede-'))
  redis = await startTestRedis()
  database = await emptyDatabase()
  variables = {
    ...{ LOG_LEVEL: 'warn', DATA_DIR: folder, BAAS_URL: database.url, BAAS_KEY: database.password, BAAS_JWT_SECRET: secret },
    // Rate limits count by address; each user has their own.
    ...{ CACHE_URL: redis.url, TRUST_PROXY: 'loopback', STORAGE_URL: `file:${folder}/files` },
  }
})
afterAll(async () => {
  await endServers()
  await redis.stop()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const [people, devices] = [150, 4]

interface Device {
  readonly heard: ServerMessage[]
  code: number | undefined
  close(): void
}

function connect(url: string, token: string, address: string): Device {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, subprotocolsWithToken(token), {
    headers: { 'x-forwarded-for': address },
  })
  const device: Device = { heard: [], code: undefined, close: () => socket.close() }
  socket.on('message', (data) => device.heard.push(JSON.parse(String(data))))
  socket.on('close', (code) => {
    device.code = code
  })
  // The close event reports it, too.
  socket.on('error', () => undefined)
  return device
}

const greeted = (all: readonly Device[]) => all.filter(({ heard }) => heard[0]?.type === 'hello').length

test(`${people * devices} devices reconnect at once to the remaining node`, async () => {
  const [left, right] = await Promise.all([startServerProcess(variables), startServerProcess(variables)])
  const tokens = openTokens({ kind: 'secret', secret }, undefined)
  const everybody = await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      const claims = { user_id: newId(Date.now()), session_id: newId(Date.now()), email: 'mara@example.org' }
      return { token: await tokens.sign(claims, Date.now()), address: `203.0.113.${index}` }
    }),
  )
  const resident = await openAccount(right.url)
  const comeTo = (url: string) =>
    everybody.flatMap(({ token, address }) => Array.from({ length: devices }, () => connect(url, token, address)))

  const before = comeTo(left.url)
  await waitFor(() => greeted(before) === before.length, 60_000)
  await left.kill()
  await waitFor(() => before.every(({ code }) => code !== undefined), 30_000)

  const after = comeTo(right.url)
  // Meanwhile a user works.
  const statuses: number[] = []
  const isDecided = () => greeted(after) + after.filter(({ code }) => code !== undefined).length === after.length
  // Below the rate limit of a user, however long the others take.
  while (!isDecided() && statuses.length < 500) {
    const body = { device_id: 'laptop', changes: [change('messages', `m-${statuses.length}`, { text: 'x' })] }
    statuses.push((await callRoute(right.url, 'sync_push', { token: resident.token, body })).status)
  }
  await waitFor(isDecided, 60_000)
  expect(statuses.length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect([greeted(after), after.filter(({ code }) => code !== undefined)]).toEqual([after.length, []])
  expect((await callRoute(right.url, 'metrics')).body).toContain(`tandem_sockets ${after.length}\n`)

  // Each gets hints about its own changes only.
  const [first] = everybody
  const pushed = await callRoute(right.url, 'sync_push', {
    token: first?.token ?? '',
    body: { device_id: 'telephone', changes: [change('messages', 'after', { text: 'x' })] },
  })
  expect(pushed.status).toBe(200)
  // A hello may be repeated: it makes a device that missed something pull.
  const hasHint = ({ heard }: Device) => heard.some(({ type }) => type === 'sync.changed')
  await waitFor(() => after.slice(0, devices).every(hasHint))
  expect(after.slice(devices).filter(hasHint)).toEqual([])

  // On a clean shutdown they are told to reconnect.
  right.signal('SIGTERM')
  expect((await right.ended).code).toBe(0)
  await waitFor(() => after.every(({ code }) => code !== undefined), 40_000)
  expect(new Set(after.map(({ code }) => code))).toEqual(new Set([1012]))
})
