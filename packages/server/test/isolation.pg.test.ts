// Two people, every route, every id: neither ever sees or changes anything of the other's.
import { type RouteId, routes } from '@tandem/contract/http/schema'
import fc from 'fast-check'
import type { Sql, TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDatabaseUrl } from '../src/config/database-url.ts'
import { openDatabase } from '../src/database/database.ts'
import { testDatabase } from '../src/database/test-database.ts'
import { type Platform, startPlatform } from './platforms.ts'
import { change, moveIn, type Resident, upload } from './resident.ts'
import type { Visit } from './visitor.ts'

describe('two people', () => {
  let platform: Platform
  let mara: Resident
  let otto: Resident
  beforeAll(async () => {
    platform = await startPlatform('postgres')
    mara = await moveIn(platform.url)
    otto = await moveIn(platform.url)
  }, 60_000)
  afterAll(async () => platform[Symbol.asyncDispose]())

  /** Requests in which every place that takes an id takes any of the ids there are. */
  const requests = (ids: Resident): fc.Arbitrary<[RouteId, Visit]> => {
    const id = fc.constantFrom(ids.workflow_id, ids.task_id, ids.file_id, ids.device_id, ids.user_id)
    const of = (route: RouteId, visit: fc.Arbitrary<Visit>) => visit.map((one): [RouteId, Visit] => [route, one])
    const params = id.map((one) => ({ params: { id: one } }))
    return fc.oneof(
      of('workflows_get', params),
      of(
        'workflows_update',
        params.map((one) => ({ ...one, body: { ...routes.workflows_create.examples.body, name: 'taken over' } })),
      ),
      of('workflows_delete', params),
      of('tasks_get', params),
      of(
        'tasks_update_status',
        fc.tuple(params, id).map(([one, device_id]) => ({ ...one, body: { status: 'running', device_id } })),
      ),
      of(
        'tasks_create',
        fc.tuple(id, id).map(([workflow_id, device_id]) => ({ body: { title: 'mine', workflow_id, device_id } })),
      ),
      of('files_get', params),
      of('files_delete', params),
      of('users_devices_get', params),
      of('users_devices_delete', params),
      of(
        'tasks_list',
        id.map((device_id) => ({ query: { device_id } })),
      ),
      of(
        'logs_list',
        id.map((device_id) => ({ query: { device_id } })),
      ),
      of(
        'sync_pull',
        id.map((device_id) => ({ query: { device_id } })),
      ),
      of(
        'sync_push',
        id.map((device_id) => ({ body: { device_id, changes: [change('agents', ids.handle, { name: 'taken over' })] } })),
      ),
      of(
        'device_heartbeat',
        id.map((device_id) => ({ body: { ...routes.device_heartbeat.examples.body, device_id } })),
      ),
      of(
        'logs_report',
        id.map((device_id) => ({ body: { records: [{ ...routes.logs_report.examples.body.records[0], device_id }] } })),
      ),
      of(
        'files_upload',
        id.map((key) => ({ raw: upload('x', 'x'), headers: { 'idempotency-key': `key-${key}` } })),
      ),
      of(
        'users_profile_update',
        id.map((avatar_file_id) => ({ body: { ...routes.users_profile_update.examples.body, avatar_file_id } })),
      ),
    )
  }

  test('swapping any id never shows or changes what is foreign', async () => {
    const before = await belongings(otto)
    await fc.assert(
      fc.asyncProperty(requests(otto), async ([route, visit]) => {
        const reply = await mara.call(route, visit)
        expect(JSON.stringify(reply.body ?? '')).not.toContain(otto.secret)
        expect(reply.status).not.toBe(500)
      }),
      { numRuns: 150 },
    )
    expect(await belongings(otto)).toEqual(before)
  })

  test('as tandem_app without a user every table that holds something shows nothing or is shut', async () => {
    const parsed = parseDatabaseUrl(platform.env.BAAS_URL ?? '')
    if (!parsed.ok) throw new Error('the platform has an address')
    const database = await openDatabase({ address: parsed.address, password: platform.env.BAAS_KEY ?? '' }, () => undefined)
    try {
      const { owner } = database
      const tables = await tablesOfUsers(owner)
      const count = async (sql: Sql | TransactionSql, name: string) => Number((await sql`select count(*) from ${sql(name)}`)[0]?.count)
      const seen: Record<string, unknown> = {}
      for (const name of tables) {
        if ((await count(owner, name)) === 0) continue
        seen[name] = await owner
          .begin(async (sql) => {
            await sql`set local role tandem_app`
            return await count(sql, name)
          })
          .catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error))
      }
      const shut = '42501'
      expect(seen).toEqual({
        ...Object.fromEntries(Object.keys(seen).map((name) => [name, 0])),
        ...{ 'tandem.credentials': shut, 'tandem.email_directory': shut, 'tandem.sessions': shut },
      })
      expect(Object.keys(seen).length).toBeGreaterThan(8)
    } finally {
      await database.close()
    }
  })

  /** Everything a person can read of their own. */
  async function belongings(person: Resident): Promise<unknown[]> {
    const id = {
      task: { id: person.task_id },
      workflow: { id: person.workflow_id },
      file: { id: person.file_id },
      device: { id: person.device_id },
    }
    const replies = [
      await person.call('users_profile_get'),
      await person.call('workflows_get', { params: id.workflow }),
      await person.call('workflows_list'),
      await person.call('tasks_get', { params: id.task }),
      await person.call('tasks_list'),
      await person.call('files_get', { params: id.file }),
      await person.call('files_list'),
      await person.call('users_devices_list'),
      await person.call('logs_list'),
      await person.call('sync_pull'),
    ]
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
    return replies.map((reply) => reply.body)
  }
})

test('a statement without its user sees no row of any table', async () => {
  await using test = await testDatabase()
  const { database } = test
  const tables = await tablesOfUsers(database.owner)
  expect(tables.length).toBeGreaterThan(8)
  const unguarded = await database.owner`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tandem' and c.relkind = 'r' and c.oid::regclass::text = any(${tables}::text[])
      and not (c.relrowsecurity and c.relforcerowsecurity)`
  expect(unguarded.map((row) => row.name)).toEqual([])
  const keys = await database.owner<{ name: string; first: string }[]>`
    select i.indrelid::regclass::text as name, a.attname as first from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indisprimary and i.indrelid::regclass::text = any(${tables}::text[])`
  expect(keys.filter((key) => key.first !== 'user_id').map((key) => key.name)).toEqual(
    ['tandem.email_directory'].filter((name) => keys.some((key) => key.name === name)),
  )
})

/** Every table whose rows belong to somebody. */
async function tablesOfUsers(owner: Sql): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tandem' and c.relkind = 'r' and exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped)`
  return rows.map((row) => row.name)
}
