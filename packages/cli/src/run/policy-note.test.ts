import type { RecordedEvent } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { policyNote } from './policy-note.ts'

const event = (name: string, data: object) => ({ event: name, agent_id: 'mine', data }) as unknown as RecordedEvent['event']
const applied = event('policy_canary_applied', {
  candidate_id: 'c1',
  changes: [
    { tool: 'web.fetch', field: 'network_scope' },
    { tool: 'web.fetch', field: 'rate_limit' },
  ],
})
const undone = event('policy_rollback_completed', { candidate_id: 'c1', reason: 'A run failed.\nTwice.' })

test('a change that takes effect or is undone is one line, with the command that undoes it', () => {
  expect(policyNote(applied, 'mine')).toBe(
    "A change of this agent's policy is on trial (network_scope of web.fetch, rate_limit of web.fetch). Undo it: tandem learning candidates rollback c1",
  )
  expect(policyNote(undone, 'mine')).toMatch(/^A change of this agent's policy was undone: A run failed\..*Twice\.$/)
})

test('other agents, sessions without a conversation and other events say nothing', () => {
  expect([policyNote(applied, 'other'), policyNote(applied, undefined), policyNote(event('run_started', {}), 'mine')]).toEqual([
    null,
    null,
    null,
  ])
})
