import { limits } from '@tandem/contract/limits'
import type { PullQuery } from '@tandem/contract/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { change, facts, idsOf } from '../../test/support/test-change.ts'
import { epoch, type TestSync, type TestUser, testSync } from '../../test/support/test-sync.ts'
import { purgeTombstones } from './purge.ts'

let sync: TestSync
beforeAll(async () => {
  sync = await testSync()
})
afterAll(async () => await sync[Symbol.asyncDispose]())

const beginning = '1970-01-01T00:00:00.000Z'
const earlier = (cursor: string, milliseconds = 1) => new Date(Date.parse(cursor) - milliseconds).toISOString()

describe('a page', () => {
  test('never ends inside a stamp, and is full at the row that `limit` counts', async () => {
    const user = sync.user()
    const cursors: string[] = []
    for (const count of [3, 4, 1]) cursors.push((await user.push('a', facts(`p${count}`, count))).cursor_ts)
    const lengths = async (limit: number) => (await user.pullAll({ limit })).pages.map(({ changes }) => changes.length)
    expect(await Promise.all([1, 3, 4, 7, 8, 1000].map(lengths))).toEqual([[3, 4, 1], [3, 4, 1], [7, 1], [7, 1], [8], [8]])
    expect((await user.pullAll({ limit: 1 })).pages.map(({ cursor_ts }) => cursor_ts)).toEqual(cursors)
    expect(idsOf((await user.pullAll({ limit: 2 })).changes)).toEqual(idsOf([...facts('p3', 3), ...facts('p4', 4), ...facts('p1', 1)]))
  })

  test('also ends with the stamp in which it reaches the byte limit', async () => {
    const user = sync.user()
    const text = 'é'.repeat(110_000)
    for (let round = 0; round < 5; round += 1) await user.push('a', facts(`r${round}`, 10, text))
    const { pages } = await user.pullAll({ limit: 1000 })
    expect(pages.map(({ changes }) => changes.length)).toEqual([40, 10])
    expect(40 * 220_000).toBeGreaterThan(limits.pull_page_bytes)
    expect(30 * 220_000).toBeLessThan(limits.pull_page_bytes)
  })

  test('contains each entity once, in its current state', async () => {
    const user = sync.user()
    await user.push('a', [change({ payload: { name: 'old' } }), change({ entity_id: 'agent-2' })])
    const now = change({ updated_at: '2026-02-01T00:00:00.000Z', payload: { name: 'new' } })
    await user.push('b', [now])
    expect((await user.pull()).changes).toEqual([change({ entity_id: 'agent-2' }), now])
  })

  test('has 500 rows by default, plus the rest of the last stamp', async () => {
    const user = sync.user()
    for (let round = 0; round < 3; round += 1) await user.push('a', facts(`r${round}`, 300))
    expect((await user.pullAll()).pages.map(({ changes }) => changes.length)).toEqual([600, 300])
  })
})

describe('filters', () => {
  test('refuse an unknown entity type', async () => {
    await expect(sync.user().pull({ entity_types: 'agents,agent' })).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { errors: [{ pointer: '/query/entity_types', message: expect.stringContaining('agent is not one of messages, ') }] },
    })
  })

  test('omit what a device wrote itself, and the cursor passes it', async () => {
    const user = sync.user()
    const { cursor_ts } = await user.push('other', facts('start', 1))
    const own = await user.push('laptop', facts('own', 5))
    await user.push('laptop', facts('own-more', 5))
    const last = await user.push('other', facts('end', 1))
    const first = await user.pull({ cursor_ts, device_id: 'laptop', limit: 5 })
    expect(first).toEqual({ changes: [], has_more: true, cursor_ts: own.cursor_ts, epoch })
    const { changes, pages } = await user.pullAll({ cursor_ts, device_id: 'laptop', limit: 5 })
    expect(changes).toEqual(facts('end', 1))
    expect(pages.map((page) => page.changes.length)).toEqual([0, 0, 1])
    expect(pages.at(-1)?.cursor_ts).toBe(last.cursor_ts)
  })

  test('do not apply to the current state: a device that lost its store gets its own writes', async () => {
    const user = sync.user()
    await user.push('laptop', facts('own', 5))
    await user.push('laptop', facts('more', 5))
    expect((await user.pullAll({ device_id: 'laptop', limit: 5 })).changes).toHaveLength(10)
  })

  test('by entity type count the rows they omit', async () => {
    const user = sync.user()
    await user.push('a', facts('m', 3))
    await user.push('a', [change(), ...facts('n', 2)])
    const { pages, changes } = await user.pullAll({ entity_types: 'agents,mcp_servers', limit: 3 })
    expect(pages.map((page) => page.changes.length)).toEqual([0, 1])
    expect(changes).toEqual([change()])
    expect((await user.pullAll({ entity_types: 'agents,messages', limit: 2 })).changes).toHaveLength(6)
  })

  test('keep the matching rows in the rest of a stamp', async () => {
    const user = sync.user()
    const { cursor_ts } = await user.push('other', facts('start', 1))
    await user.push('other', [...facts('m', 3), change(), ...facts('n', 2), change({ entity_id: 'agent-2' })])
    const page = await user.pull({ cursor_ts, entity_types: 'agents', device_id: 'laptop', limit: 1 })
    expect(idsOf(page.changes)).toEqual(['agent-1', 'agent-2'])
    expect(page.has_more).toBe(false)
  })
})

