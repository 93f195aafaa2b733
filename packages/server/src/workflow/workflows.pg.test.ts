import { routes } from '@tandem/contract/http/schema'
import type { Workflow } from '@tandem/contract/workflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { lockWorkflow, replaceWorkflow } from './store.ts'

const { body } = routes.workflows_create.examples

let clock = Date.parse('2026-09-21T07:40:12.345Z')
let backend: TestApp
let mara: TestUser
let noor: TestUser

beforeAll(async () => {
  backend = await testApp({ now: () => clock })
  mara = await backend.user()
  noor = await backend.user()
})
afterAll(() => backend.close())

function ask(
  user: TestUser,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const url = `/api/v1/workflows${path}`
  return backend.app.inject({ method, url, headers: { ...user.headers, ...headers }, ...(payload ? { payload } : {}) })
}

async function create(user: TestUser, changes: object = {}): Promise<Workflow> {
  const reply = await ask(user, 'POST', '', { ...body, ...changes })
  expect(reply.statusCode).toBe(201)
  return reply.json<Workflow>()
}

test('a workflow is stored as sent, and returned with its version as ETag', async () => {
  const reply = await ask(mara, 'POST', '', body)
  const made = reply.json<Workflow>()
  const at = '2026-09-21T07:40:12.345Z'
  expect([reply.statusCode, reply.headers.etag, reply.headers.location]).toEqual([201, '"1"', `/api/v1/workflows/${made.id}`])
  expect(made).toEqual({ id: made.id, ...body, version: 1, created_at: at, updated_at: at })
  const read = await ask(mara, 'GET', `/${made.id}`)
  expect([read.statusCode, read.headers.etag, read.json()]).toEqual([200, '"1"', made])
})

test('an update requires the current version; of two at once, one is refused with the current version', async () => {
  const { id } = await create(mara)
  const update = (name: string, version: string) => ask(mara, 'PUT', `/${id}`, { ...body, name }, { 'if-match': version })
  const replies = await Promise.all([update('one', '"1"'), update('two', '"1"')])
  const won = replies.find((reply) => reply.statusCode === 200)
  const lost = replies.find((reply) => reply.statusCode === 412)
  expect([won?.headers.etag, won?.json().version]).toEqual(['"2"', 2])
  expect(lost?.json()).toMatchObject({ code: 'version_conflict', current_version: 2 })

  expect((await update('three', '*')).json().version).toBe(3)
  expect((await update('four', '"9999999999999999"')).statusCode).toBe(412)
  expect((await ask(mara, 'PUT', `/${id}`, { ...body, name: 'five' })).json()).toMatchObject({ name: 'five', version: 4 })
  expect((await update('six', 'four')).json()).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/headers/if-match' }] })
})

