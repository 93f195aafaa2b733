import { expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openRates } from './rate.ts'

const limit = { calls: 2, per_seconds: 10 }

test('the number of calls in a window is limited, and a call is possible again when the oldest leaves it', () => {
  const clock = testClock()
  const rates = openRates(clock)
  expect(rates.take('a', 't', limit)).toEqual({ ok: true })
  clock.advance(4_000)
  expect(rates.take('a', 't', limit)).toEqual({ ok: true })
  expect(rates.take('a', 't', limit)).toEqual({ ok: false, wait_ms: 6_000 })
  clock.advance(6_000)
  expect(rates.take('a', 't', limit)).toEqual({ ok: true })
  expect(rates.take('a', 't', limit)).toEqual({ ok: false, wait_ms: 4_000 })
})

test('a call that is not made can be returned', () => {
  const rates = openRates(testClock())
  const once = { calls: 1, per_seconds: 10 }
  expect(rates.take('a', 't', once)).toEqual({ ok: true })
  rates.release('a', 't')
  expect([rates.take('a', 't', once), rates.take('a', 't', once)]).toEqual([{ ok: true }, { ok: false, wait_ms: 10_000 }])
})

test('agents and tools are counted separately, and setting the wall clock changes nothing', () => {
  const clock = testClock()
  const rates = openRates(clock)
  const once = { calls: 1, per_seconds: 10 }
  for (const [agent, tool] of [
    ['a', 't'],
    ['b', 't'],
    ['a', 'u'],
  ] as const)
    expect(rates.take(agent, tool, once)).toEqual({ ok: true })
  clock.set(clock.now() + 86_400_000)
  expect(rates.take('a', 't', once)).toEqual({ ok: false, wait_ms: 10_000 })
})

test('a restart does not reset a limit', () => {
  const clock = testClock()
  const made: [string, string, number][] = [
    ['a', 't', clock.now() - 90_000_000],
    ['a', 't', clock.now() - 4_000],
    ['a', 't', clock.now() + 60_000],
    ['b', 't', clock.now()],
  ]
  const rates = openRates(clock, (agent, tool, since) =>
    made.filter(([a, t, at]) => a === agent && t === tool && at > since).map(([, , at]) => at),
  )
  expect(rates.take('a', 't', { calls: 1, per_seconds: 86_400 })).toEqual({ ok: false, wait_ms: 86_400_000 })
  expect(rates.take('a', 't', limit)).toEqual({ ok: false, wait_ms: 6_000 })
  clock.advance(6_000)
  expect(rates.take('a', 't', limit)).toEqual({ ok: true })
  expect(rates.take('a', 't', limit)).toEqual({ ok: false, wait_ms: 4_000 })
})
