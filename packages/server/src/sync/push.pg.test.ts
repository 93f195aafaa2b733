import { limits } from '@tandem/contract/limits'
import { type Change, canonicalJson } from '@tandem/contract/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { change, facts, idsOf } from '../../test/support/test-change.ts'
import { epoch, type TestSync, testSync } from '../../test/support/test-sync.ts'

let sync: TestSync
beforeAll(async () => {
  sync = await testSync()
})
afterAll(async () => await sync[Symbol.asyncDispose]())

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const item = (id: string, second: number, state = 'pending') => ({ id, title: `do ${id}`, state, state_ts: at(second) })
const todos = (items: object[], changes: Partial<Change> = {}) =>
  change({ entity_type: 'todos', entity_id: 'conversation-1', payload: { todos: items }, ...changes })

async function rowsOf(userId: string) {
  return await sync.database.asUser(userId, async (sql) => {
    const entities = await sql`select *, xmin::text from tandem.sync_entities where user_id = ${userId} order by stamp, ord`
    const heads = await sql`select *, xmin::text from tandem.sync_heads where user_id = ${userId}`
    const devices = await sql`select *, xmin::text from tandem.devices where user_id = ${userId} order by device_id`
    return { entities: [...entities], heads: [...heads], devices: [...devices] }
  })
}

test('a new change is applied, stored as it will be returned, and published', async () => {
  const user = sync.user()
  const before = Date.now()
  const reply = await user.push('laptop', [change(), change({ entity_type: 'messages', entity_id: 'm-1' })])

  expect(reply).toEqual({
    verdicts: [
      { index: 0, entity_id: 'agent-1', verdict: 'applied' },
      { index: 1, entity_id: 'm-1', verdict: 'applied' },
    ],
    cursor_ts: expect.any(String),
    server_ts: expect.any(String),
    epoch,
  })
  expect(Date.parse(reply.cursor_ts)).toBeGreaterThanOrEqual(before)
  expect(await user.pull()).toEqual({
    changes: [change(), change({ entity_type: 'messages', entity_id: 'm-1' })],
    has_more: false,
    cursor_ts: reply.cursor_ts,
    snapshot_ts: reply.cursor_ts,
    epoch,
  })
  expect(sync.told.filter(({ user_id }) => user_id === user.user_id)).toEqual([
    {
      user_id: user.user_id,
      message: { type: 'sync.changed', cursor_ts: reply.cursor_ts, entity_types: ['agents', 'messages'], device_id: 'laptop' },
    },
  ])
  const { devices } = await rowsOf(user.user_id)
  expect(devices.map(({ device_id }) => device_id)).toEqual(['laptop'])
})

test('a push has one stamp, later than all previous ones, even if the clock does not advance', async () => {
  const user = sync.user()
  const cursors: string[] = []
  for (let round = 0; round < 20; round += 1) cursors.push((await user.push('a', facts(`r${round}`, 3))).cursor_ts)
  expect(new Set(cursors).size).toBe(20)
  expect(cursors.toSorted()).toEqual(cursors)
  // A head in the future, as after a clock was set back: stamps continue from there.
  const ahead = Date.UTC(2100, 0, 1)
  await sync.database.owner`update tandem.sync_heads set stamp = ${ahead} where user_id = ${user.user_id}`
  expect((await user.push('a', [change()])).cursor_ts).toBe(new Date(ahead + 1).toISOString())
})

