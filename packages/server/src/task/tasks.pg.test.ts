import { routes } from '@tandem/contract/http/schema'
import { type Task, type TaskState, type TaskStatusUpdate, type TaskSummary, taskStates, type taskTriggerTo } from '@tandem/contract/task'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import type { Database } from '../database/database.ts'
import { ensureDevice } from '../device/store.ts'
import { newId } from '../http/id.ts'
import { statesAfter } from './status.ts'
import { lockTask, writeStatus } from './store.ts'

let backend: TestApp
let mara: TestUser
let noor: TestUser

beforeAll(async () => {
  backend = await testApp()
  mara = await withDevices('laptop', 'phone')
  noor = await withDevices('noor-laptop')
})
afterAll(() => backend.close())

async function withDevices(...devices: string[]): Promise<TestUser> {
  const user = await backend.user()
  for (const device of devices) await backend.services.database.asUser(user.user_id, (sql) => ensureDevice(sql, user.user_id, device))
  return user
}

function ask(user: TestUser, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object, headers: Record<string, string> = {}) {
  const url = `/api/v1/tasks${path}`
  return backend.app.inject({ method, url, headers: { ...user.headers, ...headers }, ...(payload ? { payload } : {}) })
}

async function create(user: TestUser, body: object = {}): Promise<Task> {
  const reply = await ask(user, 'POST', '', { title: 'Weekly report', ...body })
  expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
  return reply.json<Task>()
}

const setStatus = (user: TestUser, id: string, update: TaskStatusUpdate, headers: Record<string, string> = {}) =>
  ask(user, 'PUT', `/${id}/status`, update, headers)

const updates = {
  running: { status: 'running' },
  completed: { status: 'completed', result: '{"rows":3}' },
  failed: { status: 'failed', error: { message: 'no such folder\0' } },
  canceled: { status: 'canceled' },
} as const satisfies Record<keyof typeof taskTriggerTo, TaskStatusUpdate>

/** The transitions of a new task to a state. */
const paths: Record<TaskState, TaskStatusUpdate[]> = {
  pending: [],
  running: [updates.running],
  completed: [updates.running, updates.completed],
  failed: [updates.running, updates.failed],
  canceled: [updates.canceled],
}

async function taskIn(user: TestUser, state: TaskState): Promise<Task> {
  let task = await create(user)
  for (const update of paths[state]) task = (await setStatus(user, task.id, update)).json<Task>()
  expect(task.status).toBe(state)
  return task
}

test('a task is stored as sent and published to the sockets of its user', async () => {
  const { body: workflow } = routes.workflows_create.examples
  const made = await backend.app.inject({ method: 'POST', url: '/api/v1/workflows', headers: mara.headers, payload: workflow })
  const body = {
    title: 'Report',
    description: 'Of this week',
    input: '{"folder":"reports"}',
    workflow_id: made.json().id,
    device_id: 'laptop',
  }
  backend.told.length = 0
  const reply = await ask(mara, 'POST', '', body)
  const task = reply.json<Task>()
  const at = task.created_at
  expect(task).toEqual({ id: task.id, ...body, status: 'pending', status_ts: at, version: 1, created_at: at, updated_at: at })
  expect([reply.statusCode, reply.headers.etag, reply.headers.location]).toEqual([201, '"1"', `/api/v1/tasks/${task.id}`])
  expect((await ask(mara, 'GET', `/${task.id}`)).json()).toEqual(task)
  expect(backend.told).toEqual([
    { user_id: mara.user_id, message: { type: 'task.created', task_id: task.id, device_id: 'laptop', status: 'pending', status_ts: at } },
  ])
})

test('a workflow or device of another user is an unknown reference, and nothing is created or published', async () => {
  const { body: workflow } = routes.workflows_create.examples
  const foreign = await backend.app.inject({ method: 'POST', url: '/api/v1/workflows', headers: noor.headers, payload: workflow })
  backend.told.length = 0
  const user = await backend.user()
  const reply = await ask(
    user,
    'POST',
    '',
    { title: 'x', workflow_id: foreign.json().id, device_id: 'noor-laptop' },
    { 'idempotency-key': 'a-key-of-12' },
  )
  expect([reply.statusCode, reply.json()]).toEqual([
    422,
    expect.objectContaining({
      code: 'unknown_reference',
      errors: [
        { pointer: '/workflow_id', message: `there is no workflow ${foreign.json().id}` },
        { pointer: '/device_id', message: 'there is no device noor-laptop' },
      ],
    }),
  ])
  expect((await ask(user, 'GET', '')).json().items).toEqual([])
  expect(backend.told).toEqual([])
  // A request that created nothing does not use up its key.
  expect((await ask(user, 'POST', '', { title: 'x' }, { 'idempotency-key': 'a-key-of-12' })).statusCode).toBe(201)
})

