// Redis down, back, and unresponsive, under load.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { type Cache, CacheUnavailable, openCache } from './cache.ts'

let redis: TestRedis
let cache: Cache
let lines: string[]
beforeEach(async () => {
  lines = []
  redis = await startTestRedis()
  cache = await openCache({ kind: 'redis', url: redis.url }, (line) => lines.push(line))
})
afterEach(async () => {
  await cache.close()
  await redis.stop()
})

const limit = { points: 2, seconds: 60 }
const works = (): Promise<boolean> =>
  cache.ping().then(
    () => true,
    () => false,
  )

describe('killed and started again', () => {
  test('calls fail immediately, take degrades, then everything recovers', async () => {
    const heard: string[] = []
    let reconnects = 0
    cache.onReconnect(() => reconnects++)
    await cache.subscribe('news', (message) => heard.push(message))
    await cache.publish('news', 'before')
    await waitFor(() => heard.length === 1)

    await redis.kill()
    await waitFor(async () => !(await works()))
    expect(await outcomes(20)).toEqual({ failed: 20, slowest_under_ms: 200 })
    expect(await cache.take('k', limit)).toEqual({ allowed: true, limit: 2, remaining: 1, reset_seconds: 30, degraded: true })
    expect(await cache.take('k', limit)).toMatchObject({ allowed: true, degraded: true })
    expect(await cache.take('k', limit)).toMatchObject({ allowed: false, degraded: true })
    const entry = { key: 'entry', value: 'mine', seconds: 60 }
    expect(await cache.enter([{ key: 'e', window: limit, cost: 1 }], entry)).toEqual({
      takes: [{ allowed: true, limit: 2, remaining: 1, reset_seconds: 30, degraded: true }],
      entry: undefined,
    })
    await cache.leave({ key: 'e', window: limit, cost: 1 }, entry)
    expect(await cache.enter([{ key: 'e', window: limit, cost: 1 }], entry)).toMatchObject({ takes: [{ allowed: false, degraded: true }] })
    await expect(cache.publish('news', 'lost')).rejects.toThrow(CacheUnavailable)
    // A listener added during the outage is kept.
    const late: string[] = []
    await cache.subscribe('late', (message) => late.push(message))

    await redis.restart()
    await waitFor(works, 40_000)
    await waitFor(() => reconnects === 1, 40_000)
    expect(await cache.take('k', limit)).toEqual({ allowed: true, limit: 2, remaining: 1, reset_seconds: 30, degraded: false })
    await cache.set('a', 'b', 60)
    await cache.publish('news', 'after')
    await cache.publish('late', 'after')
    await waitFor(() => heard.length === 2 && late.length === 1)
    expect({ heard, late, value: await cache.get('a'), reconnects }).toEqual({
      heard: ['before', 'after'],
      late: ['after'],
      value: 'b',
      reconnects: 1,
    })
    expect(lines.map((line) => line.replace(/available: .*/, 'available')).sort()).toEqual([
      'cache: commands are available again',
      'cache: commands are not available',
      'cache: messages are available again',
      'cache: messages are not available',
    ])
  })

  test('a restart under load loses no call: each one succeeds or fails', async () => {
    let answered = 0
    let refused = 0
    let stop = false
    const caller = async (): Promise<void> => {
      while (!stop) {
        const outcome = await Promise.allSettled([
          cache.set('k', 'v', 60),
          cache.get('k'),
          cache.take('load', { points: 1e6, seconds: 60 }),
        ])
        expect(outcome[2].status).toBe('fulfilled')
        for (const { status } of outcome.slice(0, 2)) status === 'fulfilled' ? answered++ : refused++
        await sleep(5)
      }
    }
    const callers = [1, 2, 3, 4].map(caller)
    await waitFor(() => answered > 50, 40_000)
    expect(refused).toBe(0)
    await redis.kill()
    await waitFor(() => refused > 0)
    await redis.restart()
    await waitFor(works, 40_000)
    const before = answered
    await waitFor(() => answered > before + 20, 40_000)
    stop = true
    await Promise.all(callers)
  })
})

describe('frozen', () => {
  test('no call takes longer than a second, and after the first ones none waits', async () => {
    redis.freeze()
    expect(await outcomes(10)).toEqual({ failed: 10, slowest_under_ms: 1000 })
    await waitFor(async () => (await outcomes(1)).slowest_under_ms === 200)
    expect(await outcomes(50)).toEqual({ failed: 50, slowest_under_ms: 200 })
    expect(await cache.take('k', limit)).toMatchObject({ allowed: true, degraded: true })
    redis.thaw()
    await waitFor(works, 40_000)
    expect(await cache.take('k', limit)).toMatchObject({ allowed: true, degraded: false })
  })

  test('an announcement that runs after its caller gave up leaves no mark', async () => {
    const announcement = {
      limit: { key: 'own', window: limit },
      ...{ key: 'value', value: 'here', seconds: 60 },
      mark: { key: 'mark', seconds: 60 },
    }
    const proof = { key: 'proof', above: 1, most: 3 }
    await cache.set('proof', '2', 60)
    // Scripts are loaded when they are first used.
    await cache.admitAndAnnounce([], { ...proof, above: 2 }, announcement)
    redis.freeze()
    const windows = [{ key: 'w', window: limit }]
    expect(await cache.admitAndAnnounce(windows, proof, announcement)).toEqual({
      takes: [expect.objectContaining({ allowed: true, degraded: true })],
      ...{ value: undefined, announced: undefined },
    })
    redis.thaw()
    await waitFor(works, 40_000)
    await waitFor(async () => (await cache.get('value')) === 'here')
    expect(await cache.announce(announcement)).toMatchObject({ isNew: false, marked: true })
  })

  test('the connection for messages detects it, and receives messages again afterwards', async () => {
    const heard: string[] = []
    let reconnects = 0
    cache.onReconnect(() => reconnects++)
    await cache.subscribe('news', (message) => heard.push(message))
    redis.freeze()
    await sleep(3_500) // longer than a heartbeat and its timeout
    redis.thaw()
    await waitFor(() => reconnects >= 1, 40_000)
    await waitFor(works, 40_000)
    await cache.publish('news', 'after')
    await waitFor(() => heard.length === 1)
  })
})

test('opening an unreachable cache fails within its deadline and reveals no secret', async () => {
  await redis.kill()
  const opening = openCache({ kind: 'redis', url: redis.url, password: 'hunter2secret' }, () => undefined)
  await expect(opening).rejects.toThrow(CacheUnavailable)
  await expect(opening).rejects.not.toThrow(/hunter2/)
})

async function outcomes(calls: number): Promise<{ failed: number; slowest_under_ms: 200 | 1000 | 10_000 }> {
  let failed = 0
  // Timers instead of a clock: on a busy machine they are late together with those of the calls, and stay in order.
  let slowest_under_ms: 200 | 1000 | 10_000 = 200
  const timers = [setTimeout(() => (slowest_under_ms = 1000), 200), setTimeout(() => (slowest_under_ms = 10_000), 1000)]
  await Promise.all(
    Array.from({ length: calls }, (_, n) =>
      cache.get(`k${n}`).catch((error) => {
        if (error instanceof CacheUnavailable) failed++
      }),
    ),
  )
  for (const timer of timers) clearTimeout(timer)
  return { failed, slowest_under_ms }
}
