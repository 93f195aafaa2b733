import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { openDriver } from './driver.ts'
import type { Round } from './engine.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const done: Round = { kind: 'done' }
const unreachable: Round = { kind: 'failed', answer: { kind: 'unreachable', detail: 'ECONNREFUSED' } }
let device: TestDevice

beforeEach(() => {
  const never = async () => ({ kind: 'unreachable', detail: 'no cloud in this test' }) as const
  device = testDevice('d', start, () => ({ push: never, pull: never }))
})
afterEach(() => device.dispose())

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** A driver with an engine whose rounds last until they are answered, and a clock that counts its timers. */
function life(stateChanged: (to: string) => void = () => undefined) {
  const clock: TestClock = testClock(start)
  const timers = new Set<object>()
  const broke: unknown[] = []
  const open: ((outcome: Round) => void)[] = []
  let rounds = 0
  const round = () => {
    rounds += 1
    return new Promise<Round>((resolve) => open.push(resolve))
  }
  const driver = openDriver({
    engine: { ...device.engine(), round, pushOnly: round },
    clock: {
      ...clock,
      after(ms, call) {
        const timer = {}
        timers.add(timer)
        const cancel = clock.after(ms, () => {
          timers.delete(timer)
          call()
        })
        return () => {
          timers.delete(timer)
          cancel()
        }
      },
    },
    random: () => 0.5,
    texts: null,
    signedIn: () => ({ user_id: 'mara', ended: null }),
    register: async () => 'named',
    stateChanged: (_, to) => stateChanged(to),
    broke: (error) => broke.push(error),
  })
  /** Ends the current round, if there is one. */
  async function answer(outcome: Round): Promise<void> {
    open.shift()?.(outcome)
    await settle()
  }
  return { driver, clock, timers, broke, answer, rounds: () => rounds, open }
}

const steps = fc.array(
  fc.oneof(fc.constantFrom('written', 'hinted', 'now', 'account', 'done', 'unreachable'), fc.integer({ min: 1, max: 2_000 })),
  { maxLength: 25, size: 'max' },
)

test('never has a second timer or a second round, and the last hint leads to a pull', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { driver, clock, timers, answer, rounds, open } = life()
      let before = 0
      for (const step of [...list, 'hinted'] as const) {
        if (step === 'written') driver.written()
        else if (step === 'hinted') {
          before = rounds()
          driver.hinted()
        } else if (step === 'now') void driver.now()
        else if (step === 'account') driver.accountChanged()
        else if (step === 'done') await answer(done)
        else if (step === 'unreachable') await answer(unreachable)
        else clock.advance(step)
        await settle()
        expect(timers.size).toBeLessThan(2)
        expect(open.length).toBeLessThan(2)
      }
      // From here on the cloud responds: first to the current round, then to the planned one.
      for (let turn = 0; turn < 3; turn += 1) {
        await answer(done)
        clock.advance(1_000)
        await settle()
      }
      expect(rounds()).toBeGreaterThan(before)
      const stopped = driver.stop()
      while (open.length > 0) await answer(done)
      await stopped
      expect(timers.size).toBe(0)
    }),
    { numRuns: 60 },
  )
})

test('a round that fails after a hint is retried with backoff, a successful one is followed immediately', async () => {
  const { driver, clock, answer, rounds } = life()
  driver.hinted()
  clock.advance(5)
  await settle()
  driver.hinted()
  clock.advance(100)
  await answer(unreachable)
  clock.advance(700)
  await settle()
  expect(rounds()).toBe(1)
  clock.advance(50)
  await settle()
  expect(rounds()).toBe(2)
  driver.hinted()
  clock.advance(100)
  await answer(done)
  clock.advance(4)
  await settle()
  expect(rounds()).toBe(2)
  clock.advance(1)
  await settle()
  expect(rounds()).toBe(3)
  const stopped = driver.stop()
  await answer(done)
  await stopped
})

test('once stopped, it starts no round, not even one that a caller waits for', async () => {
  const { driver, clock, timers, answer, rounds } = life()
  const first = driver.now()
  const second = driver.now()
  await settle()
  const stopped = driver.stop()
  await answer(done)
  await Promise.all([first, second, stopped, driver.quiet()])
  driver.hinted()
  driver.written()
  driver.accountChanged()
  expect((await driver.now()).state).toBe('idle')
  clock.advance(600_000)
  expect([rounds(), timers.size]).toEqual([1, 0])
})

test('reports a listener that fails, and continues to synchronize', async () => {
  const bug = new Error('a listener broke')
  const { driver, clock, timers, broke, answer, rounds } = life(() => {
    throw bug
  })
  driver.hinted()
  clock.advance(5)
  await settle()
  await answer(done)
  expect([driver.status().state, broke, rounds(), timers.size]).toEqual(['idle', [bug, bug], 1, 1])
  await driver.stop()
})