describe('cursors', () => {
  test('1970, no cursor and any earlier time are the beginning', async () => {
    const user = sync.user()
    const { cursor_ts } = await user.push('a', [change()])
    const whole = { changes: [change()], has_more: false, cursor_ts, snapshot_ts: cursor_ts, epoch }
    for (const query of [{}, { cursor_ts: beginning }, { cursor_ts: '0000-01-01T00:00:00.000Z' }])
      expect(await user.pull(query)).toEqual(whole)
  })

  test('at the head return no rows, and the same cursor', async () => {
    const user = sync.user()
    const { cursor_ts } = await user.push('a', [change()])
    expect(await user.pull({ cursor_ts })).toEqual({ changes: [], has_more: false, cursor_ts, epoch })
  })

  test('past the head are ahead of this server; a full pull never is', async () => {
    const user = sync.user()
    await expect(user.pull({ cursor_ts: '2026-01-01T00:00:00.000Z' })).rejects.toMatchObject({ code: 'cursor_ahead' })
    const { cursor_ts } = await user.push('a', [change()])
    await expect(user.pull({ cursor_ts: earlier(cursor_ts, -1) })).rejects.toMatchObject({ code: 'cursor_ahead' })
    await expect(user.pull({ cursor_ts: '9999-12-31T23:59:59.999Z', snapshot_ts: cursor_ts })).rejects.toMatchObject({
      code: 'cursor_ahead',
    })
    await expect(user.pull({ cursor_ts, snapshot_ts: earlier(cursor_ts, -1) })).rejects.toMatchObject({ code: 'cursor_ahead' })
    // The recovery: push everything again, then one full pull.
    expect((await user.push('b', [change(), ...facts('kept', 2)])).verdicts.map(({ verdict }) => verdict)).toEqual([
      'applied',
      'applied',
      'applied',
    ])
    const recovered = await user.pullAll()
    expect(recovered.changes).toHaveLength(3)
    expect(await user.pull({ cursor_ts: recovered.cursor_ts })).toMatchObject({ changes: [], has_more: false })
  })
})

