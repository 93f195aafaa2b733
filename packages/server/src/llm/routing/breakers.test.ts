import { expect, test } from 'vitest'
import { failuresAllowed } from './breaker.ts'
import { type BreakerTarget, type CallResult, openBreakers } from './breakers.ts'

const model = (id: string): BreakerTarget => ({ id, upstream: { name: id.slice(0, id.indexOf('/')) } })
const [large, small, elsewhere] = [model('openai/large'), model('openai/small'), model('backup/large')]

function open() {
  let time = 0
  const changes: string[] = []
  const breakers = openBreakers(
    () => time,
    (who, state) => changes.push(`${who} ${state}`),
  )
  // By default, each call comes from another account.
  let calls = 0
  const next = () => `account ${calls++}`
  const ask = (candidate: BreakerTarget, account = next()) => breakers.ask(candidate, account)
  const tell = (candidate: BreakerTarget, news: CallResult, account = next()) => breakers.tell(candidate, news, account)
  const fail = (candidate: BreakerTarget, news: CallResult, times = failuresAllowed, account?: string) => {
    for (let turn = 0; turn < times; turn += 1) {
      expect(ask(candidate, account)).toBe(undefined)
      tell(candidate, news, account)
    }
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { ask, tell, changes, fail, pass }
}

test('an unreachable provider is blocked as a whole, whichever of its models were tried', () => {
  const { ask, fail, changes } = open()
  fail(large, 'unreachable', 3)
  fail(small, 'unreachable', 2)
  expect([ask(large), ask(model('openai/new')), ask(elsewhere)]).toEqual([
    { who: 'openai', wait_ms: 5_000 },
    { who: 'openai', wait_ms: 5_000 },
    undefined,
  ])
  expect(changes).toEqual(['openai open'])
})

test('a model that fails is blocked, others are not', () => {
  const { ask, fail, changes } = open()
  fail(large, 'failed')
  expect([ask(large), ask(small)]).toEqual([{ who: 'openai/large', wait_ms: 5_000 }, undefined])
  expect(changes).toEqual(['openai/large open'])
})

test('a response of one model shows that the provider is available', () => {
  const { ask, tell, fail } = open()
  fail(large, 'unreachable', failuresAllowed - 1)
  ask(small)
  tell(small, 'failed')
  fail(large, 'unreachable', failuresAllowed - 1)
  expect(ask(large)).toBe(undefined)
})

test('a timeout counts for both: a model that never answers is blocked even if others keep the provider available', () => {
  const { ask, tell, fail } = open()
  for (let turn = 0; turn < failuresAllowed; turn += 1) {
    fail(large, 'late', 1)
    ask(small)
    tell(small, 'worked')
  }
  expect([ask(large), ask(small)]).toEqual([{ who: 'openai/large', wait_ms: 5_000 }, undefined])
})

test('after its pause a provider is tried with one call, of any model, which decides for all', () => {
  const { ask, tell, fail, pass, changes } = open()
  fail(large, 'unreachable')
  pass(5_000)
  expect([ask(small), ask(large)]).toEqual([undefined, { who: 'openai', wait_ms: 30_000 }])
  tell(small, 'unreachable')
  expect(ask(large)).toEqual({ who: 'openai', wait_ms: 10_000 })
  pass(10_000)
  expect(ask(large)).toBe(undefined)
  tell(large, 'worked')
  expect([ask(small), ask(large)]).toEqual([undefined, undefined])
  expect(changes).toEqual(['openai open', 'openai half_open', 'openai open', 'openai half_open', 'openai closed'])
})

test('a blocked model does not use up the probe of its provider', () => {
  const { ask, fail, pass } = open()
  fail(large, 'failed', 4)
  fail(small, 'unreachable', 4)
  pass(4_000)
  fail(large, 'late', 1)
  expect(ask(large)).toEqual({ who: 'openai', wait_ms: 5_000 })
  pass(5_000)
  // Both pauses are over: one call probes both.
  expect([ask(large), ask(small)]).toEqual([undefined, { who: 'openai', wait_ms: 30_000 }])
})

test('an account that makes a model fail blocks only itself', () => {
  const { ask, fail, changes } = open()
  fail(large, 'failed', failuresAllowed, 'mara')
  expect([ask(large, 'mara'), ask(small, 'mara'), ask(large, 'noor')]).toEqual([
    { who: 'openai/large', wait_ms: 5_000 },
    undefined,
    undefined,
  ])
  expect(changes).toEqual([])
})

test('two accounts are not everyone; the third is', () => {
  const { ask, fail, changes } = open()
  fail(large, 'failed', failuresAllowed, 'mara')
  fail(large, 'failed', failuresAllowed, 'noor')
  expect(ask(large, 'ines')).toBe(undefined)
  fail(large, 'failed', 1, 'ines')
  expect(ask(large, 'omar')).toEqual({ who: 'openai/large', wait_ms: 5_000 })
  expect(changes).toEqual(['openai/large open'])
})

test('a success of any account resets the count', () => {
  const { ask, tell, fail } = open()
  for (const account of ['mara', 'noor']) fail(large, 'failed', failuresAllowed, account)
  ask(large, 'ines')
  tell(large, 'worked', 'ines')
  fail(large, 'failed', 1, 'omar')
  fail(large, 'failed', 1, 'lena')
  expect([ask(large, 'ines'), ask(large, 'mara')]).toEqual([undefined, { who: 'openai/large', wait_ms: 5_000 }])
})

test('a blocked account tries again with its own probe', () => {
  const { ask, tell, fail, pass } = open()
  fail(large, 'failed', failuresAllowed, 'mara')
  pass(5_000)
  expect([ask(large, 'mara'), ask(large, 'mara')]).toEqual([undefined, { who: 'openai/large', wait_ms: 30_000 }])
  tell(large, 'worked', 'mara')
  expect(ask(large, 'mara')).toBe(undefined)
})
