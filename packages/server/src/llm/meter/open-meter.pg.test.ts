import { UsageReport } from '@tandem/contract/llm/schema'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noon, recordingLog, storedRows, unreliableDatabase } from '../../../test/support/test-calls.ts'
import { type TestDatabase, testDatabase } from '../../../test/support/test-database.ts'
import { granted, meteredCall, noLimits, outcome, unreliableCache } from '../../../test/support/test-meter.ts'
import { waitFor } from '../../../test/support/test-wait.ts'
import { type Cache, openCache } from '../../cache/cache.ts'
import type { MeterLimits } from '../../config/llm/limits.ts'
import { newId } from '../../http/id.ts'
import { capacity } from '../ledger/ledger.ts'
import type { Meter } from '../meter.ts'
import { openMeter } from './open-meter.ts'

let ground: TestDatabase
let cache: Cache
let clock = noon

beforeAll(async () => {
  ground = await testDatabase()
  cache = await openCache({ kind: 'in_process' }, () => undefined)
})
afterAll(async () => {
  await cache.close()
  await ground.close()
})

function open(limits: Partial<MeterLimits> = {}, parts: Partial<Parameters<typeof openMeter>[0]> = {}): Meter {
  const { database } = ground
  return openMeter({ database, cache, log: recordingLog().log, now: () => clock, ...parts }, { ...noLimits, ...limits })
}

const september = { since: '2026-09-01', until: '2026-09-30' }

test('a call is settled once, and its row has the outcome', async () => {
  const meter = open()
  const user_id = newId(noon)
  const call = meteredCall(user_id, { operation: 'messages', device_id: null })
  const { settle, headers } = granted(await meter.reserve(call))
  settle(outcome({ input: 7, output: 9 }, { status: 502, model: 'demo/other', attempts: 3, first_byte_ms: null }))
  settle(outcome({ input: 1_000, output: 1_000 }))
  await meter.close()
  expect(headers).toEqual({})
  expect(await storedRows(ground.database, user_id)).toEqual([
    {
      ...{ user_id, generation_id: call.generation_id, ts: noon, device_id: null, operation: 'messages', model: 'demo/other', status: 502 },
      ...{ input_tokens: 7, cached_input_tokens: 0, output_tokens: 9, estimated: false, aborted: false, attempts: 3 },
      ...{ first_byte_ms: null, duration_ms: 10, ended: true },
    },
  ])
})

test('limits concurrent calls, and admits the next when one has ended', async () => {
  const meter = open({ calls_in_flight: 2 })
  const user_id = newId(noon)
  const [first] = [granted(await meter.reserve(meteredCall(user_id))), granted(await meter.reserve(meteredCall(user_id)))]
  expect(await meter.reserve(meteredCall(user_id))).toEqual({
    ...{ ok: false, code: 'rate_limited', detail: 'more than 2 model calls at the same time', retry_after_seconds: 1 },
  })
  granted(await meter.reserve(meteredCall(newId(noon))))
  first.settle(outcome())
  granted(await meter.reserve(meteredCall(user_id)))
  await meter.close()
})

test('sequential calls are never too many at once, with or without a budget', async () => {
  for (const tokens_per_month of [0, 1_000_000]) {
    const meter = open({ calls_in_flight: 1, tokens_per_month })
    const user_id = newId(noon)
    for (let n = 0; n < 40; n += 1) granted(await meter.reserve(meteredCall(user_id))).settle(outcome())
    await meter.close()
    expect((await storedRows(ground.database, user_id)).length).toBe(40)
  }
})

test('the windows of a minute refuse with a retry time; a refusal holds no slot', async () => {
  const meter = open({ requests_per_minute: 3, tokens_per_minute: 1_000, calls_in_flight: 3 })
  const user_id = newId(noon)
  const { headers, settle } = granted(await meter.reserve(meteredCall(user_id)))
  expect(headers).toMatchObject({ 'x-ratelimit-remaining-requests': '2', 'x-ratelimit-remaining-tokens': '900' })
  settle(outcome({ input: 100, output: 500 }))
  granted(await meter.reserve(meteredCall(user_id)))
  expect(await meter.reserve(meteredCall(user_id, { estimated_input_tokens: 900 }))).toMatchObject({ ok: false, code: 'rate_limited' })
  expect(await meter.reserve(meteredCall(user_id))).toMatchObject({ code: 'rate_limited', retry_after_seconds: 20 })
  await meter.close()
})