describe('repeating a push', () => {
  const first = [
    change(),
    change({ entity_id: 'agent-2', op: 'delete', payload: {} }),
    ...facts('fact', 3),
    todos([item('1', 1), item('2', 2)]),
    todos([item('3', 1)], { entity_id: 'conversation-2' }),
  ]

  test('changes nothing, moves no cursor, notifies no one', async () => {
    const user = sync.user()
    const reply = await user.push('laptop', first)
    const stored = await rowsOf(user.user_id)
    const told = sync.told.length
    const again = await user.push('laptop', first)
    expect(again.verdicts.map(({ verdict }) => verdict)).toEqual(first.map(() => 'duplicate'))
    expect(again.cursor_ts).toBe(reply.cursor_ts)
    expect(await rowsOf(user.user_id)).toEqual(stored)
    expect(sync.told.length).toBe(told)
    expect(await user.pull({ cursor_ts: reply.cursor_ts })).toEqual({ changes: [], has_more: false, cursor_ts: reply.cursor_ts, epoch })
  })

  test('changes nothing days later and after other writes', async () => {
    const user = sync.user()
    await user.push('laptop', first)
    const winner = change({ version: 2, updated_at: at(9), payload: { name: 'Writer' } })
    await user.push('desktop', [
      winner,
      todos([item('2', 9, 'completed'), item('4', 9)]),
      change({ entity_id: 'agent-2', updated_at: at(9) }),
      ...facts('other', 2),
    ])
    const stored = await rowsOf(user.user_id)
    sync.pass(40 * 86_400_000)
    const again = await user.push('laptop', first)
    expect(again.verdicts).toEqual([
      { index: 0, entity_id: 'agent-1', verdict: 'stale', winner },
      { index: 1, entity_id: 'agent-2', verdict: 'stale', winner: change({ entity_id: 'agent-2', updated_at: at(9) }) },
      ...[2, 3, 4].map((index) => ({ index, entity_id: `fact-${index - 2}`, verdict: 'duplicate' })),
      {
        index: 5,
        entity_id: 'conversation-1',
        verdict: 'merged',
        result: todos([item('1', 1), item('2', 9, 'completed'), item('4', 9)]),
      },
      { index: 6, entity_id: 'conversation-2', verdict: 'duplicate' },
    ])
    expect(await rowsOf(user.user_id)).toEqual(stored)
    sync.pass(-40 * 86_400_000)
  })
})

describe('the same entity twice in one push', () => {
  test('each change sees the one before it', async () => {
    const user = sync.user()
    const newer = change({ updated_at: at(5), payload: { name: 'B' } })
    const { verdicts } = await user.push('laptop', [
      change({ payload: { name: 'A' } }),
      newer,
      change({ updated_at: at(3), payload: { name: 'C' } }),
      newer,
      change({ entity_type: 'messages', entity_id: 'm', payload: { text: '1' } }),
      change({ entity_type: 'messages', entity_id: 'm', payload: { text: '2' } }),
      todos([item('1', 1)]),
      todos([item('2', 1)]),
      todos([item('1', 1), item('2', 1), item('3', 1)]),
    ])
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([
      ...['applied', 'applied', 'stale', 'duplicate', 'applied', 'rejected', 'applied', 'merged', 'applied'],
    ])
    expect(verdicts[2]).toEqual({ index: 2, entity_id: 'agent-1', verdict: 'stale', winner: newer })
    expect((await user.pull()).changes).toEqual([
      newer,
      change({ entity_type: 'messages', entity_id: 'm', payload: { text: '1' } }),
      todos([item('1', 1), item('2', 1), item('3', 1)]),
    ])
  })

  test('every stale verdict contains the winner', async () => {
    const user = sync.user()
    const stored = change({ updated_at: at(5), payload: { name: 'stored' } })
    await user.push('desktop', [stored])
    const later = change({ updated_at: at(9), payload: { name: 'later' } })
    const { verdicts } = await user.push('laptop', [change({ updated_at: at(4) }), later, change({ updated_at: at(6) })])
    expect(verdicts).toEqual([
      { index: 0, entity_id: 'agent-1', verdict: 'stale', winner: later },
      { index: 1, entity_id: 'agent-1', verdict: 'applied' },
      { index: 2, entity_id: 'agent-1', verdict: 'stale', winner: later },
    ])
    const again = await user.push('laptop', [change({ updated_at: at(4) }), change({ updated_at: at(6) }), { ...later, version: 0 }])
    expect(again.verdicts).toMatchObject([
      { verdict: 'stale', winner: later },
      { verdict: 'stale', winner: later },
      { verdict: 'rejected' },
    ])
  })

  test('a large one with many changes is returned once, with the last verdict', async () => {
    const user = sync.user()
    const stored = change({ updated_at: at(5), payload: { text: 'x'.repeat(200_000) } })
    await user.push('desktop', [stored])
    const stale = Array.from({ length: 100 }, (_, index) => change({ updated_at: at(4), version: index + 1 }))
    const { verdicts } = await user.push('laptop', stale)
    expect(verdicts.flatMap((verdict, index) => ('winner' in verdict ? [index] : []))).toEqual([99])
    expect(verdicts[99]).toMatchObject({ winner: stored })
    // And not at all if the device has just sent the current state.
    const latest = change({ updated_at: at(10) })
    const last = await user.push('laptop', [...stale, latest])
    expect(last.verdicts.some((verdict) => 'winner' in verdict && verdict.winner?.payload.text !== undefined)).toBe(false)
  })
})

