// An owner that is not a superuser: allowed to create roles, or granted both by an administrator.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { type ProbeNames, probeDatabase, probeRoles } from './probe.ts'

const names: ProbeNames = { url: 'BAAS_URL', password: 'BAAS_KEY' }
const userId = '0f4b0c3e-1f5d-4b52-9f0a-3f1f2f3f4f5f'
const notUsable = { code: 'refused', cause: 'has a user that cannot act as tandem_app and tandem_accounts' }
let cluster: TestCluster
const asRoot = (statements: string, database?: string) => cluster.admin((sql) => sql.unsafe(statements).simple(), database)

beforeAll(async () => {
  cluster = await startTestCluster()
})
afterAll(() => cluster[Symbol.asyncDispose]())
beforeEach(() => async () => {
  await asRoot('drop database homes')
  await asRoot('drop owned by landlord; drop role landlord; drop role if exists tandem_app; drop role if exists tandem_accounts')
})

test('an owner with CREATEROLE can use both roles it creates', async () => {
  await asRoot(`create role landlord login createrole password 'landlord'`)
  await using home = await openHome()
  expect(await probeDatabase(home.target, names)).toBe(undefined)
  expect(await migrate(home.database.owner, await readMigrations())).toMatchObject({ ok: true })
  expect(await probeRoles(home.database, names)).toBe(undefined)
  expect(await usersSeen(home.database)).toEqual([])
})

test('roles granted without the right to use them are reported at startup, and by every ping', async () => {
  await asRoot(`create role landlord login password 'landlord'; create role tandem_app nologin; create role tandem_accounts nologin;
    grant tandem_app, tandem_accounts to landlord`)
  await using home = await openHome()
  expect(await probeDatabase(home.target, names)).toBe(undefined)
  expect(await migrate(home.database.owner, await readMigrations())).toMatchObject({ ok: true })
  await home.database.ping()

  await asRoot('grant tandem_accounts to landlord with set false')
  await using later = await openHome('exists')
  expect(await probeDatabase(later.target, names)).toMatchObject(notUsable)
  expect(await probeRoles(later.database, names)).toMatchObject(notUsable)
  await expect(later.database.ping()).rejects.toMatchObject({ code: '42501' })
})

test('a database is not ready if a role cannot read its table', async () => {
  await asRoot(`create role landlord login createrole password 'landlord'`)
  await using home = await openHome()
  await migrate(home.database.owner, await readMigrations())
  await home.database.ping()
  await asRoot('revoke select on tandem.sessions from tandem_accounts', 'homes')
  await expect(home.database.ping()).rejects.toMatchObject({ code: '42501' })
})

async function openHome(state: 'new' | 'exists' = 'new') {
  if (state === 'new') await asRoot('create database homes owner landlord')
  const target = { address: { ...cluster.address, user: 'landlord', database: 'homes' }, password: 'landlord' }
  const database = await openDatabase(target, () => undefined)
  return { target, database, [Symbol.asyncDispose]: () => database.close() }
}

async function usersSeen(database: Database): Promise<unknown[]> {
  return database.asUser(userId, async (sql) => [...(await sql`select user_id from tandem.users`)])
}
