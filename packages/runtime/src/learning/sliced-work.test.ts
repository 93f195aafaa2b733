import { expect, test } from 'vitest'
import { testContract, testRunFacts } from '../../test/support/learning/test-run-facts.ts'
import { compileSecretPatterns } from '../memory/rule/secret/secrets.ts'
import { atOnce, inSlices, openQueue, type SlicedWork } from '../scheduler/slices.ts'
import { failuresIn, findFailures } from './pattern/failures.ts'
import { findRootCause, rootCauseOf } from './pattern/root-cause.ts'

/** Counts how much of the work was done between two turns of the event loop. */
async function slicesOf<Result>(work: SlicedWork<Result>): Promise<{ readonly sizes: readonly number[]; readonly result: Result }> {
  let [now, done, isOver] = [0, 0, false]
  const sizes: number[] = []
  const other = () => {
    if (done > 0) sizes.push(done)
    done = 0
    if (!isOver) setImmediate(other)
  }
  function* counted(): SlicedWork<Result> {
    for (;;) {
      const next = work.next()
      if (next.done) return next.value
      done += 1
      // Each piece takes a millisecond.
      now += 1
      yield
    }
  }
  setImmediate(other)
  const result = await inSlices(counted(), () => now)
  isOver = true
  if (done > 0) sizes.push(done)
  return { sizes, result }
}

const failing = (count: number) =>
  testRunFacts(
    'run',
    Array.from({ length: count }, (_, at) => ({ command: `node ${at}.js`, exit_code: 1, output: `Error: ${at}` })),
    { failure_contract: testContract('too_many_turns') },
  )

test('other work is done after every ten milliseconds, and the result is the same', async () => {
  const facts = failing(300)
  const failures = await slicesOf(findFailures(facts))
  expect(failures.result).toEqual(failuresIn(facts))
  expect([failures.sizes.reduce((sum, one) => sum + one, 0), Math.max(...failures.sizes)]).toEqual([600, 10])
  const root = await slicesOf(findRootCause(failures.result))
  expect(root.result).toEqual(rootCauseOf(failures.result))
  expect(Math.max(...root.sizes)).toBe(10)
})

test('what is recorded of a run with thousands of failures is limited, and its end is part of it', () => {
  const failures = failuresIn(failing(3_000))
  expect([failures.length, failures.at(0)?.call_id, failures.at(-1)?.kind]).toEqual([501, 'call-0', 'run'])
})

test('expressions are compiled one at a time', async () => {
  const { sizes } = await slicesOf(compileSecretPatterns())
  expect(Math.max(...sizes)).toBe(10)
})

test('one after the other, each in a turn of its own, and the next one also after a failure', async () => {
  const inQueue = openQueue()
  const happened: string[] = []
  const work = (name: string, fails = false) =>
    inQueue(async () => {
      happened.push(`${name} starts`)
      await new Promise((resolve) => setImmediate(resolve))
      happened.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([work('a', true), work('b'), work('c')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(happened).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

test('at once: without a pause', () => {
  function* work(): SlicedWork<number> {
    yield
    return 7
  }
  expect(atOnce(work())).toBe(7)
})
