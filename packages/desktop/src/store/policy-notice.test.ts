import { expect, test } from 'vitest'
import { policyNotices } from './policy-notice.ts'

const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`

const candidate = {
  ...{ id: 'p', title: 'Give it more time.', conversation_id: 'origin', adopted_at: null, rolled_back_at: null, rollback_reason: null },
  canary_applied_at: at(10),
}
const applied = { ...candidate, state: 'canary_applied' as const }
const undone = { ...candidate, state: 'rolled_back' as const, rolled_back_at: at(20), rollback_reason: 'A run failed.' }

function run(conversation_id: string, from: number, to: number) {
  const step = (minute: number) => ({ kind: 'text.partial', ts: at(minute) }) as never
  return { conversation_id, steps: [step(from), step(to)] }
}

const onTrial = { candidate_id: 'p', title: 'Give it more time.', undone: null, at: at(10) }
const rolledBack = { candidate_id: 'p', title: 'Give it more time.', undone: 'A run failed.', at: at(20) }

test.each([
  ['on trial, in any conversation of the agent', applied, 'other', [], [onTrial]],
  ['kept', { ...applied, adopted_at: at(12) }, 'origin', [], []],
  ['only ready', { ...candidate, state: 'canary_ready' as const, canary_applied_at: null }, 'origin', [], []],
  ['rejected before it was applied', { ...undone, canary_applied_at: null }, 'origin', [], []],
  ['undone, where it arose', undone, 'origin', [], [rolledBack]],
  ['undone, where it was in force', undone, 'other', [run('other', 15, 19)], [rolledBack]],
  ['undone, in a run that began before and ended after', undone, 'other', [run('other', 5, 25)], [rolledBack]],
  ['undone, where nothing ran with it', undone, 'other', [run('other', 1, 9), run('other', 21, 22)], []],
  ['undone, where only another conversation ran with it', undone, 'other', [run('third', 15, 19)], []],
] as const)('%s', (_, one, conversation_id, journals, expected) => {
  expect(policyNotices([one], conversation_id, [...journals])).toEqual(expected)
})