test('one invalid change among 500 does not affect the others', async () => {
  const user = sync.user()
  const changes: object[] = facts('fact', limits.push_changes)
  changes[250] = { ...change(), version: 'one' }
  const { verdicts } = await user.push('laptop', changes)
  expect(verdicts.filter(({ verdict }) => verdict === 'applied')).toHaveLength(499)
  expect(verdicts[250]).toEqual({
    index: 250,
    entity_id: 'agent-1',
    verdict: 'rejected',
    code: 'invalid',
    message: '`version` must be a whole number',
  })
  expect((await user.pull({ limit: 1000 })).changes).toHaveLength(499)
})

test('facts are never changed or deleted', async () => {
  const user = sync.user()
  const fact = change({ entity_type: 'tool_calls', entity_id: 'call', payload: { result: 1 } })
  await user.push('laptop', [fact])
  const { verdicts } = await user.push('desktop', [
    { ...fact, updated_at: at(50), version: 9, payload: { result: 2 } },
    { ...fact, op: 'delete' },
  ])
  expect(verdicts).toMatchObject([
    { verdict: 'rejected', code: 'immutable' },
    { verdict: 'rejected', code: 'append_only' },
  ])
  expect((await user.pull()).changes).toEqual([fact])
})

test('todos of two devices are merged, and the union is new to both', async () => {
  const user = sync.user()
  await user.push('laptop', [todos([item('1', 1), item('2', 5, 'completed')], { version: 3, updated_at: at(5), source_ts: at(4) })])
  const { verdicts, cursor_ts } = await user.push('desktop', [todos([item('2', 2), item('3', 2)], { version: 1, updated_at: at(2) })])
  const union = todos([item('1', 1), item('2', 5, 'completed'), item('3', 2)], { version: 3, updated_at: at(5), source_ts: at(4) })
  expect(verdicts).toEqual([{ index: 0, entity_id: 'conversation-1', verdict: 'merged', result: union }])
  const before = new Date(Date.parse(cursor_ts) - 1).toISOString()
  for (const device_id of ['laptop', 'desktop']) {
    expect((await user.pull({ cursor_ts: before, device_id })).changes).toEqual([union])
  }
})

test('todos whose union exceeds the limits are refused, and none is dropped', async () => {
  const user = sync.user()
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => item(`${prefix}${index}`, 1))
  await user.push('laptop', [todos(many('a', 400))])
  const { verdicts } = await user.push('desktop', [todos(many('b', 101)), todos(many('c', 100))])
  expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'payload_too_large' }, { verdict: 'merged' }])
})

