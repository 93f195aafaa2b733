import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventData } from '@tandem/contract/event'
import { eventPayloads } from '@tandem/contract/event/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { offeredHost } from '../../test/support/executor/test-executor.ts'
import { openStore, type Store } from '../store/store.ts'
import { type ExecutorRecord, openExecutorRecords } from './executor-records.ts'
import { limitedResolve } from './limited-resolve.ts'
import { openNegotiationSchedule, type SchedulePorts } from './negotiation-schedule.ts'
import type { Reading } from './rule/reading.ts'
import { negotiationTiming } from './rule/timing.ts'

const { first_retry_ms, longest_retry_ms, start_ms, usual_lifetime_ms } = negotiationTiming
type Outcome = EventData<'executor_outcome_changed'>

let home: string
let clock: TestClock
let store: Store
let told: [Outcome, string | undefined][]
let changes: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-executor-'))
  clock = testClock()
  store = openStore({ home, clock })
  told = []
  changes = 0
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true, force: true })
})

const good: Reading = {
  outcome: 'negotiated',
  value: {
    method: 'handshake',
    protocol: 'tandem-executor/1',
    executor: offeredHost,
    capabilities: [{ name: 'gpu', version: null }],
    health: null,
    session_id: 'one',
    expires_at: null,
  },
}
const down: Reading = { outcome: 'failed', problem: { reason: 'unreachable', message: 'no connection' } }
const denied: Reading = { outcome: 'failed', problem: { reason: 'unauthorized', message: 'status 401' } }

function opened(negotiate: SchedulePorts['negotiate']) {
  const records = openExecutorRecords(store)
  const schedule = openNegotiationSchedule({
    clock,
    store,
    records,
    events: {
      emit: (_, __, data, failure) => {
        expect(Check(eventPayloads.executor_outcome_changed, data)).toBe(true)
        told.push([data as Outcome, failure?.reason_code])
      },
    },
    random: () => 1,
    negotiate,
    changed: () => {
      changes += 1
    },
    log: (line) => expect.unreachable(line),
  })
  return { records, schedule }
}

const added = (records: ReturnType<typeof openExecutorRecords>, name: string) =>
  records.add({ name, executor_url: `https://${name}.example`, certificate_sha256: 'a'.repeat(64), token: 'the token' })

/** Lets the attempts that are due come to their end. */
const settle = () => new Promise((resolve) => setImmediate(resolve))
const advance = async (ms: number) => {
  clock.advance(ms)
  await settle()
}

test('down for an hour and back: few attempts, one event for each change, and available again within the longest delay', async () => {
  let reading: Reading = down
  let attempts = 0
  const { records, schedule } = opened(async () => {
    attempts += 1
    return reading
  })
  const { executor_id } = added(records, 'build')
  schedule.begin()
  await advance(start_ms + negotiationTiming.start_spread_ms)
  expect([attempts, records.negotiation(executor_id)?.outcome]).toEqual([1, 'failed'])
  for (let minutes = 0; minutes < 60; minutes += 1) for (let part = 0; part < 12; part += 1) await advance(5_000)
  // 5, 10, 20, … seconds, then every five minutes.
  expect(attempts).toBeGreaterThan(10)
  expect(attempts).toBeLessThan(25)
  expect(told.map(([{ from_outcome, to_outcome, to_reason }, failure]) => [from_outcome, to_outcome, to_reason, failure])).toEqual([
    [null, 'failed', 'unreachable', 'unreachable'],
  ])
  reading = good
  await advance(longest_retry_ms)
  expect(records.negotiation(executor_id)).toMatchObject({ outcome: 'negotiated', method: 'handshake' })
  expect(told.slice(1)).toEqual([
    [
      expect.objectContaining({
        from_outcome: 'failed',
        from_reason: 'unreachable',
        to_outcome: 'negotiated',
        to_reason: null,
        capabilities: 1,
      }),
      undefined,
    ],
  ])
  expect(changes).toBe(2)
  await schedule.stop()
})

test('a result is renewed before it expires, without an event; another reason is another outcome', async () => {
  let reading: Reading = good
  const { records, schedule } = opened(async () => reading)
  const { executor_id } = added(records, 'build')
  await schedule.attempt(executor_id)
  schedule.begin()
  const first = records.negotiation(executor_id)
  await advance(usual_lifetime_ms * 0.8)
  const second = records.negotiation(executor_id)
  expect(second?.next_attempt_at).not.toBe(first?.next_attempt_at)
  expect(told).toHaveLength(1)
  reading = down
  await schedule.attempt(executor_id)
  reading = denied
  await schedule.attempt(executor_id)
  expect(told.map(([{ from_reason, to_reason }]) => [from_reason, to_reason])).toEqual([
    [null, null],
    [null, 'unreachable'],
    ['unreachable', 'unauthorized'],
  ])
  // Only a user can fix it, so it is not repeated soon.
  const last = records.negotiation(executor_id)
  expect(last).toMatchObject({ failures: 2, next_attempt_at: new Date(clock.now() + longest_retry_ms).toISOString() })
  await schedule.stop()
})

test('attempts for one executor are shared; a removed one leaves no result and no event', async () => {
  const answer = Promise.withResolvers<Reading>()
  let attempts = 0
  const { records, schedule } = opened(async () => {
    attempts += 1
    return await answer.promise
  })
  const { executor_id } = added(records, 'build')
  const both = Promise.all([schedule.attempt(executor_id), schedule.attempt(executor_id)])
  schedule.forget(executor_id)
  records.remove(executor_id)
  answer.resolve(good)
  expect([await both, attempts, told, records.negotiation(executor_id)]).toEqual([[null, null], 1, [], null])
  await schedule.stop()
})

test('50 executors, 45 of which hang: the others are available at once, and stopping does not wait', async () => {
  const { records, schedule } = opened(({ name }, signal) => {
    if (Number(name.slice(1)) % 10 === 0) return Promise.resolve(good)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const all: ExecutorRecord[] = Array.from({ length: 50 }, (_, at) => added(records, `e${at}`))
  schedule.begin()
  await advance(start_ms + negotiationTiming.start_spread_ms)
  const outcomes = all.map(({ executor_id }) => records.negotiation(executor_id)?.outcome)
  expect(outcomes.filter((outcome) => outcome === 'negotiated')).toHaveLength(5)
  await schedule.stop()
  expect(told).toHaveLength(5)
})

test('the cache survives the process: what is not due is not repeated', async () => {
  let attempts = 0
  const first = opened(async () => good)
  const { executor_id } = added(first.records, 'build')
  await first.schedule.attempt(executor_id)
  await first.schedule.stop()
  const second = opened(async () => {
    attempts += 1
    return good
  })
  await second.schedule.attemptDue()
  second.schedule.begin()
  await advance(first_retry_ms)
  expect([attempts, second.records.negotiation(executor_id)?.outcome]).toEqual([0, 'negotiated'])
  await advance(usual_lifetime_ms)
  expect(attempts).toBe(1)
  await second.schedule.stop()
})

test('names are resolved a few at a time', async () => {
  const open: (() => void)[] = []
  let most = 0
  let running = 0
  const resolve = limitedResolve(async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((end) => open.push(end))
    running -= 1
    return []
  }, 2)
  const all = Array.from({ length: 10 }, () => resolve('name.example'))
  for (let ended = 0; ended < 10; ended += 1) {
    await settle()
    open.shift()?.()
  }
  await Promise.all(all)
  expect(most).toBe(2)
})
