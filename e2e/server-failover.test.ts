// An asynchronous standby is promoted under load, with two nodes behind a balancer that alternates between them.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { agentNamed } from '../packages/runtime/test/support/sync/test-device.ts'
import { startTestCluster, type TestCluster } from '../packages/server/test/support/test-cluster.ts'
import { startTestRedis, type TestRedis } from '../packages/server/test/support/test-redis.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { newUser } from './cloud-server.ts'
import { openNetworkProxy } from './network-proxy.ts'
import { balance } from './server-balancer.ts'
import { endServers, startServerProcess } from './server-process.ts'
import { openSyncDevice, type SyncDevice } from './sync-device.ts'

let folder: string
let redis: TestRedis
let primary: TestCluster
let standby: TestCluster

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-failover-'))
  redis = await startTestRedis()
  primary = await startTestCluster()
  standby = await primary.standby()
})
afterEach(endServers)
afterAll(async () => {
  await redis.stop()
  await primary[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('every acknowledged change is there after the failover, and then no more changes are sent', async () => {
  await using way = await openNetworkProxy(`http://127.0.0.1:${primary.address.port}`)
  const variables = {
    ENV: 'production',
    HOST: '127.0.0.1',
    BAAS_URL: `postgres://tandem@127.0.0.1:${new URL(way.url).port}/postgres?sslmode=disable`,
    BAAS_KEY: primary.password,
    BAAS_JWT_SECRET: randomBytes(32).toString('hex'),
    CACHE_URL: redis.url,
    STORAGE_URL: `file:${folder}`,
  }
  const left = await startServerProcess(variables)
  const right = await startServerProcess(variables)
  await using balancer = await balance([left.url, right.url])
  await using one = openSyncDevice('one')
  await using two = openSyncDevice('two')
  const person = newUser()
  expect(await one.account.signIn({ cloud_url: balancer.url, ...person, account: 'new' })).toMatchObject({ ok: true })
  expect(await two.account.signIn({ cloud_url: balancer.url, ...person, account: 'known' })).toMatchObject({ ok: true })

  const written: string[] = []
  const write = (device: SyncDevice, name: string) => {
    device.records.put('agents', name, agentNamed(name))
    written.push(name)
  }
  const sent = () => one.sync.status().pending_changes + two.sync.status().pending_changes === 0
  for (let count = 0; count < 20; count += 1) write(count % 2 === 0 ? one : two, `replicated-${count}`)
  await waitFor(sent, 40_000)
  await waitFor(async () => (await stored(standby)).length === 20, 40_000)

  // Acknowledged by the primary only.
  await standby.stopStreaming()
  for (let count = 0; count < 20; count += 1) write(count % 2 === 0 ? one : two, `only-on-the-primary-${count}`)
  await waitFor(sent, 40_000)
  expect([(await stored(primary)).length, (await stored(standby)).length]).toEqual([40, 20])

  // The load continues while the primary dies and the standby takes over.
  let running = true
  const load = (async () => {
    for (let count = 0; running; count += 1) {
      write(count % 2 === 0 ? one : two, `during-${count}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  way.cut()
  await primary.kill()
  await standby.promote()
  way.setTarget(`http://127.0.0.1:${standby.address.port}`)
  way.restore()
  await waitFor(() => areReady(balancer.url), 60_000)
  running = false
  await load

  await waitFor(async () => (await stored(standby)).length === written.length, 90_000)
  expect(await stored(standby)).toEqual(written.toSorted())
  await waitFor(() => [one, two].every(({ sync }) => sync.status().text === 'up to date'), 60_000)
  await settle(one, two)

  // One node restarts, as after a repair: both still serve one epoch.
  await left[Symbol.asyncDispose]()
  const again = await startServerProcess(variables)
  balancer.aim([again.url, right.url])
  const pushes = balancer.count('/sync/push')
  await settle(one, two)
  expect(balancer.count('/sync/push')).toBe(pushes)
  expect([one, two].map(({ sync }) => [sync.status().text, sync.quarantine()])).toEqual([
    ['up to date', []],
    ['up to date', []],
  ])
  expect([one, two].map(({ records }) => records.list('agents').length)).toEqual([written.length, written.length])
  // Renewed once, by the node that found out first.
  expect([left, right, again].flatMap((node) => node.output().match(/the database was promoted or restored/g) ?? [])).toHaveLength(1)
})

/** Sync rounds of both devices, enough that each node answers each of them. */
async function settle(...devices: SyncDevice[]): Promise<void> {
  for (let count = 0; count < 4; count += 1) for (const device of devices) await device.sync.now()
}

async function stored(cluster: TestCluster): Promise<string[]> {
  const rows = await cluster.admin(
    (sql) => sql<{ id: string }[]>`
    select entity_id as id from tandem.sync_entities where entity_type = 'agents' order by entity_id collate "C"`,
  )
  return rows.map(({ id }) => id)
}

/** One request per node. */
async function areReady(url: string): Promise<boolean> {
  const replies = await Promise.all([1, 2].map(async () => (await fetch(`${url}/ready`)).ok)).catch(() => [false])
  return replies.every((ready) => ready)
}
