// What a newer Tandem wrote passes through two devices of this version unchanged: fields, kinds and events that are unknown here.
import { type Change, canonicalJson } from '@tandem/contract/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { agentNamed, type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { changesOfNextVersion, ids } from '../../test/support/sync/test-next-version.ts'
import { differenceOf, dumpCloud, dumpDevice } from '../../test/support/sync/test-state-dump.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const written = changesOfNextVersion()
let cloud: TestCloud
let one: TestDevice
let two: TestDevice

beforeEach(() => {
  cloud = testCloud(() => start)
  one = device('one')
  two = device('two')
  cloud.push({ device_id: 'next', changes: [...written] })
})
afterEach(() => {
  one.dispose()
  two.dispose()
})

function device(name: string): TestDevice {
  return testDevice(name, start, () => ({ pull: async (query) => cloud.pull(query), push: async (request) => cloud.push(request) }))
}

async function sync(device: TestDevice): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    const { kind } = await device.engine().round()
    if (kind === 'done') return
    if (kind === 'failed') throw new Error('failed')
  }
  throw new Error('it does not end')
}

const payloads = (changes: Iterable<Pick<Change, 'entity_type' | 'entity_id' | 'payload'>>) =>
  new Map([...changes].map(({ entity_type, entity_id, payload }) => [`${entity_type} ${entity_id}`, canonicalJson(payload)]))
const inCloud = () => payloads([...cloud.rows().values()].map(({ change }) => change))

/** Runs and conversations are not entities. */
const projected = ['run ', 'conversation ']

test('one device sends it again to a cloud that lost it, and another gets it from there, as it was written', async () => {
  await sync(one)
  expect(one.engine().unread()).toBe(0)
  expect(differenceOf(dumpDevice(one), dumpCloud(cloud), projected)).toBeNull()
  cloud.restore({ rows: new Map(), head: 0, purged: 0 })
  await sync(one)
  expect(inCloud()).toEqual(payloads(written))
  await sync(two)
  expect(two.engine().unread()).toBe(0)
  expect(differenceOf(dumpDevice(one), dumpDevice(two))).toBeNull()
})

test('it may arrive in any order', async () => {
  cloud.restore({ rows: new Map(), head: 0, purged: 0 })
  for (const change of [...written].reverse()) cloud.push({ device_id: 'next', changes: [change] })
  await sync(one)
  expect(one.engine().unread()).toBe(0)
  expect(differenceOf(dumpDevice(one), dumpCloud(cloud), projected)).toBeNull()
})

test('a journal has each step in its position; unknown ones are marked as such', async () => {
  await sync(one)
  const steps = one.journal().steps(ids.run)
  expect(steps.map(({ step }) => step.kind)).toEqual([
    'run.started',
    'tool.call',
    'tool.result',
    'wait.started',
    'child.started',
    'team.message',
    'child.ended',
    'wait.ended',
    'merge.applied',
    'unknown',
    'unknown',
    'conversation.pinned',
    'run.paused',
  ])
  expect(steps[9]?.step).toMatchObject({ seq: 9, unknown_kind: 'team.vote', fields: expect.stringContaining('"votes"') })
  expect(one.journal().run(ids.run)).toMatchObject({ title: 'Next', state: 'paused', pause_reason: null, turns: 0 })
})

test('a message of an unknown author is not a message of the user', async () => {
  await sync(one)
  const { messages } = one.journal()
  expect([messages.get(ids.message), messages.get(ids.answer)]).toMatchObject([
    { author: 'oracle', persons_word: false, parent_message_id: null },
    { author: 'agent', persons_word: false, parent_message_id: ids.message },
  ])
})

test('a step that ends a run ends it, even if the rest of it cannot be read', async () => {
  const [first] = written.filter(({ entity_type }) => entity_type === 'agent_run_steps')
  const step_id = '018f0000-0000-7000-8000-000000000199'
  const payload = { ...first?.payload, step_id, seq: 99, kind: 'run.canceled', usage: 'much' }
  cloud.push({ device_id: 'next', changes: [{ ...(first as Change), entity_id: step_id, payload }] })
  await sync(one)
  expect([one.engine().unread(), one.journal().run(ids.run)?.state]).toEqual([0, 'canceled'])
})

test('a write of this device keeps unknown fields', async () => {
  await sync(one)
  one.records().put('agents', ids.agent, agentNamed('Mara, renamed'))
  await sync(one)
  const of_next_version = { deep: [1, null, 'x'] }
  expect(cloud.rows().get(`agents ${ids.agent}`)?.change.payload).toEqual({
    ...agentNamed('Mara, renamed'),
    identity: { role: 'helper', tone: null, of_next_version },
    of_next_version,
  })
  one.records().remove('agents', ids.agent)
  one.records().put('agents', ids.agent, agentNamed('Another'))
  expect(one.store().sql.get`SELECT unknown FROM records WHERE entity_type = 'agents'`).toEqual({ unknown: null })
})

test('after an upgrade, what was kept aside is read again', async () => {
  const { sql } = one.store()
  for (const change of written) {
    sql.run`
      INSERT INTO sync_unread (entity_type, entity_id, reason, change)
      VALUES (${change.entity_type}, ${change.entity_id}, 'unknown_shape', ${JSON.stringify(change)})`
  }
  one.restart()
  expect([one.engine().unread(), one.journal().run(ids.run)]).toEqual([written.length, undefined])
  one.engine().reconsider()
  expect(one.engine().unread()).toBe(0)
  await sync(two)
  expect(differenceOf(dumpDevice(one), dumpDevice(two))).toBeNull()
})

test('after an upgrade, unknown steps and events are read again', async () => {
  await sync(one)
  const before = dumpDevice(one)
  const { sql } = one.store()
  // As the previous version left them, which could not read them.
  sql.run`UPDATE agent_run_steps SET known = 0 WHERE kind IN ('run.started', 'run.paused', 'wait.started')`
  sql.run`UPDATE workflow_run_events SET known = 0`
  sql.run`UPDATE runs SET title = 'Untitled', state = 'running'`
  one.restart()
  one.engine().reconsider()
  const left = one.store().sql.all`SELECT kind FROM agent_run_steps WHERE known = 0 ORDER BY seq`.map(({ kind }) => kind)
  const unknownEvents = one.store().sql.all`SELECT json_extract(payload, '$.kind') AS kind FROM workflow_run_events WHERE known = 0`
  expect([left, unknownEvents.map(({ kind }) => kind)]).toEqual([['team.vote', 'model.completed'], ['node.dreamt']])
  expect(differenceOf(dumpDevice(one), before)).toBeNull()
})