test('two creations with one key create one task, published once; with other content or at another address the key is refused', async () => {
  const user = await backend.user()
  const headers = { 'idempotency-key': 'task-2026-0001' }
  backend.told.length = 0
  const replies = await Promise.all([1, 2, 3].map(() => ask(user, 'POST', '', { title: 'once' }, headers)))
  const [first] = replies.map((reply) => ({
    status: reply.statusCode,
    etag: reply.headers.etag,
    location: reply.headers.location,
    task: reply.json<Task>(),
  }))
  expect(first).toMatchObject({ status: 201, etag: '"1"', task: { title: 'once', status: 'pending' } })
  for (const reply of replies) expect([reply.statusCode, reply.json()]).toEqual([201, first?.task])
  expect((await ask(user, 'GET', '')).json().items).toEqual([first?.task])
  expect(backend.told.map(({ message }) => message.type)).toEqual(['task.created'])

  const other = await ask(user, 'POST', '', { title: 'other' }, headers)
  const { body: payload } = routes.workflows_create.examples
  const elsewhere = await backend.app.inject({
    method: 'POST',
    url: '/api/v1/workflows',
    headers: { ...user.headers, ...headers },
    payload,
  })
  for (const reply of [other, elsewhere]) expect([reply.statusCode, reply.json().code]).toEqual([422, 'idempotency_key_reused'])
})

test.each(taskStates)('from %s only the transitions in the table are possible', async (from) => {
  const user = await backend.user()
  for (const [to, update] of Object.entries(updates)) {
    const before = await taskIn(user, from)
    backend.told.length = 0
    const reply = await setStatus(user, before.id, update)
    const allowed = statesAfter(from)
    if (allowed.some((state) => state === to)) {
      const task = reply.json<Task>()
      expect([reply.statusCode, reply.headers.etag, task]).toEqual([
        200,
        `"${before.version + 1}"`,
        { ...before, ...update, status: to, version: before.version + 1, status_ts: task.updated_at, updated_at: task.updated_at },
      ])
      const type = to === 'canceled' ? 'task.canceled' : 'task.updated'
      expect(backend.told.map(({ message }) => message)).toEqual([{ type, task_id: task.id, status: to, status_ts: task.status_ts }])
      expect((await ask(user, 'GET', `/${task.id}`)).json()).toEqual(task)
    } else {
      expect([reply.statusCode, reply.json()]).toEqual([409, expect.objectContaining({ code: 'transition_refused', allowed })])
      expect(backend.told).toEqual([])
      expect((await ask(user, 'GET', `/${before.id}`)).json()).toEqual(before)
    }
  }
})

test('of many devices that start a task at once, one gets it', async () => {
  const task = await create(mara)
  const devices = Array.from({ length: 8 }, (_, at) => `device-${at}`)
  const replies = await Promise.all(devices.map((device_id) => setStatus(mara, task.id, { status: 'running', device_id })))
  const won = replies.filter((reply) => reply.statusCode === 200).map((reply) => reply.json<Task>())
  expect([won.length, replies.filter((reply) => reply.statusCode === 409).length]).toEqual([1, 7])
  expect((await ask(mara, 'GET', `/${task.id}`)).json()).toEqual(won[0])
  expect(devices).toContain(won[0]?.device_id)
})

test('the second request waits for the first, and is refused', async () => {
  const { database } = backend.services
  const task = await create(mara)
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = database.asUser(mara.user_id, async (sql) => {
    const stored = (await lockTask(sql, mara.user_id, task.id)) ?? expect.fail('the task is there')
    locked.resolve()
    await release.promise
    await writeStatus(sql, mara.user_id, { ...stored, status: 'running', device_id: 'laptop', version: 2 })
  })
  await locked.promise
  const second = setStatus(mara, task.id, { status: 'running', device_id: 'phone' })
  await expect.poll(() => waiting(database)).toBe(1)
  release.resolve()
  await first
  expect((await second).json()).toMatchObject({ code: 'transition_refused', allowed: ['completed', 'failed', 'canceled'] })
  expect((await ask(mara, 'GET', `/${task.id}`)).json()).toMatchObject({ status: 'running', device_id: 'laptop', version: 2 })
})

