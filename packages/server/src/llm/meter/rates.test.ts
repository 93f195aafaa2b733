import { expect, test } from 'vitest'
import { openInProcessCache } from '../../cache/in-process.ts'
import { duration, openRates } from './rates.ts'

const limits = { requests_per_minute: 3, tokens_per_minute: 1_000, tokens_per_month: 0, calls_in_flight: 16 }

function openAt(changes: Partial<typeof limits> = {}) {
  let now = 0
  const cache = openInProcessCache({ log: () => undefined, clock: { now: () => now, every: () => () => undefined } })
  return { rates: openRates(cache, { ...limits, ...changes }), pass: (seconds: number) => (now += seconds * 1_000) }
}

test("headers in OpenAI's format", async () => {
  const { rates } = openAt()
  expect(await rates.take('mara', 250)).toEqual({
    ok: true,
    headers: {
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '20s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '750',
      'x-ratelimit-reset-tokens': '15s',
    },
  })
  expect([0, 59.1, 60, 90, 3_600].map(duration)).toEqual(['0s', '1m0s', '1m0s', '1m30s', '60m0s'])
})

test('too many requests, then too many tokens, each for one user', async () => {
  const { rates, pass } = openAt()
  for (let n = 0; n < 3; n += 1) await rates.take('mara', 1)
  expect(await rates.take('mara', 1)).toEqual({
    ok: false,
    detail: 'more than 3 requests per minute; try again in 20 s',
    retry_after_seconds: 20,
  })
  expect(await rates.take('noor', 900)).toMatchObject({ ok: true })
  expect(await rates.take('noor', 200)).toEqual({
    ok: false,
    detail: 'more than 1000 tokens per minute; try again in 6 s',
    retry_after_seconds: 6,
  })
  pass(60)
  expect(await rates.take('mara', 1)).toMatchObject({ ok: true })
})

test('the cost of a response is charged at the end; a window is empty, never negative', async () => {
  const { rates, pass } = openAt()
  await rates.take('mara', 100)
  await rates.settle('mara', 100, 500)
  expect(await rates.take('mara', 0)).toMatchObject({ headers: { 'x-ratelimit-remaining-tokens': '500' } })
  await rates.settle('mara', 0, 50_000)
  expect(await rates.take('mara', 1)).toMatchObject({ ok: false, retry_after_seconds: 1 })
  pass(60)
  expect(await rates.take('mara', 1)).toMatchObject({ headers: { 'x-ratelimit-remaining-tokens': '999' } })
})

test('unused tokens are returned, and no more than was taken', async () => {
  const { rates } = openAt({ requests_per_minute: 0 })
  const remaining = async () => {
    const taken = await rates.take('mara', 0)
    return taken.ok && taken.headers['x-ratelimit-remaining-tokens']
  }
  await rates.take('mara', 600)
  await rates.settle('mara', 600, 50)
  expect(await remaining()).toBe('950')
  // The estimate exceeded a whole minute: only the minute was taken.
  await rates.settle('mara', 50, 0)
  await rates.take('mara', 5_000)
  await rates.settle('mara', 5_000, 400)
  expect(await remaining()).toBe('600')
  await rates.settle('mara', 400, 0)
  await rates.settle('mara', 400, 0)
  expect(await remaining()).toBe('1000')
})

test('a call larger than a whole minute takes the whole minute', async () => {
  const { rates, pass } = openAt()
  expect(await rates.take('mara', 5_000)).toMatchObject({ ok: true })
  expect(await rates.take('mara', 5_000)).toMatchObject({ ok: false, retry_after_seconds: 60 })
  pass(60)
  expect(await rates.take('mara', 5_000)).toMatchObject({ ok: true })
})

test('without a limit there is no header', async () => {
  const { rates } = openAt({ requests_per_minute: 0, tokens_per_minute: 0 })
  expect(await rates.take('mara', 1e9)).toEqual({ ok: true, headers: {} })
})
