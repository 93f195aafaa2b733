// Two nodes, one Redis, one PostgreSQL: quotas are shared, and survive the loss of Redis.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { noon, recordingLog, storedRows } from '../../../test/support/test-calls.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/test-database.ts'
import { granted, meteredCall, noLimits, outcome } from '../../../test/support/test-meter.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/test-redis.ts'
import { waitFor } from '../../../test/support/test-wait.ts'
import { type Cache, openCache } from '../../cache/cache.ts'
import type { MeterLimits } from '../../config/llm/limits.ts'
import { newId } from '../../http/id.ts'
import type { Meter } from '../meter.ts'
import { openMeter } from './open-meter.ts'

let ground: TestDatabase
let redis: TestRedis
let caches: Cache[]
let meters: Meter[]

beforeAll(async () => {
  ground = await testDatabase()
})
afterAll(() => ground.close())
beforeEach(async () => {
  redis = await startTestRedis()
  caches = await Promise.all([1, 2].map(() => openCache({ kind: 'redis', url: redis.url }, () => undefined)))
  meters = []
})
afterEach(async () => {
  await Promise.all(meters.map((meter) => meter.close()))
  await Promise.all(caches.map((cache) => cache.close()))
  await redis.stop()
})

function openTwo(limits: Partial<MeterLimits>): [Meter, Meter] {
  const { database } = ground
  const open = (cache: Cache) => openMeter({ database, cache, log: recordingLog().log, now: () => noon }, { ...noLimits, ...limits })
  const [first, second] = caches.map(open)
  if (!first || !second) throw new Error('two caches make two meters')
  meters.push(first, second)
  return [first, second]
}

test('windows of a minute and concurrent calls are limited per user, not per node', async () => {
  const [first, second] = openTwo({ requests_per_minute: 4, calls_in_flight: 2 })
  const user_id = newId(noon)
  const held = granted(await first.reserve(meteredCall(user_id)))
  granted(await second.reserve(meteredCall(user_id)))
  expect(await second.reserve(meteredCall(user_id))).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringMatching(/model calls at the same time/),
  })
  held.settle(outcome())
  granted(await second.reserve(meteredCall(user_id)))
  expect(await first.reserve(meteredCall(user_id))).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringMatching(/4 requests per minute/),
  })
})

test('both nodes share one budget, which is spent completely and never exceeded', async () => {
  const both = openTwo({ tokens_per_month: 20_000, calls_in_flight: 6 })
  const user_id = newId(noon)
  let refused = 0
  const caller = async (meter: Meter): Promise<void> => {
    while (refused < 5) {
      const reserved = await meter.reserve(meteredCall(user_id, { estimated_input_tokens: 100, max_output_tokens: 400 }))
      if (!reserved.ok && reserved.code === 'quota_exceeded') refused += 1
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
      if (reserved.ok) reserved.reservation.settle(outcome({ input: 100, output: Math.floor(Math.random() * 401) }))
    }
  }
  await Promise.all([...both, ...both, ...both, ...both].map(caller))
  await Promise.all(both.map((meter) => meter.close()))
  const sum = (await storedRows(ground.database, user_id)).reduce((all, row) => all + row.input_tokens + row.output_tokens, 0)
  expect(sum).toBeLessThanOrEqual(20_000)
  expect(sum).toBeGreaterThan(20_000 - 500)
})

test('without Redis budgets are refused; when it is back empty, the sum comes from PostgreSQL and calls in progress claim again', async () => {
  const [first, second] = openTwo({ tokens_per_month: 1_000 })
  const user_id = newId(noon)
  granted(await first.reserve(meteredCall(user_id))).settle(outcome({ input: 300 }))
  const held = granted(await first.reserve(meteredCall(user_id, { max_output_tokens: 300 })))
  await first.report(user_id, {})
  await redis.kill()
  await waitFor(async () => {
    const reserved = await second.reserve(meteredCall(user_id))
    return !reserved.ok && reserved.code === 'cache_unavailable'
  })
  await redis.restart()
  // 300 spent, 400 claimed: 301 more do not fit, 300 do.
  const large = meteredCall(user_id, { estimated_input_tokens: 0, max_output_tokens: 301 })
  await waitFor(async () => {
    const reserved = await second.reserve({ ...large, generation_id: newId(noon) })
    if (reserved.ok) reserved.reservation.settle(outcome({ input: 0 }))
    return !reserved.ok && reserved.code === 'rate_limited'
  }, 40_000)
  granted(await second.reserve({ ...large, max_output_tokens: 300 })).settle(outcome({ input: 0, output: 300 }))
  held.settle(outcome({ input: 400 }))
  await Promise.all([first.report(user_id, {}), second.report(user_id, {})])
  await waitFor(async () => {
    const reserved = await first.reserve(meteredCall(user_id, { estimated_input_tokens: 0, max_output_tokens: 1 }))
    return !reserved.ok && reserved.code === 'quota_exceeded'
  })
})