/** How many statements wait for a lock. */
async function waiting({ owner }: Database): Promise<number> {
  const rows = await owner`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.length
}

test('a task of one device cannot be started or ended by another; any device may cancel it', async () => {
  const task = await create(mara, { device_id: 'laptop' })
  expect((await setStatus(mara, task.id, { status: 'running', device_id: 'phone' })).json()).toMatchObject({
    status: 409,
    code: 'wrong_device',
  })
  expect((await setStatus(mara, task.id, { status: 'running', device_id: 'laptop' })).statusCode).toBe(200)
  expect((await setStatus(mara, task.id, { status: 'completed', device_id: 'phone' })).json()).toMatchObject({ code: 'wrong_device' })
  expect((await setStatus(mara, task.id, { status: 'canceled', device_id: 'phone' })).json()).toMatchObject({
    status: 'canceled',
    device_id: 'laptop',
  })
})

test('If-Match refuses a change of another version', async () => {
  const task = await create(mara)
  const refused = await setStatus(mara, task.id, updates.running, { 'if-match': '"2"' })
  expect([refused.statusCode, refused.json()]).toEqual([412, expect.objectContaining({ code: 'version_conflict', current_version: 1 })])
  expect((await setStatus(mara, task.id, updates.running, { 'if-match': '"1"' })).statusCode).toBe(200)
})

test("another user's task is not found", async () => {
  const task = await create(mara)
  const replies = [
    await ask(noor, 'GET', `/${task.id}`),
    await setStatus(noor, task.id, updates.running),
    await ask(mara, 'GET', `/${newId(0)}`),
  ]
  expect(replies.map((reply) => reply.statusCode)).toEqual([404, 404, 404])
  expect((await ask(noor, 'GET', '?device_id=laptop')).json().items).toEqual([])
})

test('the list is sorted newest first and can be filtered by status, device and workflow', async () => {
  const user = await withDevices('laptop', 'phone')
  const made: Task[] = []
  for (const device_id of ['laptop', 'phone', 'laptop']) made.push(await create(user, { device_id }))
  const [first, second, third] = made.map(({ id }) => id)
  await setStatus(user, second ?? '', updates.running)
  const list = async (query: string) => (await ask(user, 'GET', `?${query}`)).json<{ items: Task[] }>().items.map(({ id }) => id)
  expect([
    await list(''),
    await list('status=pending'),
    await list('device_id=laptop'),
    await list('status=running&device_id=laptop'),
    await list('status=running&device_id=phone'),
    await list(`workflow_id=${newId(0)}`),
  ]).toEqual([
    [third, second, first].toSorted().toReversed(),
    expect.arrayContaining([first, third]),
    expect.arrayContaining([first, third]),
    [],
    [second],
    [],
  ])
})

test('values that cannot be stored or queried are refused with their pointer', async () => {
  const pointers = async (reply: ReturnType<typeof ask>) => (await reply).json().errors?.map(({ pointer }: { pointer: string }) => pointer)
  expect(await pointers(ask(mara, 'POST', '', { title: 'a\0b', description: '\0', input: '{' }))).toEqual([
    '/title',
    '/description',
    '/input',
  ])
  const task = await taskIn(mara, 'running')
  expect(await pointers(setStatus(mara, task.id, { status: 'completed', result: 'not json' }))).toEqual(['/result'])
  expect((await ask(mara, 'PUT', `/${task.id}/status`, { status: 'pending' })).statusCode).toBe(400)
  expect(await pointers(ask(mara, 'GET', `?cursor=${Buffer.from('["x"]').toString('base64url')}`))).toEqual(['/query/cursor'])
  expect(await pointers(ask(mara, 'GET', '?status=done'))).toEqual(['/query/status'])
})

test('a list omits inputs and results, and a page ends if it becomes too large', async () => {
  const user = await backend.user()
  const large = '語'.repeat(60_000)
  const task = await create(user, { input: JSON.stringify({ large }) })
  await setStatus(user, task.id, updates.running)
  const done = (await setStatus(user, task.id, { status: 'completed', result: JSON.stringify(large) })).json<Task>()
  const { input: _, result: __, ...summary } = done
  expect((await ask(user, 'GET', '')).json()).toEqual({ items: [summary], next_cursor: null })
  expect((await ask(user, 'GET', `/${task.id}`)).json()).toEqual(done)

  for (let at = 0; at < 25; at += 1) await create(user, { description: large })
  const first = (await ask(user, 'GET', '?limit=200')).json<{ items: TaskSummary[]; next_cursor: string }>()
  const rest = (await ask(user, 'GET', `?limit=200&cursor=${first.next_cursor}`)).json<{ items: TaskSummary[]; next_cursor: null }>()
  expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([23, 3, null])
  const ids = [...first.items, ...rest.items].map(({ id }) => id)
  expect([ids, new Set(ids).size]).toEqual([ids.toSorted().toReversed(), 26])
})
