import { expect, test } from 'vitest'
import { type WorkflowRunEvent, workflowEventLine, workflowRunEventKinds } from './index.ts'
import { WorkflowRunEvent as Schema } from './schema.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const place = { event_id: id, workflow_run_id: id, workflow_id: id, run_id: null, device_id: 'd', seq: 0, ts: '2026-03-01T09:00:00.000Z' }
const failure_contract = {
  taxonomy: 'none',
  stage: 'workflow',
  source: 's',
  reason_code: 'r',
  recoverability: 'terminal',
  details: { message: 'no' },
} as const

test.each<[WorkflowRunEvent, string]>([
  [{ ...place, kind: 'started', name: 'Release', owner_agent_id: 'a', definition_sha256: '0'.repeat(64) }, 'The workflow Release started.'],
  [{ ...place, kind: 'state', name: 'Release', state: 'paused' }, 'The workflow Release is paused.'],
  [
    { ...place, kind: 'state', name: 'Release', state: 'failed', reason: 'Node n failed.' },
    'The workflow Release has failed: Node n failed.',
  ],
  [{ ...place, kind: 'node.started', node_id: 'n', attempt: 1 }, 'Node n started.'],
  [{ ...place, kind: 'node.started', node_id: 'n', attempt: 2, iteration: [1, 2] }, 'Node n (round 2.3) started, attempt 2.'],
  [{ ...place, kind: 'node.waiting', node_id: 'n', waits_for: 'approval', reason: 'an approval' }, 'Node n is waiting: an approval'],
  [{ ...place, kind: 'node.completed', node_id: 'n', attempt: 1, outcome: 'succeeded', output: '{}' }, 'Node n is complete.'],
  [{ ...place, kind: 'node.failed', node_id: 'n', attempt: 1, failure_contract }, 'Node n failed: no'],
  [{ ...place, kind: 'node.skipped', node_id: 'n', reason: 'the condition is false' }, 'Node n was skipped: the condition is false'],
  [{ ...place, kind: 'node.reset', node_id: 'n' }, 'Node n was reset and will run again.'],
  [{ ...place, kind: 'node.compensated', node_id: 'n', iteration: [0] }, 'The effects of node n (round 1) were undone.'],
  [
    { ...place, kind: 'unknown', unknown_kind: 'node.dreamt', fields: '{}' },
    'A newer version of Tandem recorded an event here (node.dreamt). Update Tandem to read it.',
  ],
])('%o is shown as %s', (event, line) => {
  expect(workflowEventLine(event)).toBe(line)
})

test('the list of kinds matches the schema', () => {
  expect(Schema.anyOf.map(({ properties }) => properties.kind.const)).toEqual([...workflowRunEventKinds, 'unknown'])
})