test('the second update waits for the first, and gets its version', async () => {
  const { database } = backend.services
  const made = await create(mara)
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = database.asUser(mara.user_id, async (sql) => {
    await lockWorkflow(sql, mara.user_id, made.id)
    locked.resolve()
    await release.promise
    await replaceWorkflow(sql, mara.user_id, { ...made, name: 'first', version: 2 })
  })
  await locked.promise
  const second = ask(mara, 'PUT', `/${made.id}`, { ...body, name: 'second' }, { 'if-match': '"1"' })
  const waiting = () => database.owner`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting()).length).toBe(1)
  release.resolve()
  await first
  expect((await second).json()).toMatchObject({ code: 'version_conflict', current_version: 2 })
  expect((await ask(mara, 'GET', `/${made.id}`)).json()).toEqual({ ...made, name: 'first', version: 2 })
})

test('an update replaces everything: an omitted description is removed; the time never goes back', async () => {
  const made = await create(mara)
  clock -= 60_000
  const { description: _, ...plain } = body
  const updated = (await ask(mara, 'PUT', `/${made.id}`, plain)).json<Workflow>()
  clock += 60_000
  expect(updated).toEqual({ id: made.id, ...plain, version: 2, created_at: made.created_at, updated_at: made.updated_at })
  expect((await ask(mara, 'GET', `/${made.id}`)).json()).toEqual(updated)
})

test('all inconsistent parts are reported, with pointers into the body', async () => {
  const broken = {
    ...body.definition,
    edges: [
      { from: 'find', to: 'nowhere' },
      { from: 'find', to: 'find' },
    ],
  }
  for (const reply of [
    await ask(mara, 'POST', '', { ...body, definition: broken }),
    await ask(mara, 'PUT', `/${(await create(mara)).id}`, { ...body, definition: broken }),
  ]) {
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({
      code: 'invalid_workflow',
      errors: [
        { pointer: '/definition/edges/0/to', message: 'there is no node nowhere' },
        { pointer: '/definition/edges', message: expect.stringContaining('must not contain a cycle') },
        { pointer: '/definition/nodes/1/prompt', message: '{{nodes.find.output}}: find has not ended at this point' },
        { pointer: '/definition/nodes/2/message', message: '{{nodes.summarize.output}}: summarize has not ended at this point' },
      ],
    })
  }
})

test('delete returns 204 without a body, then 404; with the wrong version it is refused', async () => {
  const { id } = await create(mara)
  expect((await ask(mara, 'DELETE', `/${id}`, undefined, { 'if-match': '"7"' })).json()).toMatchObject({
    code: 'version_conflict',
    current_version: 1,
  })
  const gone = await ask(mara, 'DELETE', `/${id}`, undefined, { 'if-match': '"1"' })
  expect([gone.statusCode, gone.body]).toEqual([204, ''])
  expect((await ask(mara, 'DELETE', `/${id}`)).statusCode).toBe(404)
  expect((await ask(mara, 'GET', `/${id}`)).json()).toMatchObject({ code: 'not_found', detail: `there is no workflow ${id}` })
})

test("another user's workflow is not found, by any route", async () => {
  const made = await create(mara)
  const replies = [
    await ask(noor, 'GET', `/${made.id}`),
    await ask(noor, 'PUT', `/${made.id}`, body),
    await ask(noor, 'PUT', `/${made.id}`, body, { 'if-match': '"1"' }),
    await ask(noor, 'DELETE', `/${made.id}`),
  ]
  expect(replies.map((reply) => reply.statusCode)).toEqual([404, 404, 404, 404])
  expect((await ask(noor, 'GET', '')).json()).toEqual({ items: [], next_cursor: null })
  expect((await ask(mara, 'GET', `/${made.id}`)).json()).toEqual(made)
})

test('the list is sorted by last change, without definitions; q searches name and description, updated_since is inclusive', async () => {
  const user = await backend.user()
  const plain = { definition: body.definition }
  const names = ['100% done', 'a_b', 'back\\slash', 'Ünïcödé Ωmega', 'plain']
  for (const name of names) {
    clock += 1_000
    await create(user, { name, description: `about ${name.length} things` })
  }
  const list = async (query: string) => (await ask(user, 'GET', `?${query}`)).json<{ items: Workflow[] }>().items.map(({ name }) => name)
  expect(await list('')).toEqual(names.toReversed())
  const searches = ['%', '_', '\\', 'ÜNÏCÖDÉ ω', 'ABOUT 5', "'; drop table tandem.workflows; --"]
  expect(await Promise.all(searches.map((q) => list(new URLSearchParams({ q }).toString())))).toEqual([
    ['100% done'],
    ['a_b'],
    ['back\\slash'],
    ['Ünïcödé Ωmega'],
    ['plain'],
    [],
  ])
  expect(await list(`updated_since=${new Date(clock - 1_000).toISOString()}`)).toEqual(['plain', 'Ünïcödé Ωmega'])
  const [first] = (await ask(user, 'GET', '?limit=1')).json().items
  const at = new Date(clock).toISOString()
  expect(first).toEqual({
    id: first.id,
    name: 'plain',
    description: 'about 5 things',
    node_count: plain.definition.nodes.length,
    version: 1,
    created_at: at,
    updated_at: at,
  })
})

test('values that cannot be stored or queried are refused with their pointer', async () => {
  const pointers = async (reply: ReturnType<typeof ask>) => (await reply).json().errors?.map(({ pointer }: { pointer: string }) => pointer)
  expect(await pointers(ask(mara, 'POST', '', { ...body, name: 'a\0b', description: '\0' }))).toEqual(['/name', '/description'])
  expect(await pointers(ask(mara, 'GET', '?q=%00'))).toEqual(['/query/q'])
  expect(await pointers(ask(mara, 'GET', '?updated_since=2026-02-30T00:00:00.000Z'))).toEqual(['/query/updated_since'])
  const cursors = [
    'x',
    Buffer.from('["now","1"]').toString('base64url'),
    Buffer.from('["2026-09-21T07:40:12.345Z"]').toString('base64url'),
    '%00',
  ]
  for (const cursor of cursors) expect(await pointers(ask(mara, 'GET', `?cursor=${cursor}`))).toEqual(['/query/cursor'])
  expect(await pointers(ask(mara, 'GET', '/not-an-id'))).toEqual(['/params/id'])
})

test('a definition may contain what PostgreSQL can store only as text', async () => {
  const nodes = [{ id: 'say', kind: 'agent' as const, prompt: 'nul \0, \u{1f600}, __proto__' }]
  const made = await create(mara, { definition: { inputs: [], nodes, edges: [] } })
  expect((await ask(mara, 'GET', `/${made.id}`)).json<Workflow>().definition.nodes).toEqual(nodes)
})

test('a lone surrogate in a definition is refused with its pointer', async () => {
  const nodes = [{ id: 'say', kind: 'agent' as const, prompt: 'lone \ud800' }]
  const reply = await ask(mara, 'POST', '', { name: 'Broken', definition: { inputs: [], nodes, edges: [] } })
  expect([reply.statusCode, reply.json().errors[0].pointer]).toEqual([400, '/definition/nodes/0/prompt'])
})
