import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costText, exampleText, growthOf, measuredOf, pageFile, ratesOf, readArguments, readMeasured, sizeOf, usual } from './sizing.ts'

const one = { node: 1, postgres: 2, redis: 0.1, wire: 1_000, wal: 4_000, disk: 0 }
const kinds = [
  ...['heartbeat', 'heartbeat that is stored', 'push of 10 changes', 'pull of 10 rows', 'report of 20 log records', 'model call'],
  ...['session read', 'hint', 'ping'],
]
const even = Object.fromEntries(kinds.map((kind) => [kind, one]))
const measured = (costs, redis_memory = 1_000) => ({ costs, redis_memory })

test('docs/operations/sizing.md has the figures that npm run sizing prints', () => {
  const page = readFileSync(pageFile, 'utf8')
  const figures = readMeasured()
  expect(page).toContain(costText(figures))
  expect(page).toContain(exampleText(figures))
})

test('every kind that the formula counts was measured', () => {
  const figures = readMeasured()
  expect(Object.keys(ratesOf({ users: 1, ...usual })).filter((kind) => figures.costs[kind] === undefined)).toEqual([])
  expect(Object.values(sizeOf(figures, { users: 1, ...usual })).filter(Number.isNaN)).toEqual([])
})

test('a workload, calculated by hand', () => {
  // 1,000 users × 2 devices × 0.25 = 500 online.
  const rates = ratesOf({ users: 1_000, ...usual })
  const expected = {
    // One per 30 s, of which one per 600 s is stored.
    heartbeat: 500 / 30 - 500 / 600,
    'heartbeat that is stored': 500 / 600,
    'push of 10 changes': (500 * 30) / 3_600,
    'pull of 10 rows': ((500 * 30) / 3_600) * 0.25,
    // 1,000 users × 50 records / 20 per report, a tenth of them in one hour.
    'report of 20 log records': 250 / 3_600,
    'model call': (500 * 10) / 3_600,
    // One for each other device that is online, and one per 30 s.
    hint: ((500 * 30) / 3_600) * 0.25,
    ping: 500 / 30,
    // A third of the heartbeats, and once per push, pull, report and call: 5.2778 + 4.1667 + 1.0417 + 0.0694 + 1.3889.
    'session read': 11.9444,
  }
  expect(Object.keys(rates)).toEqual(Object.keys(expected))
  for (const [kind, rate] of Object.entries(expected)) expect(rates[kind], kind).toBeCloseTo(rate, 3)

  const { requests_per_second, ...sizing } = sizeOf(measured(even), { users: 1_000, ...usual })
  // A session read is part of a request; messages of sockets are none.
  expect(requests_per_second).toBeCloseTo(16.6667 + 4.1667 + 1.0417 + 0.0694 + 1.3889, 3)
  expect(sizing).toMatchObject({ devices_online: 500, workers: 2, postgres_cores: 1, connections: 60, breaks: [] })
})

test('each kind of request costs what the table says', () => {
  const names = ['postgres', 'redis', 'wal', 'wire']
  const rates = ratesOf({ users: 1e6, ...usual })
  for (const [kind, rate] of Object.entries(rates)) {
    const none = Object.fromEntries(kinds.map((each) => [each, { ...one, node: 0, postgres: 0, redis: 0, wire: 0, wal: 0 }]))
    const only = { ...none, [kind]: { ...one, ...Object.fromEntries(names.map((name) => [name, 1_000])) } }
    const sizing = sizeOf(measured(only), { users: 1e6, ...usual })
    expect(sizing.postgres_cores, kind).toBe(Math.ceil(rate / 0.5))
    expect(sizing.redis_use, kind).toBeCloseTo(rate, 6)
    expect(sizing.wal_mb_per_second, kind).toBeCloseTo(rate / 1_000, 6)
    expect(sizing.network_mbit_per_second, kind).toBeCloseTo((rate * 8) / 1_000, 6)
  }
})

