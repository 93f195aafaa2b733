import { expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { sleep } from '../clock/clock.ts'
import { within } from './deadline.ts'

const never = new AbortController().signal
const tick = () => new Promise((resolve) => setImmediate(resolve))

test('a tool of half an hour ends well within its time', async () => {
  const clock = testClock()
  const ended = within(clock, 3_600, never, async (signal) => {
    await sleep(clock, 30 * 60_000, signal)
    return 'done'
  })
  await tick()
  clock.advance(30 * 60_000)
  expect(await ended).toEqual({ how: 'returned', value: 'done' })
})

test('a tool that listens ends at its limit', async () => {
  const clock = testClock()
  const ended = within(clock, 10, never, (signal) => sleep(clock, 60_000, signal))
  await tick()
  clock.advance(10_000)
  expect(await ended).toEqual({ how: 'timed_out' })
})

test('a tool that does not listen is left behind a little later', async () => {
  const clock = testClock()
  let over = false
  const ended = within(clock, 10, never, () => new Promise<void>(() => undefined)).finally(() => (over = true))
  await tick()
  clock.advance(14_999)
  await tick()
  expect(over).toBe(false)
  clock.advance(1)
  expect(await ended).toEqual({ how: 'timed_out' })
})

test('what a tool has to show when its time is over comes along', async () => {
  const clock = testClock()
  const ended = within(clock, 10, never, (signal) => sleep(clock, 60_000, signal).catch(() => 'half of it'))
  await tick()
  clock.advance(10_000)
  expect(await ended).toEqual({ how: 'timed_out', value: 'half of it' })
})

test('canceling reaches it, also when it came before the start', async () => {
  const clock = testClock()
  const stop = new AbortController()
  const ended = within(clock, 10, stop.signal, (signal) => sleep(clock, 60_000, signal))
  await tick()
  stop.abort(new Error('enough'))
  expect(await ended).toEqual({ how: 'canceled' })
  expect(await within(clock, 10, stop.signal, (signal) => sleep(clock, 1, signal))).toEqual({ how: 'canceled' })
})

test('what is canceled before it began does not begin', async () => {
  let began = 0
  expect(await within(testClock(), 10, AbortSignal.abort(), async () => (began += 1))).toEqual({ how: 'canceled' })
  expect(began).toBe(0)
})

test('what it throws by itself comes back as it is', async () => {
  const error = new Error('broken')
  expect(await within(testClock(), 10, never, () => Promise.reject(error))).toEqual({ how: 'threw', error })
})
