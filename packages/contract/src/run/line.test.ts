import { expect, test } from 'vitest'
import { type RunStep, stepKinds, stepLine } from './index.ts'
import { RunStep as Schema } from './schema.ts'

const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`
const place = {
  step_id: id(1),
  run_id: id(2),
  conversation_id: id(3),
  agent_id: 'a',
  device_id: 'd',
  seq: 0,
  ts: '2026-03-01T09:00:00.000Z',
}
const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }
const until = '2026-03-02T09:00:00.000Z'
const shownUntil = '2026-03-02 09:00 UTC'
const wait = { ...place, kind: 'wait.started', wait_id: 'w', subject_id: null } as const
const child = { ...place, kind: 'child.ended', child_run_id: id(4), usage, failure_contract: null } as const
const team = { ...place, kind: 'team.message', team_message_id: id(5), from_run_id: id(4) } as const
const merge = { ...place, kind: 'merge.applied', child_run_id: id(4), call_id: null } as const

test.each<[RunStep, string]>([
  [{ ...place, kind: 'conversation.pinned', pinned: true }, 'The conversation was pinned.'],
  [{ ...place, kind: 'conversation.pinned', pinned: false }, 'The conversation was unpinned.'],
  [{ ...place, kind: 'conversation.deleted', deleted: true }, 'The conversation was deleted.'],
  [{ ...place, kind: 'conversation.deleted', deleted: false }, 'The conversation was restored.'],
  [{ ...wait, for: 'child', until: null }, 'The run is waiting for a run it started.'],
  [{ ...wait, for: 'workflow', until }, `The run is waiting for a workflow, until ${shownUntil} at the latest.`],
  [{ ...wait, for: 'time', until }, `The run is waiting until ${shownUntil}.`],
  [{ ...place, kind: 'wait.ended', wait_id: 'w', outcome: 'timed_out' }, 'The wait timed out.'],
  [
    { ...place, kind: 'child.started', child_run_id: id(4), child_agent_id: 'b', call_id: null, title: 'Look it up' },
    'A run was started for part of the work: Look it up',
  ],
  [{ ...child, state: 'failed' }, 'The run for part of the work failed.'],
  [{ ...child, state: 'canceled' }, 'The run for part of the work was stopped.'],
  [{ ...team, to_run_id: null, text: 'Found it.\nMore' }, 'Message to the team: Found it.'],
  [{ ...team, to_run_id: id(6), text: 'x'.repeat(400) }, `Message to another run of the team: ${'x'.repeat(299)}…`],
  [{ ...merge, changed_paths: 2, conflicts: 1 }, 'The result of another run was merged: 2 paths changed, 1 conflict.'],
  [
    { ...place, kind: 'unknown', unknown_kind: 'team.vote', fields: '{}' },
    'A newer version of Tandem recorded a step here (team.vote). Update Tandem to read it.',
  ],
  [{ ...place, kind: 'conversation.hidden', hidden: true }, ''],
  [{ ...place, kind: 'error', failure_contract: { details: { message: 'm' } } as never }, ''],
])('%o is shown as %s', (step, line) => {
  expect(stepLine(step) ?? '').toBe(line)
})

test('the list of kinds matches the schema', () => {
  expect(Schema.anyOf.map(({ properties }) => properties.kind.const)).toEqual([...stepKinds, 'unknown'])
})
