import { limits } from '@tandem/contract/limits'
import type { LogListQuery, LogRecord, StoredLogRecord } from '@tandem/contract/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { newId } from '../http/id.ts'
import { expireLogs } from './retention.ts'
import { searchBatchSize } from './store.ts'

const dayMs = 24 * 60 * 60 * 1_000
const start = Date.parse('2026-09-21T07:40:12.345Z')
let clock = start
let backend: TestApp

beforeAll(async () => {
  backend = await testApp({ now: () => clock })
})
afterAll(() => backend.close())

function report(user: TestUser, records: unknown[], headers: Record<string, string> = {}) {
  return backend.app.inject({ method: 'POST', url: '/api/v1/logs', headers: { ...user.headers, ...headers }, payload: { records } })
}

async function list(user: TestUser, query: LogListQuery = {}) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const reply = await backend.app.inject({ method: 'GET', url: `/api/v1/logs?${text}`, headers: user.headers })
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
  return reply.json<{ items: StoredLogRecord[]; next_cursor: string | null }>()
}

const messages = async (user: TestUser, query?: LogListQuery) => (await list(user, query)).items.map(({ message }) => message)

function record(message: string, changes: Partial<LogRecord> = {}): LogRecord {
  return { ts: new Date(start).toISOString(), level: 'info', message, fields: [], ...changes }
}

test('records are returned as sent, newest first, and those of one time in reverse order', async () => {
  const user = await backend.user()
  const full = record('one', { device_id: 'laptop', source: 'mcp', run_id: newId(start), fields: [{ name: 'nul', value: 'a\0b"{}\\,' }] })
  const sent = [
    full,
    record('two'),
    record('later', { ts: '2026-09-21T07:40:12.346Z' }),
    record('earlier', { ts: '1970-01-01T00:00:00.000Z' }),
  ]
  const reply = await report(user, sent)
  expect([reply.statusCode, reply.json()]).toEqual([202, { accepted: 4 }])
  const { items, next_cursor } = await list(user)
  const received_at = new Date(clock).toISOString()
  expect(next_cursor).toBeNull()
  expect(items.map(({ id: _, ...rest }) => rest)).toEqual([sent[2], sent[1], full, sent[3]].map((one) => ({ received_at, ...one })))
})

test('a full batch is one statement; one more record is refused', async () => {
  const user = await backend.user()
  const batch = Array.from({ length: limits.log_batch }, (_, at) => record(`line ${at}`))
  expect((await report(user, batch)).json()).toEqual({ accepted: limits.log_batch })
  expect(await messages(user, { limit: 3 })).toEqual(['line 999', 'line 998', 'line 997'])
  expect((await report(user, [...batch, record('one too many')])).json()).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/records' }],
  })
  expect((await report(user, [])).statusCode).toBe(400)
})

test('a body over the limit is too large', async () => {
  const user = await backend.user()
  const large = Array.from({ length: 400 }, () => record('x'.repeat(16_000)))
  expect((await report(user, large)).json()).toMatchObject({ status: 413, code: 'payload_too_large' })
})

test('one invalid record rejects its batch and is named', async () => {
  const user = await backend.user()
  const errorsOf = async (bad: ReturnType<typeof record>) => (await report(user, [record('good'), bad])).json().errors
  expect(await errorsOf(record('bad', { ts: '2026-02-30T00:00:00.000Z' }))).toEqual([
    { pointer: '/records/1/ts', message: expect.stringContaining('must be a valid UTC timestamp') },
  ])
  expect(await errorsOf(record('old', { ts: '0099-01-01T00:00:00.000Z' }))).toEqual([
    { pointer: '/records/1/ts', message: 'must be a valid UTC timestamp' },
  ])
  expect(await errorsOf(record('nul \0', { source: '\0' }))).toEqual([
    { pointer: '/records/1/message', message: 'must not contain the character U+0000' },
    { pointer: '/records/1/source', message: 'must not contain the character U+0000' },
  ])
  expect(await messages(user)).toEqual([])
})

test('filters: a minimum level, a time range, device, source, run', async () => {
  const user = await backend.user()
  const run_id = newId(start)
  const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
  await report(user, [
    record('d', { ts: at(0), level: 'debug', device_id: 'laptop' }),
    record('i', { ts: at(1), level: 'info', device_id: 'phone', source: 'sync' }),
    record('w', { ts: at(2), level: 'warn', device_id: 'laptop', run_id }),
    record('e', { ts: at(3), level: 'error' }),
  ])
  expect([
    await messages(user, { level: 'debug' }),
    await messages(user, { level: 'warn' }),
    await messages(user, { level: 'error' }),
    await messages(user, { since: at(1), until: at(3) }),
    await messages(user, { device_id: 'laptop' }),
    await messages(user, { device_id: 'laptop', level: 'info' }),
    await messages(user, { source: 'sync' }),
    await messages(user, { run_id }),
  ]).toEqual([['e', 'w', 'i', 'd'], ['e', 'w'], ['e'], ['w', 'i'], ['w', 'd'], ['w'], ['i'], ['w']])
})

