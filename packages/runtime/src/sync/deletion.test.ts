// A deletion reaches other devices, in whatever order its facts arrive. What a device has erased does not come back.
import { expect, test } from 'vitest'
import { type TestCloud, testCloud } from '../../test/support/sync/test-cloud.ts'
import { type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'
import { openDeletions } from '../deletion/deletions.ts'
import { eraseRows } from '../deletion/erase-rows.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const day_ms = 24 * 60 * 60_000
const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }

function device(name: string, cloud: TestCloud): TestDevice {
  return testDevice(name, start, () => ({ pull: async (query) => cloud.pull(query), push: async (request) => cloud.push(request) }))
}

async function sync(...devices: readonly TestDevice[]): Promise<void> {
  for (const one of devices) {
    for (let count = 0; ; count += 1) {
      if (count > 20) throw new Error('it does not end')
      if ((await one.engine().round()).kind === 'done') break
    }
  }
}

function talk(one: TestDevice, text: string): string {
  const journal = one.journal()
  const { no, conversation_id } = journal.conversations.create({ agent_id: 'a', title: text, workspace: '/w' })
  const message_id = journal.messages.write({ conversation: no, run: null, role: 'user', author: 'person', text })
  const { run_id } = journal.start({ conversation: no, agent_id: 'a', title: text, model: 'm', sandbox_mode: 'workspace', message_id })
  journal.append(run_id, { kind: 'run.completed', usage })
  return conversation_id
}

const deletionsOf = (one: TestDevice) =>
  openDeletions({
    store: one.store(),
    journal: one.journal(),
    events: { emit: () => undefined },
    cancel: () => Promise.reject(new Error('nothing is open')),
  })
const shown = (one: TestDevice) =>
  one
    .journal()
    .conversations.list({ limit: 10 })
    .map(({ conversation_id }) => conversation_id)

test.each(['its own', 'the other'])(
  'a conversation deleted on %s device is hidden on both, and restored on both from either',
  async (where) => {
    const cloud = testCloud(() => start)
    const [one, two] = [device('one', cloud), device('two', cloud)]
    const id = talk(one, 'Tea')
    await sync(one, two)
    const [deleting, other] = where === 'its own' ? [one, two] : [two, one]
    deleting.clock.set(start + 1_000)
    expect(await deletionsOf(deleting).delete([id], false)).toMatchObject({ ok: true })
    await sync(deleting, other)
    expect([shown(one), shown(two)]).toEqual([[], []])
    // Each device gives its user a whole day.
    expect(other.journal().conversations.get(id)).toMatchObject({ deleted_at: start + 1_000, erase_at: other.clock.now() + day_ms })
    other.clock.set(start + 60_000)
    expect(deletionsOf(other).restore([id])).toMatchObject({ ok: true })
    await sync(other, deleting)
    expect([shown(one), shown(two)]).toEqual([[id], [id]])
    one.dispose()
    two.dispose()
  },
)

test('a pull that breaks off does not count as having heard everything', async () => {
  const cloud = testCloud(() => start)
  const one = device('one', cloud)
  for (const title of ['Tea', 'Coffee', 'Milk', 'Water', 'Juice']) talk(one, title)
  await sync(one)
  let pages = 0
  const two = testDevice('two', start, () => ({
    pull: async (query) => {
      pages += 1
      return pages === 2 ? { kind: 'unreachable', detail: 'the connection broke' } : cloud.pull(query)
    },
    push: async (request) => cloud.push(request),
  }))
  const pulledAt = () => two.engine().state.read().pulled_at
  expect(await two.engine().round()).toMatchObject({ kind: 'failed' })
  expect([two.journal().runs({ limit: -1 }).length > 0, pulledAt()]).toEqual([true, null])
  await sync(two)
  expect([pages > 2, pulledAt()]).toEqual([true, start])
  one.dispose()
  two.dispose()
})