test('a budget can be spent completely, includes other nodes, and starts again in a new month', async () => {
  const limits = { tokens_per_month: 1_000 }
  const user_id = newId(noon)
  const before = open()
  granted(await before.reserve(meteredCall(user_id))).settle(outcome({ input: 500, output: 100 }))
  await before.close()

  const [first, second] = [open(limits), open(limits)]
  const renews = 'until 2026-10-01T00:00:00.000Z'
  expect(await first.reserve(meteredCall(user_id, { max_output_tokens: 301 }))).toEqual({
    ...{ ok: false, code: 'quota_exceeded', detail: `400 of 1000 tokens are left ${renews}, and this call may need 401` },
    retry_after_seconds: (Date.parse('2026-10-01T00:00:00.000Z') - noon) / 1_000,
  })
  const held = granted(await first.reserve(meteredCall(user_id, { max_output_tokens: 200 })))
  expect(await second.reserve(meteredCall(user_id))).toMatchObject({ ok: false, code: 'rate_limited', retry_after_seconds: 2 })
  held.settle(outcome({ input: 100, output: 10 }))
  granted(await second.reserve(meteredCall(user_id))).settle(outcome({ input: 200 }, { aborted: true, status: 499 }))
  expect((await second.report(user_id, {})).quota).toMatchObject({ tokens: 1_000, renews_at: '2026-10-01T00:00:00.000Z' })
  expect((await first.report(user_id, {})).quota?.used_tokens).toBe(910)
  await waitFor(async () => {
    const reserved = await second.reserve(meteredCall(user_id, { estimated_input_tokens: 0, max_output_tokens: 91 }))
    return !reserved.ok && reserved.detail.startsWith('90 of 1000')
  })
  clock = Date.parse('2026-10-01T00:00:00.000Z')
  granted(await second.reserve(meteredCall(user_id, { max_output_tokens: 900 }))).settle(outcome())
  clock = noon
  await Promise.all([first.close(), second.close()])
})

