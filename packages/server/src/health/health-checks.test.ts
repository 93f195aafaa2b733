import { afterEach, expect, test, vi } from 'vitest'
import { openHealthChecks } from './health-checks.ts'

afterEach(() => vi.restoreAllMocks())

test('parts are checked once per second, also after the clock was set back', async () => {
  let tick = 0
  let now = Date.parse('2026-09-21T07:40:12.345Z')
  vi.spyOn(performance, 'now').mockImplementation(() => tick)
  let looks = 0
  const parts = openHealthChecks(
    {
      async database() {
        looks += 1
      },
    },
    () => now,
  )
  const seen = { name: 'database', checked_at: '2026-09-21T07:40:12.345Z', status: 'ok', latency_ms: 0 }
  expect(await parts.look()).toEqual([seen])
  now -= 3_600_000
  tick = 900
  expect(await parts.look()).toEqual([seen])
  tick = 1_100
  expect(await parts.look()).toEqual([{ ...seen, checked_at: '2026-09-21T06:40:12.345Z' }])
  expect(looks).toBe(2)
})