test('q matches a part of the message literally, in any case', async () => {
  const user = await backend.user()
  await report(
    user,
    ['50% full', 'snake_case', 'C:\\temp', 'Straße nach ÅLESUND', 'Привет, мир', '日本語のログ', 'plain', "it's 'quoted'"].map((text) =>
      record(text),
    ),
  )
  const searches = ['%', '_', '\\', '\\t', 'åles', 'ПРИВЕТ', '本語', 'PLAIN', "'", 'a%n', 'sn_ke', '.*', '50%25']
  expect(await Promise.all(searches.map((q) => messages(user, { q })))).toEqual([
    ['50% full'],
    ['snake_case'],
    ['C:\\temp'],
    ['C:\\temp'],
    ['Straße nach ÅLESUND'],
    ['Привет, мир'],
    ['日本語のログ'],
    ['plain'],
    ["it's 'quoted'"],
    [],
    [],
    [],
    [],
  ])
})

test('a batch sent twice with one key is stored once; another batch with that key is refused', async () => {
  const user = await backend.user()
  const headers = { 'idempotency-key': 'batch-2026-09-21' }
  const replies = await Promise.all([report(user, [record('once')], headers), report(user, [record('once')], headers)])
  expect(replies.map((reply) => [reply.statusCode, reply.json()])).toEqual([
    [202, { accepted: 1 }],
    [202, { accepted: 1 }],
  ])
  expect(await messages(user)).toEqual(['once'])
  expect((await report(user, [record('other')], headers)).json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('users see only their own records', async () => {
  const [mara, noor] = [await backend.user(), await backend.user()]
  await report(mara, [record('of Mara')])
  expect([await messages(mara), await messages(noor)]).toEqual([['of Mara'], []])
})

test('retention deletes records by when they were received, user by user, regardless of their own time', async () => {
  const [mara, noor] = [await backend.user(), await backend.user()]
  const future = record('from the future', { ts: '2099-01-01T00:00:00.000Z' })
  clock -= dayMs + 1
  await report(mara, [record('old 1'), record('old 2'), record('old 3'), future])
  clock += dayMs + 1
  await report(mara, [record('new'), record('ancient but new here', { ts: '2001-01-01T00:00:00.000Z' })])
  await report(noor, [record('new too')])
  // Until its oldest record is another day older, no user is visited: everyone who reports has some that are a little too old.
  await expireLogs(backend.services.database, clock - 1 + limits.log_retention_ms)
  expect(await messages(mara)).toHaveLength(6)
  await expireLogs(backend.services.database, clock + limits.log_retention_ms, undefined, 2)
  expect([await messages(mara), await messages(noor)]).toEqual([['new', 'ancient but new here'], ['new too']])
  await expireLogs(backend.services.database, clock + 1 + dayMs + limits.log_retention_ms)
  expect([await messages(mara), await messages(noor)]).toEqual([[], []])
  clock += 1
})

test('a page ends if it becomes too large, and the next continues after it', async () => {
  const user = await backend.user()
  const field = { name: 'x', value: 'x'.repeat(4_096) }
  const batch = (from: number) => Array.from({ length: 20 }, (_, at) => record(`line ${from + at}`, { fields: Array(50).fill(field) }))
  for (const from of [0, 20]) expect((await report(user, batch(from))).statusCode).toBe(202)
  const seen: string[] = []
  const sizes: number[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await list(user, { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    sizes.push(page.items.length)
    seen.push(...page.items.map(({ message }) => message))
    cursor = page.next_cursor
  }
  expect([sizes, seen.length, new Set(seen).size]).toEqual([[20, 20], 40, 40])
})

test('a search reads a limited number of records per page: a page may be empty, and the list continues', async () => {
  const user = await backend.user()
  await backend.services.database.owner`
    insert into tandem.log_records (user_id, id, ts, received_at, level, message, fields)
    select ${user.user_id}, gen_random_uuid(), ${new Date(start)}::timestamptz - n * interval '1 second', now(), 'info', 'line ' || n, '[]'
    from generate_series(1, ${searchBatchSize + 5}::integer) n`
  const wanted = `line ${searchBatchSize + 3}`
  const first = await list(user, { q: wanted })
  expect(first).toEqual({ items: [], next_cursor: expect.any(String) })
  const second = await list(user, { q: wanted, cursor: first.next_cursor ?? '' })
  expect([second.items.map(({ message }) => message), second.next_cursor]).toEqual([[wanted], null])
  // The same applies to other filters without an index.
  for (const query of [{ level: 'error' }, { device_id: 'nobody' }, { source: 'nobody' }, { run_id: newId(start) }] as const) {
    const none = await list(user, query)
    expect(none).toEqual({ items: [], next_cursor: expect.any(String) })
    expect(await list(user, { ...query, cursor: none.next_cursor ?? '' })).toEqual({ items: [], next_cursor: null })
  }
  const near = await list(user, { q: 'line 1', limit: 2 })
  expect(near.items.map(({ message }) => message)).toEqual(['line 1', 'line 10'])
  expect(await messages(user, { q: 'line 1', limit: 2, cursor: near.next_cursor ?? '' })).toEqual(['line 11', 'line 12'])
})