test("a clock too far ahead gets the server's time, and a retry with it works", async () => {
  const user = sync.user()
  const late = new Date(Date.now() + limits.clock_skew_ms + 60_000).toISOString()
  const { verdicts, server_ts } = await user.push('laptop', [
    change({ updated_at: late }),
    todos([{ ...item('1', 1), state_ts: late }]),
    change({ updated_at: new Date(Date.now() + limits.clock_skew_ms - 60_000).toISOString(), source_ts: late }),
  ])
  expect(verdicts).toMatchObject([
    { verdict: 'rejected', code: 'clock_skew', server_ts },
    { verdict: 'rejected', code: 'clock_skew', server_ts },
    { verdict: 'applied' },
  ])
})

test('small changes to large entities are refused as a whole before the reply becomes too large', async () => {
  const user = sync.user()
  const filler = 'x'.repeat(250_000)
  const large = (updated_at: string, payload: object) =>
    Array.from({ length: 20 }, (_, index) => change({ entity_id: `large-${index}`, updated_at, payload: { ...payload } }))
  for (let round = 0; round < 4; round += 1) {
    const changes = large(at(9), { filler }).map((one) => ({ ...one, entity_id: `${one.entity_id}-${round}` }))
    await user.push('laptop', changes)
  }
  const stale = [0, 1, 2, 3].flatMap((round) => large(at(1), {}).map((one) => ({ ...one, entity_id: `${one.entity_id}-${round}` })))
  await expect(user.push('desktop', stale)).rejects.toMatchObject({ code: 'payload_too_large' })
  // Half of it succeeds: splitting a refused push works.
  expect((await user.push('desktop', stale.slice(0, 40))).verdicts).toHaveLength(40)
})

test('many stale changes to one large entity return it once', async () => {
  const user = sync.user()
  const winner = change({ updated_at: at(9), payload: { filler: 'x'.repeat(250_000) } })
  await user.push('laptop', [winner])
  const stale = Array.from({ length: limits.push_changes }, (_, index) => change({ payload: { index } }))
  const stored = await user.push('desktop', stale)
  expect(JSON.stringify(stored).length).toBeLessThan(limits.payload_bytes + 100 * limits.push_changes)
  expect(stored.verdicts.at(-1)).toEqual({ index: 499, entity_id: 'agent-1', verdict: 'stale', winner })
  // Also if the winner is written in the same push.
  const other = sync.user()
  const written = await other.push('desktop', [winner, ...stale.slice(1)])
  expect(JSON.stringify(written).length).toBeLessThan(limits.payload_bytes + 100 * limits.push_changes)
  expect(written.verdicts.at(-1)).toEqual({ index: 499, entity_id: 'agent-1', verdict: 'stale', winner })
})

describe('many changes to one todos entity', () => {
  const one = (index: number) => todos([item(`${1000 + index}`, 1)])

  test('return the union with each of them', async () => {
    const user = sync.user()
    const changes = Array.from({ length: 100 }, (_, index) => one(index))
    const { verdicts } = await user.push('laptop', changes)
    const result = todos(changes.map((_, index) => item(`${1000 + index}`, 1)))
    expect(verdicts).toEqual([
      { index: 0, entity_id: 'conversation-1', verdict: 'applied' },
      ...changes.slice(1).map((_, index) => ({ index: index + 1, entity_id: 'conversation-1', verdict: 'merged', result })),
    ])
  })

  test('are refused as a whole if it is large, and some of them succeed', async () => {
    const user = sync.user()
    const large = { ...item('0', 1), note: 'x'.repeat(240_000) }
    await user.push('laptop', [todos([large])])
    const before = await rowsOf(user.user_id)
    const changes = Array.from({ length: 400 }, (_, index) => one(index))
    await expect(user.push('laptop', changes)).rejects.toMatchObject({ code: 'payload_too_large' })
    await expect(user.push('laptop', [todos([large]), ...changes])).rejects.toMatchObject({ code: 'payload_too_large' })
    expect(await rowsOf(user.user_id)).toEqual(before)
    const reply = await user.push('laptop', changes.slice(0, 50))
    expect(reply.verdicts.filter((verdict) => 'result' in verdict)).toHaveLength(1)
    expect(JSON.stringify(reply).length).toBeLessThan(limits.payload_bytes + 100 * limits.push_changes)
  })
})

