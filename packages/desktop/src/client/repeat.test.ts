import { expect, test } from 'vitest'
import { testClock } from '../../test/support/connection/test-clock.ts'
import { repeat } from './repeat.ts'

function setUp() {
  const clock = testClock()
  const asked: PromiseWithResolvers<void>[] = []
  const end = repeat(clock, 1_000, () => {
    const one = Promise.withResolvers<void>()
    asked.push(one)
    return one.promise
  })
  const answer = async () => {
    asked.at(-1)?.resolve()
    await new Promise((done) => setImmediate(done))
  }
  return { clock, asked, end, answer }
}

test('a response that takes longer than the interval is waited for', async () => {
  const { clock, asked, answer } = setUp()
  clock.pass(999)
  expect(asked).toHaveLength(0)
  clock.pass(5_001)
  expect(asked).toHaveLength(1)
  await answer()
  clock.pass(999)
  expect(asked).toHaveLength(1)
  clock.pass(1)
  expect(asked).toHaveLength(2)
})

test('after its end nothing is requested, also if a response was still awaited', async () => {
  const waiting = setUp()
  waiting.end()
  expect(waiting.clock.waiting).toBe(0)
  const asking = setUp()
  asking.clock.pass(1_000)
  asking.end()
  await asking.answer()
  expect([asking.clock.waiting, asking.asked.length]).toEqual([0, 1])
})