test('the disk grows by what the table says, and by nothing that retention deletes', () => {
  const costs = {
    ...even,
    'push of 10 changes': { ...one, disk: 20_000 },
    'report of 20 log records': { ...one, disk: 8_000 },
    'model call': { ...one, disk: 700 },
  }
  expect(growthOf(costs, { users: 1, ...usual })).toEqual({ changes: 200 * 2_000, log_records: 50 * 400, model_calls: 20 * 700 })
  const sizing = sizeOf(measured(costs), { users: 1_000, ...usual })
  expect(sizing.disk_gb_per_day).toBeCloseTo(0.4 + 0.02 + 0.014, 6)
  expect(sizing.disk_gb_per_day_of).toEqual({ changes: 0.4, log_records: 0.02, model_calls: 0.014 })
  // 1,000 · (365 · 400,000 + 30 · 20,000 + 365 · 14,000) bytes.
  expect(sizing.disk_gb_after_a_year).toBeCloseTo(151.71, 6)
})

test('with a limited history, older append-only entities are in files', () => {
  const costs = { ...even, 'push of 10 changes': { ...one, disk: 20_000 } }
  const after = (history_days, append_only = 0.8) => {
    const sizing = sizeOf(measured(costs), { users: 1_000, ...usual, history_days, append_only })
    return [sizing.disk_gb_after_a_year, sizing.history_gb_after_a_year]
  }
  // 200 changes of 2,000 bytes per user and day: 146 GB a year.
  expect(after(0)).toEqual([expect.closeTo(146, 6), 0])
  expect(after(400)).toEqual([expect.closeTo(146, 6), 0])
  expect(after(65)).toEqual([expect.closeTo(146 - 0.4 * 0.8 * 300, 6), expect.closeTo(0.4 * 0.8 * 300, 6)])
  expect(after(30, 1)).toEqual([expect.closeTo(0.4 * 30, 6), expect.closeTo(0.4 * 335, 6)])
})

test('the nearest limit is named with its use, even if none is exceeded', () => {
  const { nearest, breaks } = sizeOf(measured(even, 1e6), { users: 10_000, ...usual })
  // 5,000 devices online have 5 GB of 64.
  expect([nearest, breaks]).toEqual([{ name: expect.stringMatching(/^memory of one Redis/), used: expect.closeTo(5 / 64, 6) }, []])
  const many = sizeOf(measured(even, 1e6), { users: 1_000_000, ...usual })
  expect(many.breaks[0]).toBe(many.nearest.name)
})

test('what exceeds its limit most is named first', () => {
  const { breaks } = sizeOf(measured({ ...even, heartbeat: { ...one, redis: 50 } }), { users: 10_000_000, ...usual })
  expect(breaks[0]).toMatch(/^one Redis/)
  expect(breaks.length).toBeGreaterThan(1)
})

test('more users never need less', () => {
  const names = ['workers', 'postgres_cores', 'redis_use', 'redis_memory_gb', 'wal_mb_per_second', 'connections', 'disk_gb_after_a_year']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 0, max: 1e8 }), (users, more) => {
      const [few, many] = [sizeOf(measured(even), { users, ...usual }), sizeOf(measured(even), { users: users + more, ...usual })]
      for (const name of names) expect(many[name]).toBeGreaterThanOrEqual(few[name])
    }),
  )
})

test('costs are read from the rows of the benchmark', () => {
  const rows = [
    { metric: 'heartbeat: node', ours: 0.5 },
    { metric: 'heartbeat: wal', ours: 7 },
  ]
  expect(measuredOf([...rows, { metric: 'Redis memory per device online', ours: 900 }])).toEqual({
    costs: { heartbeat: { node: 0.5, postgres: 0, redis: 0, wire: 0, wal: 7, disk: 0 } },
    redis_memory: 900,
  })
  expect(measuredOf(rows).redis_memory).toBeNaN()
})

test('arguments are a workload, or are refused', () => {
  const read = (text) => readArguments(text.split(' ').filter((one) => one !== ''))
  expect(read('')).toEqual({})
  expect(read('--users 1e6 --use 0.7 --cost /tmp/cost.json')).toEqual({ cost: '/tmp/cost.json', work: { ...usual, users: 1e6, use: 0.7 } })
  expect(read('--users 50000 --devices 3 --pushes_per_hour 0')).toEqual({
    work: { ...usual, users: 50_000, devices: 3, pushes_per_hour: 0 },
  })
  const wrong = [
    '--users abc',
    '--users',
    '--users -5',
    '--user 5',
    '--users 5 --use 0',
    '--users 5 --online 25',
    '--users 0',
    '--devices 3',
  ]
  for (const text of wrong) expect(read(text), text).toEqual({ problem: expect.any(String) })
})
