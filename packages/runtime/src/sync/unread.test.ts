// What this Tandem cannot read is kept as a whole, across restarts, and sent again to a cloud that lost it.
import type { Change, PullReply, PushRequest } from '@tandem/contract/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDevice, testDevice } from '../../test/support/sync/test-device.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const ts = '2026-03-01T08:00:00.000Z'
let device: TestDevice
let page: readonly Change[]
let epoch: string
let pushed: PushRequest[]

const marks = { op: 'upsert', version: 1, updated_at: ts, source_ts: ts } as const
const ofWorkflow: Change = { ...marks, entity_type: 'workflow_run_events', entity_id: 'w1', payload: { workflow_run_id: 'r', seq: 0 } }
/** Not one of our types: a newer cloud may have it. */
const unheard: Change = JSON.parse(JSON.stringify({ ...marks, entity_type: 'dreams', entity_id: 'd1', payload: { of: ['sheep'] } }))
const newerAgent: Change = { ...marks, entity_type: 'agents', entity_id: 'a1', payload: { name: 'Mara', mood: 'bright' } }

beforeEach(() => {
  page = [ofWorkflow, unheard, newerAgent]
  epoch = 'one'
  pushed = []
  device = testDevice('d', start, () => ({
    async pull() {
      const body: PullReply = { changes: [...page], has_more: false, cursor_ts: '2026-03-01T08:30:00.000Z', epoch }
      page = []
      return { kind: 'ok', body }
    },
    async push(request) {
      pushed.push(request)
      const verdicts = request.changes.map(({ entity_id }, index) => ({ index, entity_id, verdict: 'applied' as const }))
      return { kind: 'ok', body: { verdicts, cursor_ts: ts, server_ts: '2026-03-01T09:00:00.000Z', epoch } }
    },
  }))
})
afterEach(() => device.dispose())

const kept = () =>
  device.store().sql.all`SELECT change FROM sync_unread ORDER BY entity_type`.map(({ change }) => JSON.parse(String(change)) as Change)

test('stays unchanged across restarts and retries', async () => {
  await device.engine().round()
  expect(kept()).toEqual([newerAgent, unheard, ofWorkflow])
  device.restart()
  device.engine().reconsider()
  expect([kept(), device.engine().unread(), device.records().list('agents')]).toEqual([[newerAgent, unheard, ofWorkflow], 3, []])
  await device.engine().round()
  expect([kept().length, pushed]).toEqual([3, []])
})

test('a cloud that was reset gets it again unchanged', async () => {
  await device.engine().round()
  epoch = 'two'
  await device.engine().round()
  await device.engine().round()
  const sent = pushed.flatMap(({ changes }) => changes)
  expect(sent.map(({ entity_type, entity_id, payload }) => [entity_type, entity_id, payload])).toEqual([
    ['agents', 'a1', newerAgent.payload],
    ['dreams', 'd1', unheard.payload],
    ['workflow_run_events', 'w1', ofWorkflow.payload],
  ])
  expect(kept()).toEqual([newerAgent, unheard, ofWorkflow])
})
