// A real primary with a real standby that is promoted.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { change } from '../../test/support/test-change.ts'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { updateEpoch } from '../database/epoch.ts'
import { watchEpoch } from '../database/epoch-watch.ts'
import { migrate, readMigrations } from '../database/migrate.ts'
import { pushDevices } from '../device/store.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'

let primary: TestCluster
let standby: TestCluster
let before: Database
let after: Database

beforeAll(async () => {
  primary = await startTestCluster()
  standby = await primary.standby()
  before = await openDatabase({ address: primary.address, password: primary.password, max_connections: 2 }, () => undefined)
  after = await openDatabase({ address: standby.address, password: standby.password, max_connections: 2 }, () => undefined)
  await migrate(before.owner, await readMigrations())
})
afterAll(async () => {
  await before.close()
  await after.close()
  await primary[Symbol.asyncDispose]()
})

const userId = randomUUID()
const hub = { sockets: 0, tell: () => undefined, endSessions: () => undefined }

async function pushTo(database: Database): Promise<string> {
  const ports = { database, hub, now: () => Date.now(), devices: pushDevices, max_record_bytes: 1_000_000_000 }
  return JSON.parse(await push(ports, userId, { device_id: 'laptop', changes: [change()] })).epoch
}

async function pullFrom(database: Database): Promise<string> {
  return JSON.parse(String(await pull({ database }, userId, {}))).epoch
}

test('each reply names the history of its rows, even while the old primary still answers', async () => {
  const { epoch: first } = await updateEpoch(before.owner)
  expect([await pushTo(before), await pullFrom(before)]).toEqual([first, first])
  await waitFor(async () => (await standby.admin((sql) => sql`select 1 from tandem.sync_heads`).catch(() => [])).length === 1)

  await standby.promote()
  const lines: string[] = []
  const watch = await watchEpoch(after, (line) => lines.push(line))
  const second = watch.current
  await watch.close()
  expect(second.split('.')[0]).not.toBe(first.split('.')[0])
  expect(second.split('.').at(-1)).toBe('2')
  expect(lines).toEqual([`the database was promoted or restored; the epoch is now ${second}, and devices will send their changes again`])

  expect([await pushTo(after), await pullFrom(after)]).toEqual([second, second])
  expect([await pushTo(before), await pullFrom(before)]).toEqual([first, first])
  expect([(await updateEpoch(before.owner)).epoch, (await updateEpoch(after.owner)).epoch]).toEqual([first, second])
})
