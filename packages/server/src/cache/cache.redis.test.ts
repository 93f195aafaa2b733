// Tests that apply to both caches.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { type Cache, CacheUnavailable, openCache } from './cache.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(() => redis.stop())

const kinds = [
  ['in_process', () => openCache({ kind: 'in_process' }, unexpected)],
  ['redis', () => openCache({ kind: 'redis', url: redis.url }, unexpected)],
] as const

describe.each(kinds)('%s', (kind, open) => {
  let cache: Cache
  beforeAll(async () => {
    cache = await open()
  })
  afterAll(() => cache.close())

  test('reports its kind and answers a ping', async () => {
    expect(cache.kind).toBe(kind)
    await cache.ping()
  })

  test('returns what was set, and undefined otherwise', async () => {
    await cache.set('a', 'one', 60)
    await cache.set('b', '', 60)
    await cache.set('ü/🙂 x', 'line\nbreak \u0000 ü', 60)
    expect(await cache.get('a')).toBe('one')
    expect(await cache.get('missing')).toBeUndefined()
    expect(await cache.getMany(['b', 'missing', 'ü/🙂 x', 'a'])).toEqual(['', undefined, 'line\nbreak \u0000 ü', 'one'])
    expect(await cache.getMany([])).toEqual([])
  })

  test('overwrites, and deletes many at once', async () => {
    await cache.set('c', 'one', 60)
    await cache.set('c', 'two', 60)
    await cache.set('d', 'three', 60)
    expect(await cache.getMany(['c', 'd'])).toEqual(['two', 'three'])
    await cache.delete('c', 'd', 'missing')
    await cache.delete()
    expect(await cache.getMany(['c', 'd'])).toEqual([undefined, undefined])
  })

  test('a value expires after its time to live', async () => {
    await cache.set('short', 'x', 0.05)
    await cache.set('long', 'x', 60)
    await sleep(80)
    expect(await cache.getMany(['short', 'long'])).toEqual([undefined, 'x'])
  })

  test('adds once, until it expires', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => cache.add('once', String(n), 60)))
    expect(outcomes).toEqual([true, false, false, false])
    expect(await cache.get('once')).toBe('1')
    expect(await cache.add('soon', '1', 0.05)).toBe(true)
    await waitFor(() => cache.add('soon', '2', 60))
    expect(await cache.get('soon')).toBe('2')
  })

  test('takes from a window until it is empty, and returns when to retry', async () => {
    const limit = { points: 3, seconds: 60 }
    expect(await cache.take('w1', limit)).toEqual({ allowed: true, limit: 3, remaining: 2, reset_seconds: 20, degraded: false })
    expect(await cache.take('w1', limit, 2)).toEqual({ allowed: true, limit: 3, remaining: 0, reset_seconds: 60, degraded: false })
    expect(await cache.take('w1', limit)).toEqual({ allowed: false, limit: 3, remaining: 0, reset_seconds: 20, degraded: false })
    expect(await cache.take('w1', limit, 0)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await cache.take('w2', limit, 4)).toEqual({ allowed: false, limit: 3, remaining: 3, reset_seconds: 60, degraded: false })
    expect(await cache.take('w2', limit, 0)).toEqual({ allowed: true, limit: 3, remaining: 3, reset_seconds: 0, degraded: false })
  })

  test('a window refills over time', async () => {
    // The next one fits after four seconds: long enough to be refused before, even on a busy machine.
    const limit = { points: 2, seconds: 8 }
    expect((await cache.take('w3', limit, 2)).allowed).toBe(true)
    expect((await cache.take('w3', limit)).allowed).toBe(false)
    await waitFor(async () => (await cache.take('w3', limit)).allowed)
    await waitFor(async () => (await cache.take('w3', limit, 0)).remaining === 2, 40_000)
  })

  test('returns points, but never more than the window holds', async () => {
    const limit = { points: 10, seconds: 3600 }
    await cache.take('given', limit, 8)
    expect(await cache.take('given', limit, -5)).toMatchObject({ allowed: true, remaining: 7 })
    expect(await cache.take('given', limit, -500)).toMatchObject({ allowed: true, remaining: 10 })
    expect(await cache.take('given', limit, 10)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await cache.take('given', limit, 1)).toMatchObject({ allowed: false })
  })

  test('admits by several windows at once, up to the first that refuses, and reads a key', async () => {
    const [wide, narrow] = [
      { key: 'admit-wide', window: { points: 10, seconds: 60 } },
      { key: 'admit-narrow', window: { points: 1, seconds: 60 } },
    ]
    await cache.set('admit-value', 'seen', 60)
    const take = (allowed: boolean, limit: number, remaining: number, reset_seconds: number) => ({
      ...{ allowed, limit, remaining, reset_seconds },
      degraded: false,
    })
    expect(await cache.admit([wide, narrow], 'admit-value')).toEqual({
      takes: [take(true, 10, 9, 6), take(true, 1, 0, 60)],
      value: 'seen',
    })
    expect(await cache.admit([narrow, wide], 'admit-value')).toEqual({ takes: [take(false, 1, 0, 60)], value: undefined })
    expect((await cache.take('admit-wide', wide.window, 0)).remaining).toBe(9)
    expect(await cache.admit([], 'admit-missing')).toEqual({ takes: [], value: undefined })
    expect(await cache.admit([wide])).toMatchObject({ takes: [{ allowed: true, remaining: 8 }] })
  })

  test('enters by several windows at once, up to the first that refuses, and adds an entry only if all allow', async () => {
    const wide = { key: 'enter-wide', window: { points: 100, seconds: 60 }, cost: 40 }
    const narrow = { key: 'enter-narrow', window: { points: 1, seconds: 60 }, cost: 1 }
    const entry = (value: string) => ({ key: 'enter-entry', value, seconds: 60 })
    expect(await cache.enter([narrow, wide], entry('one'))).toMatchObject({
      takes: [
        { allowed: true, remaining: 0, degraded: false },
        { allowed: true, remaining: 60, degraded: false },
      ],
      entry: 'added',
    })
    const refused = await cache.enter([narrow, wide], { ...entry('two'), key: 'enter-other' })
    expect(refused).toEqual({ takes: [expect.objectContaining({ allowed: false, remaining: 0 })], entry: undefined })
    expect(await cache.getMany(['enter-entry', 'enter-other'])).toEqual(['one', undefined])
    // The window after the one that refused was not charged.
    expect((await cache.take(wide.key, wide.window, 0)).remaining).toBe(60)
    expect(await cache.enter([wide], entry('three'))).toMatchObject({ takes: [{ allowed: true, remaining: 20 }], entry: 'taken' })
    expect(await cache.enter([], { ...entry('four'), key: 'enter-brief', seconds: 0.05 })).toEqual({ takes: [], entry: 'added' })
    await sleep(80)
    expect(await cache.getMany(['enter-entry', 'enter-brief'])).toEqual(['one', undefined])
    expect(await cache.enter([{ ...wide, cost: 0 }])).toMatchObject({ takes: [{ remaining: 20 }], entry: undefined })
  })

  test('leaves with as much of the cost as there is, and deletes an entry only with its value', async () => {
    const window = { points: 100, seconds: 6_000 }
    const left = async () => (await cache.take('leave-window', window, 0)).remaining
    await cache.set('leave-entry', 'mine', 60)
    await cache.leave({ key: 'leave-window', window, cost: 30 }, { key: 'leave-entry', value: 'another' })
    expect([await left(), await cache.get('leave-entry')]).toEqual([70, 'mine'])
    await cache.leave({ key: 'leave-window', window, cost: -20 }, { key: 'leave-entry', value: 'mine' })
    expect([await left(), await cache.get('leave-entry')]).toEqual([90, undefined])
    await cache.leave({ key: 'leave-window', window, cost: 100 })
    expect(await left()).toBe(0)
    await cache.set('leave-entry', 'mine', 60)
    await cache.leave(undefined, { key: 'leave-entry', value: 'mine' })
    await cache.leave(undefined)
    expect([await left(), await cache.get('leave-entry')]).toEqual([0, undefined])
  })

  test('an announcement sets its value, and marks once, unless its window refuses', async () => {
    const announcement = (value: string) => ({
      limit: { key: 'announce-limit', window: { points: 2, seconds: 60 } },
      ...{ key: 'announce-value', value, seconds: 60 },
      mark: { key: 'announce-mark', seconds: 60 },
    })
    expect(await cache.announce(announcement('one'))).toMatchObject({ take: { allowed: true, remaining: 1 }, isNew: true, marked: true })
    expect(await cache.announce(announcement('two'))).toMatchObject({ take: { allowed: true, remaining: 0 }, isNew: false, marked: false })
    expect(await cache.announce(announcement('three'))).toMatchObject({ take: { allowed: false }, isNew: false, marked: false })
    expect(await cache.get('announce-value')).toBe('two')
  })

  test('announces together with the admission if every window allows it and the proof holds', async () => {
    const windows = ['admit-1', 'admit-2'].map((key) => ({ key, window: { points: 5, seconds: 60 } }))
    const announcement = (value: string) => ({
      limit: { key: 'together-limit', window: { points: 2, seconds: 60 } },
      ...{ key: 'together-value', value, seconds: 60 },
      mark: { key: 'together-mark', seconds: 60 },
    })
    const admit = (value: string) => cache.admitAndAnnounce(windows, { key: 'proof', above: 100, most: 200 }, announcement(value))
    const takes = (remaining: number) => [1, 2].map(() => expect.objectContaining({ allowed: true, remaining }))
    expect(await admit('no proof')).toEqual({ takes: takes(4), value: undefined, announced: undefined })
    for (const [value, remaining] of [['ended', 3] as const, ['100', 2] as const]) {
      await cache.set('proof', value, 60)
      expect(await admit(value)).toEqual({ takes: takes(remaining), value, announced: undefined })
    }
    expect(await cache.get('together-value')).toBe(undefined)
    await cache.set('proof', '200', 60)
    const first = { take: expect.objectContaining({ allowed: true, remaining: 1 }), isNew: true, marked: true }
    expect(await admit('one')).toEqual({ takes: takes(1), value: '200', announced: first })
    const second = { take: expect.objectContaining({ allowed: true, remaining: 0 }), isNew: false, marked: false }
    expect(await admit('two')).toEqual({ takes: takes(0), value: '200', announced: second })
    const refused = await admit('three')
    expect(refused).toMatchObject({ takes: [{ allowed: false }], value: undefined, announced: undefined })
    expect(await cache.get('together-value')).toBe('two')
    // Its own window refuses it too.
    const more = await cache.admitAndAnnounce([], { key: 'proof', above: 199, most: 201 }, announcement('four'))
    expect(more).toMatchObject({ takes: [], announced: { take: { allowed: false }, isNew: false, marked: false } })
    expect(await cache.get('together-value')).toBe('two')
  })

  test('replaces every value but the one to keep', async () => {
    await cache.replaceUnless('kept', 'replaced', 'one', 60)
    await cache.replaceUnless('kept', 'replaced', 'two', 60)
    expect(await cache.get('replaced')).toBe('two')
    await cache.set('replaced', 'kept', 60)
    await cache.replaceUnless('kept', 'replaced', 'three', 60)
    expect(await cache.get('replaced')).toBe('kept')
  })

  test('concurrent takes never exceed the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }),
        async (key, points, costs) => {
          const taken = await Promise.all(costs.map((cost) => cache.take(key, { points, seconds: 3600 }, cost)))
          let left = points
          for (const [i, { allowed, remaining }] of taken.entries()) {
            const cost = costs[i] ?? 0
            const fits = cost <= left
            if (fits) left -= cost
            expect({ allowed, remaining }).toEqual({ allowed: fits, remaining: left })
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('delivers to each listener of a channel, in order, until it unsubscribes', async () => {
    const first: string[] = []
    const second: string[] = []
    const other: string[] = []
    const leaveFirst = await cache.subscribe('news', (message) => first.push(message))
    const leaveSecond = await cache.subscribe('news', (message) => second.push(message))
    const leaveOther = await cache.subscribe('other', (message) => other.push(message))
    for (const message of ['1', '2', '3']) await cache.publish('news', message)
    await waitFor(() => first.length === 3 && second.length === 3)
    await leaveFirst()
    await leaveFirst()
    await cache.publish('news', '4')
    await cache.publish('other', 'x')
    await waitFor(() => second.length === 4 && other.length === 1)
    expect({ first, second, other }).toEqual({ first: ['1', '2', '3'], second: ['1', '2', '3', '4'], other: ['x'] })
    await Promise.all([leaveSecond(), leaveOther()])
    await cache.publish('news', 'nobody')
  })

  test('a listener that unsubscribes and subscribes again immediately gets messages', async () => {
    const heard: string[] = []
    const leave = await cache.subscribe('door', () => undefined)
    const [back] = await Promise.all([cache.subscribe('door', (message) => heard.push(message)), leave()])
    await cache.publish('door', 'knock')
    await waitFor(() => heard.length === 1)
    await back()
  })

  test('a listener that throws does not affect the others, and is logged', async () => {
    const lines: string[] = []
    const own = await (kind === 'redis'
      ? openCache({ kind: 'redis', url: redis.url }, (line) => lines.push(line))
      : openCache({ kind: 'in_process' }, (line) => lines.push(line)))
    const heard: string[] = []
    await own.subscribe('faulty', () => {
      throw new Error('oops')
    })
    await own.subscribe('faulty', (message) => heard.push(message))
    await own.publish('faulty', 'm')
    await waitFor(() => heard.length === 1)
    expect(lines).toEqual(['cache: a listener of faulty failed: oops'])
    await own.close()
  })

  test('after close every call fails, and take still answers', async () => {
    const own = await open()
    await own.close()
    await expect(own.get('a')).rejects.toThrow(CacheUnavailable)
    await expect(own.set('a', 'b', 1)).rejects.toThrow(CacheUnavailable)
    await expect(own.publish('a', 'b')).rejects.toThrow(CacheUnavailable)
    await expect(own.subscribe('a', () => undefined)).rejects.toThrow(CacheUnavailable)
    await expect(own.ping()).rejects.toThrow(CacheUnavailable)
    expect((await own.take('a', { points: 1, seconds: 1 })).allowed).toBe(true)
  })
})

test('two nodes on one Redis share values, limits and messages', async () => {
  const [one, two] = await Promise.all([
    openCache({ kind: 'redis', url: redis.url }, unexpected),
    openCache({ kind: 'redis', url: redis.url }, unexpected),
  ])
  const heard: string[] = []
  await two.subscribe('between', (message) => heard.push(message))
  await one.set('shared', 'v', 60)
  await one.take('shared', { points: 2, seconds: 60 }, 2)
  await one.publish('between', 'hello')
  await waitFor(() => heard.length === 1)
  expect([await two.get('shared'), (await two.take('shared', { points: 2, seconds: 60 })).allowed, heard]).toEqual(['v', false, ['hello']])
  await Promise.all([one.close(), two.close()])
})

test('after the Redis clock was set back, a window is full again within its span', async () => {
  const cache = await openCache({ kind: 'redis', url: redis.url }, unexpected)
  const direct = new Redis(redis.url)
  try {
    const limit = { points: 2, seconds: 2 }
    // The state after the clock is set back by an hour: a time that no call could have reached.
    const ahead = (Date.now() + 3_600_000) * 1_000
    await direct.set('tandem:limit:back', ahead, 'EX', 3_602)
    expect(await cache.take('back', limit)).toEqual({ allowed: false, limit: 2, remaining: 0, reset_seconds: 1, degraded: false })
    await sleep(1_100)
    expect((await cache.take('back', limit)).allowed).toBe(true)
  } finally {
    direct.disconnect()
    await cache.close()
  }
})

function unexpected(line: string): never {
  throw new Error(`unexpected log: ${line}`)
}
