// PostgreSQL's own disk is full, including the WAL. The server keeps running, reports it, and loses nothing that it acknowledged.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive, readPostmasterFile } from '../packages/server/src/database/postmaster.ts'
import { callRoute, type Reply } from '../packages/server/test/support/contract-client.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'
import { openAccount } from './server-load.ts'
import { endServers, launcher, startServerProcess } from './server-process.ts'

let folder: string
/** Where PostgreSQL writes its postmaster file while its server runs. */
let cluster: string | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-disk-'))
})
afterEach(async () => {
  const postmaster = cluster === undefined ? undefined : await readPostmasterFile(cluster)
  if (postmaster && isAlive(postmaster.pid)) process.kill(postmaster.pid, 'SIGINT')
  await endServers()
  await rm(folder, { recursive: true, force: true })
})

const MiB = 1024 * 1024

test('embedded PostgreSQL on a full disk: 503, nothing acknowledged is lost, and it continues when there is space', async () => {
  // A private mount that ends with the server; user namespaces let any user create one. Deleting the ballast frees space.
  const room = `mount -t tmpfs -o size=160m tmpfs "$0" && head -c ${40 * MiB} /dev/zero > "$0/ballast" && exec "$@"`
  const inSmallRoom = launcher('unshare', '-Urm', 'sh', '-c', room, folder, process.execPath)
  const server = await startServerProcess({ BAAS_URL: `embedded:${join(folder, 'data')}`, LOG_LEVEL: 'warn' }, inSmallRoom)
  cluster = join(`/proc/${server.pid}/root`, folder, 'data', 'postgres')
  expect(await readPostmasterFile(cluster)).toBeDefined()
  const { token } = await openAccount(server.url)
  let pushes = 0
  const acknowledged: string[] = []
  const push = async (): Promise<Reply> => {
    pushes += 1
    const ids = Array.from({ length: 15 }, (_, n) => `fact-${pushes}-${n}`)
    // Random, so that neither PostgreSQL nor the disk can compress it.
    const text = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')
    const changes = ids.map((id) => change('messages', id, { text: text() }))
    const reply = await callRoute(server.url, 'sync_push', { token, body: { device_id: 'laptop', changes } })
    if (reply.status === 200) acknowledged.push(...ids)
    return reply
  }

  const refusals: Reply[] = []
  for (let round = 0; round < 300 && refusals.length < 3; round += 1) {
    const reply = await push()
    if (reply.status !== 200) refusals.push(reply)
  }
  expect(refusals).toHaveLength(3)
  expect(acknowledged.length).toBeGreaterThan(50)
  for (const { status, problem, headers } of refusals) {
    expect([status, problem?.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '2'])
  }

  await rm(join(`/proc/${server.pid}/root`, folder, 'ballast'))
  await waitFor(async () => (await push()).status === 200, 60_000)
  const held = new Set<string>()
  let next: Readonly<Record<string, string>> = {}
  for (let more = true; more; ) {
    const page = await callRoute(server.url, 'sync_pull', { token, query: { limit: '500', ...next } })
    expect(page.status).toBe(200)
    for (const { entity_id } of page.body.changes) held.add(entity_id)
    next = { cursor_ts: page.body.cursor_ts, ...(page.body.snapshot_ts === undefined ? {} : { snapshot_ts: page.body.snapshot_ts }) }
    more = page.body.has_more
  }
  expect(acknowledged.filter((id) => !held.has(id))).toEqual([])
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
