// A failover that left an old copy of the cloud's database responding next to the new one.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { previousEpochTime_ms } from './epochs.ts'
import type { SyncCloud } from './transport/cloud.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
let oldCopy: TestCloud
let promoted: TestCloud
/** Which of them responds to the next call; calls beyond the list go to the new one. */
let answering: TestCloud[]
let pushes: number
let device: TestDevice

beforeEach(() => {
  oldCopy = testCloud(() => start)
  promoted = testCloud(() => start)
  promoted.restore(promoted.backup())
  answering = []
  pushes = 0
  device = testDevice('one', start, () => wire)
})
afterEach(() => device.dispose())

const wire: SyncCloud = {
  pull: async (query) => (answering.shift() ?? promoted).pull(query),
  push: async (request) => {
    pushes += 1
    return (answering.shift() ?? promoted).push(request)
  },
}

async function sync(): Promise<string> {
  for (let count = 0; count < 20; count += 1) {
    const round = await device.engine().round()
    if (round.kind === 'done') return 'done'
    if (round.kind === 'failed') return round.answer.detail
  }
  return 'it does not end'
}

const waits = 'an old copy of the database of the server is still responding; pending changes are sent as soon as it is gone'

/** Signed in to the old one with one agent, then moved to the new one. */
async function moveOver(): Promise<void> {
  answering = [oldCopy, oldCopy]
  device.records().put('agents', 'before', agentNamed('before'))
  expect(await sync()).toBe('done')
  expect([oldCopy.rows().size, promoted.rows().size]).toEqual([1, 0])
  expect(await sync()).toBe('done')
  expect(promoted.rows().has('agents before')).toBe(true)
}

test('sends what only the old copy acknowledged to the new one', moveOver)

test('what an old copy acknowledges afterwards does not count as sent', async () => {
  await moveOver()
  device.records().put('agents', 'late', agentNamed('late'))
  answering = [promoted, oldCopy]
  expect(await sync()).toBe(waits)
  expect([oldCopy.rows().has('agents late'), device.engine().outbox.count()]).toEqual([true, 1])
  expect(await sync()).toBe('done')
  expect([promoted.rows().has('agents late'), device.engine().outbox.count()]).toEqual([true, 0])
})

test('a balancer that alternates between both starts one recovery, not one per response', async () => {
  await moveOver()
  pushes = 0
  for (let count = 0; count < 30; count += 1) {
    answering = count % 2 === 0 ? [oldCopy] : []
    expect(await sync()).toBe(count % 2 === 0 ? waits : 'done')
  }
  expect(pushes).toBe(0)
})

test('an old copy that refuses the cursor does not start a recovery either', async () => {
  await moveOver()
  const empty = testCloud(() => start)
  pushes = 0
  answering = [empty, empty]
  expect(await sync()).toBe(waits)
  expect([pushes, device.engine().state.read().recovery]).toEqual([0, 'none'])
  expect(await sync()).toBe('done')
})

test('a database that was reset without a new epoch is recovered once in ten minutes', async () => {
  await moveOver()
  device.clock.advance(previousEpochTime_ms)
  const empty = testCloud(() => start)
  empty.restore(empty.backup())
  promoted = empty
  expect(await sync()).toBe('done')
  expect(promoted.rows().has('agents before')).toBe(true)
  const again = testCloud(() => start)
  again.restore(again.backup())
  promoted = again
  expect(await sync()).toBe(waits)
  device.clock.advance(previousEpochTime_ms)
  expect(await sync()).toBe('done')
  expect(promoted.rows().has('agents before')).toBe(true)
})

test('old epochs are remembered across a restart, and followed again after ten minutes', async () => {
  await moveOver()
  device.restart()
  answering = [oldCopy]
  expect(await sync()).toBe(waits)
  device.clock.advance(previousEpochTime_ms)
  promoted = oldCopy
  expect(await sync()).toBe('done')
})
