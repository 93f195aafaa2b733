import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { timestamp } from '../clock/clock.ts'
import { type Driver, openDriver } from './driver.ts'
import { statusText } from './status.ts'
import type { Answer } from './transport/cloud.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
let cloud: TestCloud
let device: TestDevice
let driver: Driver
let trouble: Answer<never> | null
let calls: string[]
let states: string[]
let texts: string[]
let slowly: (() => Promise<void>) | null
let who: { user_id: string; ended: string | null } | null

beforeEach(() => {
  cloud = testCloud(() => start)
  trouble = null
  calls = []
  states = []
  texts = []
  slowly = null
  who = { user_id: 'mara', ended: null }
  device = testDevice(
    'd',
    start,
    () => ({
      push: async (request) => {
        calls.push('push')
        await slowly?.()
        return trouble ?? cloud.push(request)
      },
      pull: async (query) => {
        calls.push('pull')
        await slowly?.()
        return trouble ?? cloud.pull(query)
      },
    }),
    (ports) => ({ ...ports, phase: (phase) => driver.entered(phase) }),
  )
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
    stateChanged(_, to) {
      states.push(to)
      texts.push(statusText(driver.status()))
    },
    broke: (error) => {
      throw error
    },
  })
})
afterEach(async () => {
  await driver.stop()
  device.dispose()
})

/** Lets running work finish, then advances the clock. */
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

test('unreachable means offline with its reason; the delays grow, and the first success ends them', async () => {
  trouble = { kind: 'unreachable', detail: 'ECONNREFUSED' }
  device.records().put('agents', 'a', agentNamed('one'))
  driver.written()
  await after(10)
  expect(statusText(driver.status())).toBe(
    `offline since ${timestamp(start + 10)
      .slice(0, 16)
      .replace('T', ' ')} UTC: ECONNREFUSED, 1 change waiting`,
  )
  const tries: number[] = []
  for (let second = 0; second < 60; second += 1) {
    const before = calls.length
    await after(1_000)
    if (calls.length > before) tries.push(second)
  }
  expect(tries).toEqual([0, 2, 5, 11, 23, 47])
  trouble = null
  // Automatically, after its delay.
  await after(60_000)
  expect([statusText(driver.status()), states]).toEqual(['up to date', ['pulling', 'offline', 'idle']])
})

test('reports long work while it lasts: the first pull, many pages, many batches, a recovery', async () => {
  let go: () => void = () => undefined
  slowly = () =>
    new Promise((resolve) => {
      go = resolve
    })
  who = null
  await driver.now()
  who = { user_id: 'mara', ended: null }
  driver.accountChanged()
  await after(0)
  expect(statusText(driver.status())).toBe('fetching')
  slowly = null
  go()
  await after(0)
  expect(statusText(driver.status())).toBe('up to date')
  states.length = 0
  // One quick request is not reported.
  driver.hinted()
  await after(10)
  expect(states).toEqual([])
  for (let at = 0; at < 20; at += 1) device.records().put('agents', `a${at}`, agentNamed(`${at}`))
  const backup = cloud.backup()
  texts.length = 0
  driver.written()
  await after(10)
  expect(texts).toEqual(['sending, 11 changes waiting', 'up to date'])
  texts.length = 0
  cloud.restore(backup)
  driver.hinted()
  await after(10)
  expect(texts.map((text) => text.replace(/, .*/, ''))).toEqual(['recovering', 'up to date'])
  expect(cloud.rows().size).toBe(20)
})

test('a retry that fails again changes nothing; one that succeeds and continues is reported', async () => {
  await driver.now()
  for (let at = 0; at < 20; at += 1) device.records().put('agents', `a${at}`, agentNamed(`${at}`))
  trouble = { kind: 'unreachable', detail: 'ECONNREFUSED' }
  driver.hinted()
  await after(10)
  states.length = 0
  await after(10_000)
  expect(states).toEqual([])
  trouble = null
  await after(20_000)
  expect(states).toEqual(['pushing', 'idle'])
  expect(driver.status().offline_since).toBe(null)
})

test('respects a delay that the cloud requests, and reports a session that the cloud ended', async () => {
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
  expect(statusText(driver.status())).toBe('not signed in: the server ended this session: sign in again')
})

test('limits the rate of continuous writes', async () => {
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
