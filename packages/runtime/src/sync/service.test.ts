import type { Heartbeat } from '@tandem/contract/device'
import type { PushRequest } from '@tandem/contract/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, offlineDevice, type TestDevice } from '../../test/support/sync/test-device.ts'
import { changesOfNextVersion, ids } from '../../test/support/sync/test-next-version.ts'
import type { Account } from '../account/account.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { openSync, type SyncService } from './service.ts'
import type { Answer } from './transport/cloud.ts'
import type { HintConnection } from './transport/hints.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const identity = { cloud_url: 'https://cloud.example.org', user_id: 'mara', email: 'm@example.org', session_id: 's', ended: null }
let device: TestDevice
let cloud: TestCloud
let sync: SyncService
let who: typeof identity | null
let trouble: Answer<never> | null
let refused: string | null
let pulls: number
let pushes: PushRequest[]
let beats: Heartbeat[]
let lines: string[]
let network: string

beforeEach(() => {
  who = identity
  trouble = null
  refused = null
  pulls = 0
  pushes = []
  beats = []
  lines = []
  network = 'at home'
  device = offlineDevice(start)
  cloud = testCloud(() => device.clock.now())
  const store = device.store()
  const bus = openBus((error) => {
    throw error
  })
  const account: Account = {
    who: () => who,
    signIn: never,
    signOut: never,
    forget: never,
    send: never,
    call: never,
    token: async () => 'token',
    onChanged: () => () => undefined,
  }
  sync = openSync({
    store,
    account,
    cloud: {
      async push(request) {
        pushes.push(request)
        return trouble ?? judged(request)
      },
      async pull(query) {
        pulls += 1
        return trouble ?? cloud.pull(query)
      },
      device: async () => ({ kind: 'unreachable', detail: 'not asked here' }),
      register: async () => ({ kind: 'ok', body: null }),
      async heartbeat(heartbeat) {
        beats.push(heartbeat)
        return { kind: 'unreachable', detail: 'its answer counts for nothing' }
      },
      send: never,
      fetch: never,
    },
    events: openEvents(store, bus),
    random: () => 0.5,
    places: { text: (file_id) => file_id, attachment: (file_id) => file_id },
    stepArrived: () => undefined,
    arrived: () => undefined,
    taskHinted: () => undefined,
    lineOpened: () => undefined,
    openLine(url) {
      lines.push(url)
      return answeringLine()
    },
    device: { name: 'desk', platform: 'linux', app_version: '1.2.3' },
    network: () => network,
    vitals: () => ({ sandbox_mode: 'strict', running_runs: 2, paused_runs: 1 }),
    log: (line) => {
      throw new Error(line)
    },
  })
})
afterEach(async () => {
  await sync.stop()
  device.dispose()
})

function answeringLine(): HintConnection {
  const line: HintConnection = {
    send(text) {
      const type = JSON.parse(text).type === 'auth' ? 'hello' : 'pong'
      queueMicrotask(() => line.onmessage?.({ data: JSON.stringify({ type }) }))
    },
    close: () => undefined,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  queueMicrotask(() => line.onopen?.())
  return line
}

async function never(): Promise<never> {
  throw new Error('not in this test')
}

/** As the cloud decides, except for the one agent that it rejects. */
function judged(request: PushRequest): ReturnType<TestCloud['push']> {
  const answer = cloud.push({ ...request, changes: request.changes.filter(({ payload }) => payload.name !== refused) })
  if (answer.kind !== 'ok' || refused === null) return answer
  const verdicts = [...answer.body.verdicts]
  const taken = request.changes.flatMap(({ payload }, index) => (payload.name === refused ? [] : [index]))
  const refusals = request.changes.flatMap(({ payload, entity_id }, index) =>
    payload.name === refused
      ? [{ index, entity_id, verdict: 'rejected', code: 'invalid', message: 'the cloud will not have it' } as const]
      : [],
  )
  return {
    kind: 'ok',
    body: { ...answer.body, verdicts: [...verdicts.map((verdict) => ({ ...verdict, index: taken[verdict.index] ?? -1 })), ...refusals] },
  }
}

async function after(ms: number): Promise<void> {
  device.clock.advance(ms)
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** In steps short enough for the connection to respond in between. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) await after(5_000)
}

