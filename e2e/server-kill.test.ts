// How a server ends, on request or not: nothing acknowledged is lost, and every accepted request gets a response.
import { mkdtemp } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'
import { type Account, acknowledgedCount, lostChanges, openAccount, startLoad } from './server-load.ts'
import { clearEmbedded, endServers, launchServer, postmasterOf, startServerProcess, type Variables } from './server-process.ts'

// One folder for all tests: each start has to cope with what the last end left behind.
let dir: string
let variables: Variables
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-kill-'))
  variables = { BAAS_URL: `embedded:${dir}`, LOG_LEVEL: 'warn' }
})
afterEach(endServers)
afterAll(() => clearEmbedded(dir))

test('kill -9 under load, with and without PostgreSQL: it answers within 5 s and nothing acknowledged is lost', async () => {
  let server = await startServerProcess(variables)
  const accounts = [await openAccount(server.url), await openAccount(server.url)]
  for (const postgresToo of [false, true]) {
    const load = startLoad([server.url], accounts)
    await waitFor(() => load.count() > 30, 15_000)
    const postmaster = await postmasterOf(dir)
    if (postgresToo && postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    await server.kill()
    const journal = await load.stop()

    server = await startServerProcess(variables)
    expect((await callRoute(server.url, 'ready')).body.status).toBe('ready')
    if (!postgresToo) expect(await postmasterOf(dir)).toBe(postmaster)
    expect(acknowledgedCount(journal)).toBeGreaterThan(100)
    expect(await lostChanges(server.url, accounts, journal)).toEqual([])
  }
  await server[Symbol.asyncDispose]()
})

test('PostgreSQL killed while its server runs: it is restarted, and nothing acknowledged is lost', async () => {
  await using server = await startServerProcess(variables)
  const accounts = [await openAccount(server.url), await openAccount(server.url)]
  // Slow enough for the rate limit of a user, however long the database is down.
  const load = startLoad([server.url], accounts, { pauseMs: 200 })
  await waitFor(() => load.count() > 20, 40_000)
  const postmaster = await postmasterOf(dir)
  if (postmaster === undefined) throw new Error('no PostgreSQL')
  process.kill(postmaster, 'SIGKILL')
  // It may be back before any request noticed.
  await waitFor(async () => ![undefined, postmaster].includes(await postmasterOf(dir)), 40_000)
  await waitFor(async () => (await callRoute(server.url, 'ready')).status === 200, 40_000)
  const before = load.count()
  await waitFor(() => load.count() > before + 20, 40_000)
  const journal = await load.stop()
  expect(journal.broken).toEqual([])
  const unexpected = [...journal.refusals.keys()].filter((refusal) => !/^503 (database_unavailable|overloaded) \d+$/.test(refusal))
  expect(unexpected).toEqual([])
  expect(await lostChanges(server.url, accounts, journal)).toEqual([])
})

test('SIGTERM under load: accepted requests get a response, later ones are told to retry, then all processes end', async () => {
  await using server = await startServerProcess(variables)
  const [first, second, ...slow] = await Promise.all(Array.from({ length: 4 }, () => openAccount(server.url)))
  if (!first || !second) throw new Error('no account')
  // Three requests per user and six in all have slots on every machine. A request that waits too long for one is refused, and on a busy
  // machine one push may take that long.
  const load = startLoad([server.url], [first, second], { devices: 3, pauseMs: 5 })
  await waitFor(() => load.count() > 30, 15_000)

  // Accepted but not complete when the signal arrives.
  const begun = await Promise.all(
    slow.flatMap((account) => Array.from({ length: 3 }, (_, number) => beginPush(server.url, account, `begun-${number}`))),
  )
  const signaled = performance.now()
  server.signal('SIGTERM')
  await waitFor(() => load.journal.refusals.size + load.journal.broken.length > 0)
  // Their slots are free again.
  await load.settled()
  const replies = await Promise.all(begun.map((one) => one.finish()))
  const { code, stderr } = await server.ended
  const journal = await load.stop()

  expect(replies).toEqual(begun.map(() => ({ status: 200, verdict: 'applied' })))
  expect([...journal.refusals.keys()].filter((key) => key !== '503 restarting 1')).toEqual([])
  // Requests in progress get a response, and so do those that arrive while the node drains. Then it stops listening: the system refuses
  // connections, and those still in the accept queue are reset before a response begins. Emptying that queue and closing the socket cannot
  // be one step. A connection cut in the middle of a response would have another error here.
  expect(journal.broken.filter(({ began }) => began < signaled)).toEqual([])
  const caught = journal.broken.filter(({ reason }) => reason !== 'ECONNREFUSED')
  expect(caught.filter(({ reason }) => !/^(ECONNRESET|UND_ERR_SOCKET)$/.test(reason))).toEqual([])
  // Each device makes one request after another, so that at most one of its connections is in the queue when the socket is closed.
  const devices = caught.map(({ by }) => by)
  expect(devices).toEqual([...new Set(devices)])
  for (const { by, began } of caught) {
    const refused = journal.broken.filter((one) => one.by === by && one.reason === 'ECONNREFUSED').map((one) => one.began)
    expect(Math.min(...refused)).toBeGreaterThan(began)
  }
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(await postmasterOf(dir)).toBe(undefined)

  for (const { user_id } of slow) journal.acknowledged.set(user_id, new Set(begun.map(({ entity_id }) => entity_id)))
  await using again = await startServerProcess(variables)
  expect(await lostChanges(again.url, [first, second, ...slow], journal)).toEqual([])
})

test('Ctrl-C reaches the whole group: the server drains, ends PostgreSQL and reports no error', async () => {
  await using server = await startServerProcess(variables)
  server.signalGroup('SIGINT')
  const { code, stderr } = await server.ended
  expect({ code, stderr, postmaster: await postmasterOf(dir) }).toEqual({ code: 0, stderr: '', postmaster: undefined })
})

test('a second SIGTERM ends a server that is draining, and the next start continues with its PostgreSQL', async () => {
  await using server = await startServerProcess(variables)
  const account = await openAccount(server.url)
  const begun = await beginPush(server.url, account, 'never-finished')
  server.signal('SIGTERM')
  // The first was received; a second one too soon would be ignored as a duplicate.
  await waitFor(() =>
    callRoute(server.url, 'ready').then(
      ({ status }) => status !== 200,
      () => true,
    ),
  )
  await sleep(700)
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(130)
  begun.abandon()
  await using again = await startServerProcess(variables)
  expect((await callRoute(again.url, 'users_profile_get', { token: account.token })).status).toBe(200)
})

test('one Ctrl-C that arrives twice, as through a launcher that forwards it, counts once', async () => {
  await using server = await startServerProcess(variables)
  server.signalGroup('SIGINT')
  server.signal('SIGINT')
  const { code, stderr } = await server.ended
  expect({ code, stderr, postmaster: await postmasterOf(dir) }).toEqual({ code: 0, stderr: '', postmaster: undefined })
})

test('SIGTERM during the start ends it, and PostgreSQL with it', async () => {
  const start = launchServer({ ...variables, LOG_LEVEL: 'info' })
  await waitFor(() => start.said().includes('PostgreSQL started'), 60_000)
  start.signal('SIGTERM')
  expect([(await start.ended).code, await postmasterOf(dir)]).toEqual([0, undefined])
})

/** A push whose headers and half its body have reached the server; the test sends the rest. */
async function beginPush(url: string, { token }: Account, entity_id: string) {
  const body = Buffer.from(JSON.stringify({ device_id: 'slow', changes: [change('messages', entity_id, { text: 'slow' })] }))
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length }
  const request = httpRequest(`${url}/api/v1/sync/push`, { method: 'POST', agent, headers: { ...headers, expect: '100-continue' } })
  const reply = new Promise<{ status: number | undefined; verdict: string }>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode, verdict: JSON.parse(text).verdicts?.[0]?.verdict ?? text })
    })
  })
  reply.catch(() => undefined)
  // The server answers `100 Continue` when it has read the headers.
  await new Promise((resolve, reject) => {
    request.once('continue', resolve).once('error', reject)
    request.flushHeaders()
  })
  request.write(body.subarray(0, 20))
  return {
    entity_id,
    finish: () => {
      request.end(body.subarray(20))
      return reply
    },
    abandon: () => void request.destroy(),
  }
}
