import { afterEach, beforeEach, expect, test } from 'vitest'
import { timestamp } from '../clock/clock.ts'
import type { Answer } from './cloud.ts'
import { type Driver, openDriver } from './driver.ts'
import { statusText } from './status.ts'
import { testCloud } from './test-cloud.ts'
import { agentNamed, type TestDevice, testDevice } from './test-device.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
let device: TestDevice
let driver: Driver
let trouble: Answer<never> | null
let calls: string[]
let states: string[]
let who: { user_id: string; ended: string | null } | null

beforeEach(() => {
  const cloud = testCloud(() => start)
  trouble = null
  calls = []
  states = []
  who = { user_id: 'mara', ended: null }
  device = testDevice('d', start, () => ({
    push: async (request) => {
      calls.push('push')
      return trouble ?? cloud.push(request)
    },
    pull: async (query) => {
      calls.push('pull')
      return trouble ?? cloud.pull(query)
    },
  }))
  driver = openDriver({
    engine: device.engine(),
    clock: device.clock,
    random: () => 0.5,
    texts: null,
    signedIn: () => who,
    async register() {
      calls.push('register')
      return 'named'
    },
    stateChanged: (_, to) => states.push(to),
    broke: (error) => {
      throw error
    },
  })
})
afterEach(async () => {
  await driver.stop()
  device.dispose()
})

/** Lets what is under way come to its end, then moves the clock. */
async function after(ms: number): Promise<void> {
  device.clock.advance(ms)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('a hint pulls, a write pushes, and a minute of silence pulls again', async () => {
  driver.hinted()
  await after(10)
  device.records().put('agents', 'a', agentNamed('one'))
  driver.written()
  await after(10)
  expect(calls).toEqual(['register', 'pull', 'pull', 'push'])
  device.records().put('agents', 'a', agentNamed('two'))
  driver.written()
  driver.written()
  await after(10)
  expect(calls.slice(4)).toEqual(['pull', 'push'])
  device.records().put('agents', 'a', agentNamed('three'))
  driver.written()
  await after(10)
  expect(calls.slice(6)).toEqual(['push'])
  await after(60_000)
  expect(calls.slice(7)).toEqual(['pull'])
  expect(statusText(driver.status())).toBe('up to date')
})

test('unreachable is offline with its reason; tries grow further apart, and the first that works is enough', async () => {
  trouble = { kind: 'unreachable', detail: 'ECONNREFUSED' }
  device.records().put('agents', 'a', agentNamed('one'))
  driver.written()
  await after(10)
  expect(statusText(driver.status())).toBe(`offline since ${timestamp(start + 10)}: ECONNREFUSED, 1 change waiting`)
  const tries: number[] = []
  for (let second = 0; second < 60; second += 1) {
    const before = calls.length
    await after(1_000)
    if (calls.length > before) tries.push(second)
  }
  expect(tries).toEqual([0, 2, 5, 11, 23, 47])
  trouble = null
  await driver.now()
  expect([statusText(driver.status()), states]).toEqual(['up to date', ['offline', 'idle']])
})

test('what the cloud asks to wait is waited, and a session it ended is said', async () => {
  trouble = { kind: 'refused', status: 429, code: 'rate_limited', detail: 'slowly', retry_after_ms: 20_000 }
  driver.hinted()
  await after(10)
  const before = calls.length
  await after(19_000)
  expect(calls.length).toBe(before)
  expect(statusText(driver.status())).toBe('stopped: slowly')
  await after(5_000)
  expect(calls.length).toBe(before + 1)
  who = { user_id: 'mara', ended: 'session_ended' }
  await driver.now()
  expect(statusText(driver.status())).toBe('not signed in: the cloud ended this session: sign in again')
})

test('writes without pause leave at a pace', async () => {
  await driver.now()
  const before = calls.length
  for (let at = 0; at < 1_000; at += 1) {
    device.records().put('agents', 'a', agentNamed(`n${at}`))
    driver.written()
    await after(10)
  }
  const pushes = calls.slice(before).filter((call) => call === 'push').length
  expect(pushes).toBeGreaterThan(60)
  expect(pushes).toBeLessThan(90)
})