describe('purging tombstones', () => {
  const gone = (id: string) => change({ entity_id: id, op: 'delete', updated_at: '2026-01-02T00:00:00.000Z', payload: {} })
  const long = limits.tombstone_ms + 60_000

  /** Live rows at both ends, tombstones in between, all of this `age`. */
  async function aged(user: TestUser, age: number): Promise<void> {
    await sync.database.owner.begin(async (sql) => {
      await sql`update tandem.sync_entities set stamp = stamp - ${age} where user_id = ${user.user_id}`
      await sql`update tandem.sync_heads set stamp = stamp - ${age} where user_id = ${user.user_id}`
    })
  }

  async function headOf(user: TestUser) {
    const [head] = await sync.database.owner<{ stamp: string; purged_ts: string }[]>`
      select stamp, purged_ts from tandem.sync_heads where user_id = ${user.user_id}`
    return { stamp: Number(head?.stamp), purged_ts: Number(head?.purged_ts) }
  }

  test('deletes those older than 90 days, and only those', async () => {
    const user = sync.user()
    await user.push('a', [change({ entity_id: 'kept' }), gone('old'), ...facts('fact', 2)])
    await aged(user, long)
    await user.push('a', [gone('young')])
    const before = await headOf(user)
    await purgeTombstones(sync.database, Date.now())
    expect(idsOf((await user.pull()).changes)).toEqual(['kept', 'fact-0', 'fact-1', 'young'])
    const after = await headOf(user)
    expect(after.stamp).toBe(before.stamp)
    expect(after.purged_ts).toBeGreaterThan(0)
    expect(after.purged_ts).toBeLessThan(after.stamp)
    await purgeTombstones(sync.database, Date.now())
    expect(await headOf(user)).toEqual(after)
  })

  test('a full pull of a year-old account ends, and so does the next pull, even if the newest row was a tombstone', async () => {
    const user = sync.user()
    for (let round = 0; round < 4; round += 1) await user.push('a', facts(`r${round}`, 5))
    await user.push('a', [gone('x'), gone('y')])
    await aged(user, 365 * 86_400_000)
    await purgeTombstones(sync.database, Date.now())
    const { changes, cursor_ts, pages } = await user.pullAll({ limit: 5 })
    expect([changes.length, pages.length]).toEqual([20, 4])
    expect(cursor_ts).toBe(new Date((await headOf(user)).purged_ts).toISOString())
    expect(await user.pull({ cursor_ts })).toEqual({ changes: [], has_more: false, cursor_ts, epoch })
  })

  test('an account with only tombstones is empty and can be pulled', async () => {
    const user = sync.user()
    await user.push('a', [gone('x')])
    await aged(user, long)
    await purgeTombstones(sync.database, Date.now())
    const { cursor_ts, changes } = await user.pullAll()
    expect(changes).toEqual([])
    expect(await user.pull({ cursor_ts })).toMatchObject({ changes: [], cursor_ts })
    await user.push('b', [change()])
    expect((await user.pull({ cursor_ts })).changes).toEqual([change()])
  })

  test('a cursor before the purge is too old; at it or with a later snapshot it is not; the recovery ends', async () => {
    const user = sync.user()
    const { cursor_ts: old } = await user.push('a', facts('one', 2))
    const { cursor_ts: deleted } = await user.push('a', [gone('x')])
    await user.push('a', facts('two', 2))
    await aged(user, long)
    const [cursor, purged] = [old, deleted].map((ts) => earlier(ts, long)) as [string, string]
    expect((await user.pull({ cursor_ts: cursor })).changes).toHaveLength(3)

    await purgeTombstones(sync.database, Date.now())
    await expect(user.pull({ cursor_ts: cursor })).rejects.toMatchObject({ code: 'cursor_expired' })
    await expect(user.pull({ cursor_ts: cursor, snapshot_ts: earlier(purged) })).rejects.toMatchObject({ code: 'cursor_expired' })
    expect((await user.pull({ cursor_ts: purged })).changes).toEqual(facts('two', 2))
    expect((await user.pull({ cursor_ts: cursor, snapshot_ts: purged })).changes).toEqual(facts('two', 2))

    const { changes, cursor_ts } = await user.pullAll({ limit: 1 })
    expect(changes).toHaveLength(4)
    expect(await user.pull({ cursor_ts })).toMatchObject({ changes: [], has_more: false, cursor_ts })
  })

  test('during a full pull does not abort it', async () => {
    const user = sync.user()
    await user.push('a', facts('one', 2))
    await user.push('a', [gone('x')])
    await user.push('a', [gone('y')])
    await aged(user, long)
    const first = await user.pull({ limit: 1 })
    expect(first).toMatchObject({ has_more: true, snapshot_ts: new Date((await headOf(user)).stamp).toISOString() })
    await purgeTombstones(sync.database, Date.now())
    const query: PullQuery = { cursor_ts: first.cursor_ts, snapshot_ts: first.snapshot_ts ?? '' }
    const second = await user.pull(query)
    expect(second).toMatchObject({ changes: [], has_more: false, snapshot_ts: first.snapshot_ts })
    expect(await user.pull({ cursor_ts: second.cursor_ts })).toMatchObject({ changes: [], has_more: false })
  })

  test('deletes more rows than fit in one transaction', async () => {
    const user = sync.user()
    await user.push('a', [gone('x')])
    await sync.database.owner`
      insert into tandem.sync_entities
      select user_id, stamp, version, n, merged, op, entity_type, 'tomb-' || n, updated_at, device_id, content_hash, record
      from tandem.sync_entities, generate_series(1, 10000) n where user_id = ${user.user_id}`
    await aged(user, long)
    await purgeTombstones(sync.database, Date.now())
    expect((await user.pull({ limit: 1000 })).changes).toEqual([])
  })
})