test('many concurrent calls on three nodes spend a budget completely and never exceed it', async () => {
  const meters = Array.from({ length: 3 }, () => open({ tokens_per_month: 10_000, calls_in_flight: 8 }))
  const user_id = newId(noon)
  let refused = 0
  const caller = async (meter: Meter): Promise<void> => {
    while (refused < 5) {
      const reserved = await meter.reserve(meteredCall(user_id, { estimated_input_tokens: 50, max_output_tokens: 250 }))
      if (!reserved.ok && reserved.code === 'quota_exceeded') refused += 1
      if (reserved.ok) reserved.reservation.settle(outcome({ input: 50, output: Math.floor(Math.random() * 251) }))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.all(meters.flatMap((meter) => [caller(meter), caller(meter), caller(meter)]))
  await Promise.all(meters.map((meter) => meter.close()))
  const sum = (await storedRows(ground.database, user_id)).reduce((all, row) => all + row.input_tokens + row.output_tokens, 0)
  expect(sum).toBeLessThanOrEqual(10_000)
  expect(sum).toBeGreaterThan(10_000 - 300)
})

test('without the cache budgets are refused, everything else works, and concurrent calls are counted per node', async () => {
  const faulty = unreliableCache(cache)
  const user_id = newId(noon)
  const [budgeted, free] = [open({ tokens_per_month: 1_000 }, { cache: faulty }), open({ calls_in_flight: 2 }, { cache: faulty })]
  const started = [granted(await budgeted.reserve(meteredCall(user_id))), granted(await free.reserve(meteredCall(user_id)))]
  faulty.away = true
  expect(await budgeted.reserve(meteredCall(user_id))).toEqual({
    ...{ ok: false, code: 'cache_unavailable', detail: 'the token budget cannot be checked while the cache is unavailable' },
    retry_after_seconds: 2,
  })
  started.push(granted(await free.reserve(meteredCall(user_id))))
  expect(await free.reserve(meteredCall(user_id))).toMatchObject({ ok: false, code: 'rate_limited' })
  for (const { settle } of started) settle(outcome())
  granted(await free.reserve(meteredCall(user_id)))
  faulty.away = false
  await Promise.all([budgeted.close(), free.close()])
  expect((await storedRows(ground.database, user_id)).map(({ ended }) => ended).toSorted()).toEqual([false, true, true, true])
})

test('a call whose end is never reported counts as a request from the start, later as failed, and never against a budget', async () => {
  const meter = open({ tokens_per_month: 1_000 })
  const user_id = newId(noon)
  granted(await meter.reserve(meteredCall(user_id)))
  const reports = [await meter.report(user_id, september)]
  clock = noon + 61 * 60 * 1_000
  reports.push(await meter.report(user_id, september))
  clock = noon
  expect(reports.map(({ totals, quota }) => ({ ...totals, used_tokens: quota?.used_tokens }))).toEqual(
    [0, 1].map((failed_requests) => ({
      ...{ requests: 1, failed_requests, input_tokens: 100, cached_input_tokens: 0, output_tokens: 0, used_tokens: 0 },
    })),
  )
  await meter.close()
})

test('without PostgreSQL calls work until no more rows can be kept; with a budget only while its sum is known', async () => {
  const database = unreliableDatabase(ground.database)
  const [budgeted, free] = [open({ tokens_per_month: 1_000_000 }, { database }), open({ calls_in_flight: 256 }, { database })]
  const user_id = newId(noon)
  database.state = 'away'
  await expect(budgeted.reserve(meteredCall(user_id))).rejects.toMatchObject({ code: 'database_unavailable' })
  for (let n = 0; n < capacity; n += 1) granted(await free.reserve(meteredCall(user_id))).settle(outcome({ input: 1 }))
  await expect(free.reserve(meteredCall(user_id))).rejects.toMatchObject({ code: 'database_unavailable' })
  await expect(free.report(user_id, {})).rejects.toMatchObject({ code: 'database_unavailable' })
  database.state = 'well'
  expect((await free.report(user_id, september)).totals).toMatchObject({ requests: capacity, input_tokens: capacity })
  granted(await free.reserve(meteredCall(user_id)))
  await Promise.all([budgeted.close(), free.close()])
})

test('a report adds up by day, by model and by device', async () => {
  const minute = 60_000
  const call = fc.record({
    minutes: fc.integer({ min: -40 * 24 * 60, max: 20 * 24 * 60 }),
    device_id: fc.constantFrom(null, 'laptop', 'phone', 'Phone'),
    model: fc.constantFrom('demo/scripted', 'openai/gpt-x', 'openrouter/a/b:free'),
    status: fc.constantFrom(200, 399, 400, 499, 502),
    tokens: fc.tuple(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000)),
  })
  const query = fc.record(
    {
      since: fc.constantFrom('2026-08-20', '2026-09-15'),
      until: fc.constantFrom('2026-09-16', '2026-10-30'),
      model: fc.constantFrom('demo/scripted', 'openai/none'),
      device_id: fc.constantFrom('phone', 'tablet'),
    },
    { requiredKeys: [] },
  )
  const meter = open({ calls_in_flight: 256 })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 60, size: 'max' }), query, async (calls, query) => {
      const user_id = newId(noon)
      for (const { minutes, device_id, model, status, tokens } of calls) {
        clock = noon + minutes * minute
        const [input_tokens, cached, output_tokens] = tokens
        const usage = { input_tokens, cached_input_tokens: Math.min(cached, input_tokens), output_tokens, estimated: false }
        granted(await meter.reserve(meteredCall(user_id, { device_id }))).settle(outcome({}, { model, status, usage }))
      }
      clock = noon
      const report = await meter.report(user_id, query)
      expect(Value.Errors(UsageReport, report)).toEqual([])

      const since =
        query.since ?? (query.until === '2026-10-30' ? '2026-10-01' : query.until === '2026-09-16' ? '2026-08-18' : '2026-08-23')
      const until = query.until ?? '2026-09-21'
      const rows = calls
        .map((one) => ({ ...one, day: new Date(noon + one.minutes * minute).toISOString().slice(0, 10) }))
        .filter(({ day }) => day >= since && day <= until)
        .filter(({ model, device_id }) => (query.model ?? model) === model && (query.device_id ?? device_id) === device_id)
      const numbers = (some: typeof rows) => ({
        requests: some.length,
        failed_requests: some.filter(({ status }) => status >= 400).length,
        input_tokens: some.reduce((sum, { tokens: [input] }) => sum + input, 0),
        cached_input_tokens: some.reduce((sum, { tokens: [input, cached] }) => sum + Math.min(input, cached), 0),
        output_tokens: some.reduce((sum, { tokens: [, , output] }) => sum + output, 0),
      })
      const by = <Key extends string | null>(pick: (row: (typeof rows)[number]) => Key) =>
        [...Map.groupBy(rows, pick)].toSorted(([left], [right]) => (left === null || (right !== null && left > right) ? 1 : -1))
      expect(report).toEqual({
        since,
        until,
        totals: numbers(rows),
        by_day: by(({ day }) => day).map(([day, some]) => ({ day, ...numbers(some) })),
        by_model: by(({ model }) => model).map(([model, some]) => ({ model, ...numbers(some) })),
        by_device: by(({ device_id }) => device_id).map(([device_id, some]) => ({
          ...(device_id === null ? {} : { device_id }),
          ...numbers(some),
        })),
      })
    }),
    { numRuns: 40 },
  )
  await meter.close()
})

test('a report for invalid days is refused, with pointers', async () => {
  const meter = open()
  await expect(meter.report(newId(noon), { since: '2026-02-30' })).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/query/since', message: 'must be a valid date, in 1970 or later' }] },
  })
  await meter.close()
})
