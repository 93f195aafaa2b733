import { policyCandidateStates } from '@tandem/contract/policy-candidate'
import { expect, test } from 'vitest'
import { actionsOf } from './actions.ts'

const expected = {
  shadow_pending: ['validate'],
  shadow_passed: ['prepare', 'rollback'],
  shadow_failed: [],
  canary_ready: ['apply', 'rollback'],
  canary_applied: ['keep', 'rollback'],
  rolled_back: [],
}

test.each(policyCandidateStates)('%s', (state) => expect(actionsOf({ state, adopted_at: null })).toEqual(expected[state]))

test('one that was kept can only be rolled back', () => {
  expect(actionsOf({ state: 'canary_applied', adopted_at: '2026-01-01T00:00:00.000Z' })).toEqual(['rollback'])
})