test('unions that do not fit in a reply are refused as a whole', async () => {
  const user = sync.user()
  const lists = (name: string, size: number) =>
    Array.from({ length: 66 }, (_, index) => todos([{ ...item(name, 1), note: 'x'.repeat(size) }], { entity_id: `conversation-${index}` }))
  const stored = lists('a', 200_000)
  for (let from = 0; from < stored.length; from += 22) await user.push('laptop', stored.slice(from, from + 22))
  const before = await rowsOf(user.user_id)
  await expect(user.push('desktop', lists('b', 60_000))).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(await rowsOf(user.user_id)).toEqual(before)
})

test('an empty push registers its device and writes nothing else', async () => {
  const user = sync.user()
  const reply = await user.push('laptop', [])
  expect(reply).toMatchObject({ verdicts: [], cursor_ts: '1970-01-01T00:00:00.000Z' })
  expect(await user.pull()).toEqual({
    changes: [],
    has_more: false,
    cursor_ts: '1970-01-01T00:00:00.000Z',
    snapshot_ts: '1970-01-01T00:00:00.000Z',
    epoch,
  })
  expect((await rowsOf(user.user_id)).devices).toHaveLength(1)
})

test('hostile text is returned unchanged', async () => {
  const user = sync.user()
  const texts = [
    '\u0000',
    'a\u0000b',
    '\u001e\u001f',
    '\ud800',
    '\u{1F600}',
    "'; drop table tandem.sync_entities; --",
    '\\',
    '"',
    '{}',
    '\u2028',
    'é\u0301',
    '\\u0000',
  ]
  const payloads = [
    ...texts.map((text) => ({ text, [text]: text, list: [text, [text], null, -0.5, 1e300, true] })),
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"":{"__proto__":[]}}'),
    JSON.parse('{"b":1,"a":{"z":[],"10":1,"9":2}}'),
  ]
  const changes = payloads.map((payload, index) => change({ entity_type: 'messages', entity_id: `m-${index}`, payload }))
  const { verdicts } = await user.push('laptop', changes)
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(changes.map(() => 'applied'))
  const { changes: pulled } = await user.pull()
  expect(pulled.map(canonicalJson)).toEqual(changes.map(canonicalJson))
  expect('polluted' in {}).toBe(false)
  expect((await user.push('laptop', changes)).verdicts.map(({ verdict }) => verdict)).toEqual(changes.map(() => 'duplicate'))

  const items = [{ ...item('1', 1), title: 'a\u0000\u001eb', ...JSON.parse('{"__proto__":{"x":1}}') }]
  await user.push('laptop', [todos(items)])
  const merged = await user.push('desktop', [todos([item('2', 1)])])
  expect(canonicalJson(merged.verdicts[0])).toContain(canonicalJson(items[0]))
})

test('two users are isolated', async () => {
  const [one, other] = [sync.user(), sync.user()]
  await one.push('laptop', [change({ payload: { name: 'mine' } }), ...facts('mine', 5)])
  const { verdicts } = await other.push('laptop', [change({ payload: { name: 'theirs' } })])
  expect(verdicts).toEqual([{ index: 0, entity_id: 'agent-1', verdict: 'applied' }])
  expect((await other.pull()).changes).toEqual([change({ payload: { name: 'theirs' } })])
  expect(idsOf((await one.pull()).changes)).toEqual(['agent-1', ...idsOf(facts('mine', 5))])
  const seen = await sync.database.asUser(other.user_id, (sql) => sql`select user_id from tandem.sync_entities`)
  expect(new Set(seen.map(({ user_id }) => user_id))).toEqual(new Set([other.user_id]))
})
