import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costsOf, costText, exampleText, pageFile, readCosts, sizeOf, usual } from './sizing.ts'

const one = { node: 1, postgres: 2, redis: 0.1, wire: 1_000, wal: 4_000, disk: 0 }
const even = { heartbeat: one, 'push of 10 changes': one, 'pull of 10 rows': one, 'model call': one }

test('docs/operations/sizing.md has the figures that npm run sizing prints', () => {
  const page = readFileSync(pageFile, 'utf8')
  const costs = readCosts()
  expect(page).toContain(costText(costs))
  expect(page).toContain(exampleText(costs))
})

test('a workload, calculated by hand', () => {
  // 1,000 users × 2 devices × 0.25 = 500 online; 500/30 heartbeats, 500·30/3600 pushes, a quarter of that pulls, 500·10/3600 model calls.
  const { requests_per_second, ...sizing } = sizeOf(even, { users: 1_000, ...usual })
  expect(requests_per_second).toBeCloseTo(16.6667 + 4.1667 + 1.0417 + 1.3889, 3)
  expect(sizing).toMatchObject({ devices_online: 500, workers: 2, postgres_cores: 1, connections: 60, breaks: [] })
  // 1,000 · (200 · 1,900 + 50 · 420 + 20 · 330) bytes.
  expect(sizing.disk_gb_per_day).toBeCloseTo(0.4076, 4)
})

test('what exceeds its limit most is named first', () => {
  const { breaks } = sizeOf({ ...even, heartbeat: { ...one, redis: 50 } }, { users: 10_000_000, ...usual })
  expect(breaks[0]).toMatch(/^one Redis/)
  expect(breaks.length).toBeGreaterThan(1)
})

test('more users never need less', () => {
  const names = ['workers', 'postgres_cores', 'redis_use', 'wal_mb_per_second', 'connections', 'disk_gb_after_a_year']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e8 }), fc.integer({ min: 0, max: 1e8 }), (users, more) => {
      const [few, many] = [sizeOf(even, { users, ...usual }), sizeOf(even, { users: users + more, ...usual })]
      for (const name of names) expect(many[name]).toBeGreaterThanOrEqual(few[name])
    }),
  )
})

test('costs are read from the rows of the benchmark', () => {
  const rows = [
    { metric: 'heartbeat: node', ours: 0.5 },
    { metric: 'heartbeat: wal', ours: 7 },
  ]
  expect(costsOf(rows)).toEqual({ heartbeat: { node: 0.5, postgres: 0, redis: 0, wire: 0, wal: 7, disk: 0 } })
})
