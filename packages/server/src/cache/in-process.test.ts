import { expect, test } from 'vitest'
import { type CacheClock, openInProcessCache } from './in-process.ts'

test('expired keys are deleted by the next sweep, even if no one reads them', async () => {
  const clock = handClock()
  const cache = openInProcessCache({ log: () => undefined, clock })
  await cache.set('short', 'x', 10)
  await cache.set('long', 'x', 1000)
  await cache.take('window', { points: 1, seconds: 10 })
  expect(cache.size).toBe(3)
  clock.advance(31_000)
  expect([cache.size, await cache.get('long')]).toEqual([1, 'x'])
})

test('memory is bounded: the oldest written key is evicted first', async () => {
  const cache = openInProcessCache({ log: () => undefined, clock: handClock(), maxKeys: 3 })
  for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.set(key, key, 60)
  expect([cache.size, await cache.getMany(['a', 'b', 'c', 'd'])]).toEqual([3, ['a', undefined, 'c', 'd']])
  for (let n = 0; n < 100; n++) await cache.take(`w${n}`, { points: 1, seconds: 60 })
  expect(cache.size).toBe(6)
})

test('closing stops the sweep', async () => {
  const clock = handClock()
  await openInProcessCache({ log: () => undefined, clock }).close()
  expect(clock.timers).toBe(0)
})

function handClock(): CacheClock & { advance(ms: number): void; readonly timers: number } {
  let now = 1_700_000_000_000
  const timers = new Set<() => void>()
  return {
    now: () => now,
    every(_ms, run) {
      timers.add(run)
      return () => timers.delete(run)
    },
    advance(ms) {
      now += ms
      for (const run of timers) run()
    },
    get timers() {
      return timers.size
    },
  }
}

test('after the clock was set back, a window is full again within its span', async () => {
  let now = 1_700_000_000_000
  const cache = openInProcessCache({ log: () => undefined, clock: { now: () => now, every: () => () => undefined } })
  const limit = { points: 2, seconds: 60 }
  await cache.take('back', limit, 2)
  now -= 3_600_000
  expect(await cache.take('back', limit)).toEqual({ allowed: false, limit: 2, remaining: 0, reset_seconds: 30, degraded: false })
  now += 30_000
  expect((await cache.take('back', limit)).allowed).toBe(true)
  await cache.close()
})
