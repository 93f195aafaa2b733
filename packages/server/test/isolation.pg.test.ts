// Two users, every route, every field with an id, every id: neither ever sees or changes anything of the other.
import type { RouteId } from '@tandem/contract/http/schema'
import type { Sql, TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDatabaseUrl } from '../src/config/database-url.ts'
import { openDatabase } from '../src/database/database.ts'
import type { ContractRequest } from './support/contract-client.ts'
import { type IdField, idFields, withIdAt } from './support/id-fields.ts'
import { type Platform, platformNames, startPlatform } from './support/platforms.ts'
import { testDatabase } from './support/test-database.ts'
import { startTestUpstream, type TestUpstream } from './support/upstream.ts'
import { createUserWithData, type TestUserWithData, upload } from './support/user-with-data.ts'
import { validRequest } from './support/valid-request.ts'

const lists = ['users_devices_list', 'workflows_list', 'tasks_list', 'files_list', 'logs_list'] as const
const creating = ['workflows_create', 'tasks_create', 'files_upload', 'logs_report'] as const

describe.each(platformNames)('two users on %s', (name) => {
  let platform: Platform
  let upstream: TestUpstream
  let mara: TestUserWithData
  let otto: TestUserWithData
  /** Everything of Otto that has an id, by its kind. */
  let ids: Readonly<Record<string, string>>
  beforeAll(async () => {
    upstream = await startTestUpstream()
    platform = await startPlatform(name, {
      ...{ OPENAI_API_KEY: 'sk-of-a-test', OPENAI_BASE_URL: `${upstream.url}/v1`, OLLAMA_HOST: 'off' },
      ...{ ANTHROPIC_API_KEY: 'sk-ant-of-a-test', ANTHROPIC_BASE_URL: upstream.url },
    })
    mara = await createUserWithData(platform.url)
    otto = await createUserWithData(platform.url)
    ids = await idsOf(otto)
  })
  afterAll(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream.close()
  })

  /** A second of each, so that lists have a next page; a key for each creation; a model call. */
  async function idsOf(person: TestUserWithData): Promise<Record<string, string>> {
    const keys = Object.fromEntries(creating.map((id) => [`key of ${id}`, `key-${id}-${person.handle}`]))
    for (const id of creating) {
      const reply = await person.call(id, { ...validRequest(id, person), headers: { 'idempotency-key': keys[`key of ${id}`] ?? '' } })
      expect(reply.status).toBeLessThan(300)
    }
    const device = { device_id: `second-${person.handle}`, name: person.secret, platform: 'linux', app_version: '0.1.0' }
    await person.call('users_devices_register', { body: device })
    const call = { ...validRequest('llm_chat_completions', person), headers: { 'x-device-id': person.device_id } }
    expect((await person.call('llm_chat_completions', call)).status).toBe(200)
    const cursors: Record<string, string> = {}
    for (const id of lists) cursors[`cursor of ${id}`] = (await person.call(id, { query: { limit: '1' } })).body.next_cursor
    const pulled = await person.call('sync_pull', { query: { limit: '1' } })
    const { workflow_id, task_id, file_id, device_id, user_id, handle } = person
    const { cursor_ts, snapshot_ts } = pulled.body
    return { workflow_id, task_id, file_id, device_id, user_id, handle, cursor_ts, snapshot_ts, ...keys, ...cursors }
  }

  const places = idFields()

  test('the fields are those of the contract', () => {
    expect(places.length).toBeGreaterThan(40)
    expect(Object.values(ids).filter((id) => typeof id !== 'string' || id === '')).toEqual([])
  })

  test.each([...Map.groupBy(places, (place) => place.route)])(
    '%s with any id of the other user reads and changes nothing',
    async (route, all) => {
      const before = await belongings(otto)
      for (const place of all) {
        for (const [kind, value] of Object.entries(ids).filter(([one]) => fits(one, place))) {
          const where = `${place.part} ${place.path.join('.')}: ${kind}`
          const reply = await mara.call(route, withIdAt(validRequest(route, mara), place, value))
          expect([where, JSON.stringify(reply.body ?? '').includes(otto.secret)]).toEqual([where, false])
          expect([where, reply.status === 500 || reply.status === 429]).toEqual([where, false])
        }
      }
      expect(await belongings(otto)).toEqual(before)
    },
  )

  /** A cursor is used for cursors, a key for keys, and every id anywhere else. */
  function fits(kind: string, { path }: IdField): boolean {
    const name = String(path.at(-1))
    if (/^cursor|_ts$/.test(kind)) return /^cursor|_ts$/.test(name)
    if (kind.startsWith('key')) return name === 'idempotency-key'
    return true
  }

  test('all fields of a request at once, each with a matching id', async () => {
    const before = await belongings(otto)
    for (const [route, all] of Map.groupBy(places, (place) => place.route)) {
      const visit = all.reduce((one, place) => withIdAt(one, place, rightFor(route, String(place.path.at(-1)))), validRequest(route, mara))
      const reply = await mara.call(route, visit)
      expect([route, JSON.stringify(reply.body ?? '').includes(otto.secret)]).toEqual([route, false])
      expect([route, reply.status === 500 || reply.status === 429]).toEqual([route, false])
    }
    expect(await belongings(otto)).toEqual(before)
  })

  function rightFor(route: RouteId, name: string): string {
    const own = { id: ownId(route), agent_id: ids.handle, run_id: ids.handle, avatar_file_id: ids.file_id, 'x-device-id': ids.device_id }
    const special = { cursor: ids[`cursor of ${route}`], 'idempotency-key': ids[`key of ${route}`] }
    return { ...ids, ...own, ...special }[name] ?? ids.handle ?? ''
  }

  function ownId(route: RouteId): string | undefined {
    const kind = /^(workflow|task|file)s_/.exec(route)?.[1]
    return kind === undefined ? ids.device_id : ids[`${kind}_id`]
  }

  test('an idempotency key belongs to its user', async () => {
    const guest = await createUserWithData(platform.url)
    for (const id of creating) {
      const headers = { 'idempotency-key': ids[`key of ${id}`] ?? '' }
      const body: ContractRequest = id === 'files_upload' ? { raw: upload('of a guest', 'x') } : validRequest(id, guest)
      const reply = await guest.call(id, { ...body, headers })
      expect([id, reply.status < 300, JSON.stringify(reply.body).includes(otto.secret)]).toEqual([id, true, false])
    }
  })

  /** Everything that users can read of their own. */
  async function belongings(person: TestUserWithData): Promise<unknown[]> {
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
      await person.call('llm_usage'),
    ]
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
    return replies.map((reply) => reply.body)
  }
})

test('as tandem_app without a user, every table with rows shows none or denies access', async () => {
  await using platform = await startPlatform('postgres')
  await createUserWithData(platform.url)
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
      ...{ 'tandem.api_keys': shut, 'tandem.credentials': shut, 'tandem.email_directory': shut, 'tandem.sessions': shut },
    })
    expect(Object.keys(seen).length).toBeGreaterThan(8)
  } finally {
    await database.close()
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

/** Every table whose rows belong to a user. */
async function tablesOfUsers(owner: Sql): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'tandem' and c.relkind = 'r' and exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped)`
  return rows.map((row) => row.name)
}
