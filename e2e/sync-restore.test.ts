// A server whose database was restored from a backup: devices have newer data, and push it again.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'
import { agentNamed } from '../packages/runtime/test/support/sync/test-device.ts'
import { asAdministrator } from '../packages/server/test/support/test-database.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { newUser } from './cloud-server.ts'
import { openNetworkProxy } from './network-proxy.ts'
import { emptyDatabase } from './server-database.ts'
import { endServers, startServerProcess } from './server-process.ts'
import { openSyncDevice } from './sync-device.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
let backup: string | undefined

afterEach(endServers)
afterAll(async () => {
  if (backup !== undefined) await asAdministrator((sql) => sql`drop database if exists ${sql(String(backup))} with (force)`)
})

test('changes after the backup are restored, deletions stay, and sync settles', async () => {
  await using database = await emptyDatabase()
  const secret = randomBytes(48).toString('base64url')
  const variables = { BAAS_URL: database.url, BAAS_KEY: database.password, BAAS_JWT_SECRET: secret, LOG_LEVEL: 'warn' }
  let server = await startServerProcess(variables)
  await using wire = await openNetworkProxy(server.url)
  await using one = openSyncDevice('one')
  await using two = openSyncDevice('two')
  const person = newUser()
  for (const [device, account] of [
    [one, 'new'],
    [two, 'known'],
  ] as const) {
    expect(await device.account.signIn({ cloud_url: wire.url, ...person, account })).toMatchObject({ ok: true })
  }
  for (const id of ['before', 'deleted']) one.records.put('agents', id, agentNamed(id))
  await waitFor(() => two.records.list('agents').length === 2, 40_000)

  const name = new URL(database.url).pathname.slice(1)
  backup = `${name}_backup`
  await server[Symbol.asyncDispose]()
  await asAdministrator((sql) => sql`create database ${sql(String(backup))} template ${sql(name)}`)
  server = await startServerProcess(variables)
  wire.setTarget(server.url)

  one.records.put('agents', 'after', agentNamed('after'))
  one.records.remove('agents', 'deleted')
  await one.sync.now()
  await two.sync.now()
  await waitFor(() => two.records.get('agents', 'after') !== undefined && two.records.get('agents', 'deleted') === undefined, 40_000)

  await server[Symbol.asyncDispose]()
  const restored = { ...variables, BAAS_URL: database.url.replace(name, String(backup)) }
  const renewed = spawnSync(process.execPath, [bin, 'renew-epoch'], { encoding: 'utf8', env: { ...process.env, ...restored } })
  expect([renewed.status, renewed.stderr]).toEqual([0, ''])
  server = await startServerProcess(restored)
  wire.setTarget(server.url)

  const names = () => [one, two].map(({ records }) => records.list('agents').map(({ entity_id }) => entity_id))
  const expected = [
    ['after', 'before'],
    ['after', 'before'],
  ]
  // A sync round in progress while the server was down counts as failed.
  await waitFor(async () => {
    for (const device of [two, one, two, one]) await device.sync.now()
    const isDone = [one, two].every(({ sync }) => sync.status().text === 'up to date')
    return isDone && JSON.stringify(names()) === JSON.stringify(expected)
  }, 40_000).catch(() => undefined)
  expect(names()).toEqual(expected)
  expect([one, two].map(({ sync }) => [sync.status().text, sync.quarantine()])).toEqual([
    ['up to date', []],
    ['up to date', []],
  ])
  await using third = openSyncDevice('third')
  expect(await third.account.signIn({ cloud_url: wire.url, ...person, account: 'known' })).toMatchObject({ ok: true })
  await third.sync.now()
  expect(third.records.list('agents').map(({ entity_id }) => entity_id)).toEqual(['after', 'before'])
  await server[Symbol.asyncDispose]()
})
