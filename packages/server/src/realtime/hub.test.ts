// How sockets are told to pull after messages between nodes were lost.
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Cache } from '../cache/cache.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import { nextRenewals, openHub, renewals } from './hub.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A hub with `count` sockets of as many users, whose cache reconnects on command; time passes tick by tick. */
async function hubWith(count: number, busy: (tick: number) => boolean) {
  const cache = openInProcessCache({ log: () => undefined })
  let reconnect: () => void = () => undefined
  const onReconnect = (listener: () => void) => {
    reconnect = listener
  }
  const wired: Cache = { ...cache, onReconnect }
  let tick = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const told: number[] = []
  const hub = openHub(wired, () => undefined, {
    async pause() {
      tick += 1
    },
  })
  closers.push(() => hub.close())
  for (let n = 0; n < count; n += 1)
    await hub.join(`user-${n}`, { session_id: undefined, tell: () => undefined, endSession: () => undefined })
  let total = 0
  hub.onLoss(
    () => {
      told[tick] = (told[tick] ?? 0) + 1
      total += 1
      if (total === count) resolve()
    },
    () => busy(tick),
  )
  reconnect()
  await done
  return told
}

test('an idle node tells more and more of its sockets, up to a limit', async () => {
  expect(await hubWith(400, () => false)).toEqual([10, 15, 20, 25, 30, 35, 40, 45, 50, 50, 50, 30])
})

test('a node with waiting requests tells fewer, and each of them still once', async () => {
  expect(await hubWith(60, (tick) => tick >= 2 && tick < 6)).toEqual([10, 15, 7, 3, 1, 1, 6, 11, 6])
})

test('a node that is busy from the start tells one per tick', async () => {
  expect(await hubWith(5, () => true)).toEqual([1, 1, 1, 1, 1])
})

test('the number per tick stays between its bounds, whatever the load', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (loads) => {
      let share = renewals.first
      for (const busy of loads) {
        const next = nextRenewals(share, busy)
        expect(next).toBeGreaterThanOrEqual(renewals.least)
        expect(next).toBeLessThanOrEqual(renewals.most)
        expect(busy ? next <= share : next >= share).toBe(true)
        share = next
      }
    }),
  )
})