test('a heartbeat reports the state of this device, twice a minute and only while signed in', async () => {
  device.records().put('agents', 'a', agentNamed('one'))
  sync.start()
  await after(10)
  await after(10)
  const { last_push_ts, last_pull_ts } = sync.status()
  await after(30_000)
  expect(beats).toEqual([
    {
      device_id: 'd',
      app_version: '1.2.3',
      sandbox_mode: 'strict',
      running_runs: 2,
      paused_runs: 1,
      sync_lag: { pending_changes: 0, quarantined_changes: 0, last_push_ts, last_pull_ts },
    },
  ])
  await after(30_000)
  expect(beats.length).toBe(2)
  who = null
  await after(300_000)
  expect(beats.length).toBe(2)
})

test('a machine that slept, or changed its network, tries immediately instead of waiting for the delay', async () => {
  const state = () => sync.status().state
  sync.start()
  await after(10)
  const changes = {
    network() {
      network = 'at work'
    },
    // The wall clock advanced, timers did not.
    sleep: () => device.clock.set(device.clock.now() + 3_600_000),
  }
  for (const change of Object.values(changes)) {
    trouble = { kind: 'unreachable', detail: 'ENETUNREACH' }
    await sync.now()
    await pass(20 * 60_000)
    // It has just tried: its next attempt is minutes away.
    for (const tries = pulls; pulls === tries; ) await after(1_000)
    trouble = null
    await pass(60_000)
    const before = { pulls, lines: lines.length }
    expect(state()).toBe('offline')
    change()
    for (let second = 0; second < 31 && state() === 'offline'; second += 1) await after(1_000)
    expect({ state: state(), pulls, lines: lines.length }).toEqual({ state: 'idle', pulls: before.pulls + 1, lines: before.lines + 1 })
  }
})

test('rejected changes are kept in quarantine; a retry sends them as a new write', async () => {
  refused = 'odd'
  device.records().put('agents', 'a', agentNamed('odd'))
  device.records().put('agents', 'b', agentNamed('even'))
  expect((await sync.now()).text).toBe('up to date; 1 change in quarantine')
  const [entry] = sync.quarantine()
  expect(entry).toMatchObject({ entity_type: 'agents', entity_id: 'a', code: 'invalid', message: 'the cloud will not have it' })
  expect([...cloud.rows().keys()]).toEqual(['agents b'])
  const no = entry?.no ?? 0
  expect(sync.retry(no + 1)).toEqual({ ok: false, code: 'not_found', message: `change ${no + 1} is not in quarantine` })
  expect(sync.retry(no)).toEqual({ ok: true })
  expect(sync.retry(no)).toMatchObject({ ok: false, code: 'not_found' })
  // Still rejected: it comes back, once.
  expect((await sync.now()).text).toBe('up to date; 1 change in quarantine')
  refused = null
  const [again] = sync.quarantine()
  device.clock.advance(1_000)
  expect(sync.retry(again?.no ?? 0)).toEqual({ ok: true })
  expect((await sync.now()).text).toBe('up to date')
  const row = cloud.rows().get('agents a')?.change
  expect([row?.payload.name, Date.parse(row?.updated_at ?? '') >= device.clock.now()]).toEqual(['odd', true])
})

test('discarding it restores what the cloud has, also over a newer pending edit', async () => {
  device.records().put('agents', 'a', agentNamed('agreed'))
  await sync.now()
  refused = 'odd'
  device.records().put('agents', 'a', agentNamed('odd'))
  device.records().put('agents', 'new', agentNamed('odd'))
  await sync.now()
  expect(sync.quarantine().map(({ entity_id }) => entity_id)).toEqual(['a', 'new'])
  trouble = { kind: 'unreachable', detail: 'cut' }
  device.records().put('agents', 'a', agentNamed('a newer edit'))
  for (const { no } of sync.quarantine()) expect(sync.discard(no)).toEqual({ ok: true })
  expect([sync.quarantine(), sync.status().pending_changes]).toEqual([[], 0])
  trouble = null
  expect((await sync.now()).text).toBe('up to date')
  expect(device.records().get('agents', 'a')?.payload.name).toBe('agreed')
  expect(device.records().get('agents', 'new')).toBe(undefined)
  expect(pushes.flatMap(({ changes }) => changes).filter(({ payload }) => payload.name === 'a newer edit')).toEqual([])
})

test('at every start, and so after an upgrade, what was kept aside is read again', () => {
  const { sql } = device.store()
  for (const change of changesOfNextVersion()) {
    sql.run`
      INSERT INTO sync_unread (entity_type, entity_id, reason, change)
      VALUES (${change.entity_type}, ${change.entity_id}, 'unknown_shape', ${JSON.stringify(change)})`
  }
  sync.start()
  expect(sync.status().unread_changes).toBe(0)
  expect(device.journal().run(ids.run)?.title).toBe('Next')
})