test('a pin reaches the other device', async () => {
  const cloud = testCloud(() => start)
  const [one, two] = [device('one', cloud), device('two', cloud)]
  const id = talk(one, 'Tea')
  const run = one.journal().runs({ conversation_id: id, limit: 1 })[0]
  one.journal().append(run?.run_id ?? '', { kind: 'conversation.pinned', pinned: true })
  await sync(one, two)
  expect(two.journal().conversations.get(id)?.pinned).toBe(true)
  one.dispose()
  two.dispose()
})

test('what was erased here is not stored again when the cloud sends everything again', async () => {
  const cloud = testCloud(() => start)
  const [one, two] = [device('one', cloud), device('two', cloud)]
  const [gone, kept] = [talk(one, 'Gone'), talk(one, 'Kept')]
  await sync(one, two)
  await deletionsOf(two).delete([gone], false)
  await sync(two, one)
  const store = two.store()
  store.applying(() => {
    store.sql
      .run`INSERT INTO erased_conversations (conversation_id, stage, run_ids, files, begun_at) VALUES (${gone}, 'files', '[]', '[]', 0)`
    eraseRows(store, gone, () => undefined)
  })
  const changes = [...cloud.rows().values()].map(({ change }) => change)
  cloud.restore({ rows: new Map(), head: 0, purged: 0 })
  for (const change of changes) cloud.push({ device_id: 'one', changes: [change] })
  await sync(two)
  expect(two.journal().conversations.get(gone)).toBeUndefined()
  expect(
    two
      .journal()
      .runs({ limit: -1 })
      .map(({ title }) => title),
  ).toEqual(['Kept'])
  expect([shown(one), shown(two), two.engine().unread()]).toEqual([[kept], [kept], 0])
  one.dispose()
  two.dispose()
})

test('events of a workflow run of another device are erased with its conversation, and are not stored again', async () => {
  const cloud = testCloud(() => start)
  const [one, two] = [device('one', cloud), device('two', cloud)]
  const carry = (title: string): string => {
    const journal = one.journal()
    const { no, conversation_id } = journal.conversations.create({ agent_id: 'a', title, workspace: '/w' })
    const workflow_run_id = one.store().newId()
    const ids = { agent_id: 'a', title, model: 'm', sandbox_mode: 'workspace', message_id: null, workflow_run_id } as const
    const { run_id } = journal.start({ conversation: no, ...ids })
    const event = { event_id: one.store().newId(), workflow_run_id, workflow_id: one.store().newId(), run_id, device_id: 'one', seq: 0 }
    journal.workflowEvents.append({ ...event, ts: new Date(start).toISOString(), kind: 'state', name: title, state: 'running' })
    const status = { kind: 'workflow.status', workflow_run_id, name: title, state: 'running' } as const
    journal.append(run_id, { ...status, nodes_done: 0, nodes_total: 1 })
    journal.append(run_id, { kind: 'run.completed', usage })
    return conversation_id
  }
  const [gone] = [carry('Gone'), carry('Kept')]
  await sync(one, two)
  const store = two.store()
  const names = () => store.sql.all<{ name: string }>`SELECT payload ->> 'name' AS name FROM workflow_run_events ORDER BY name`
  expect(names()).toEqual([{ name: 'Gone' }, { name: 'Kept' }])
  store.applying(() => {
    store.sql
      .run`INSERT INTO erased_conversations (conversation_id, stage, run_ids, files, begun_at) VALUES (${gone}, 'files', '[]', '[]', 0)`
    eraseRows(store, gone, () => undefined)
  })
  expect(names()).toEqual([{ name: 'Kept' }])
  const changes = [...cloud.rows().values()].map(({ change }) => change)
  cloud.restore({ rows: new Map(), head: 0, purged: 0 })
  for (const change of changes) cloud.push({ device_id: 'one', changes: [change] })
  await sync(two)
  expect([names(), two.engine().unread()]).toEqual([[{ name: 'Kept' }], 0])
  one.dispose()
  two.dispose()
})
