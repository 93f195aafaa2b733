import { stripVTControlCharacters } from 'node:util'
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
function noteOf(of: RecordedEvent['event'], agent_id?: string): string | null {
  const note = policyNote(of, agent_id)
  return note === null ? null : stripVTControlCharacters(note)
}

test('a change that takes effect or is undone is one line, with the command that undoes it', () => {
  expect(noteOf(applied, 'mine')).toBe(
    "A change of this agent's policy is on trial (network_scope of web.fetch, rate_limit of web.fetch). Undo it: tandem learning candidates rollback c1",
  )
  expect(noteOf(undone, 'mine')).toMatch(/^A change of this agent's policy was undone: A run failed\..*Twice\.$/)
})

test('other agents, sessions without a conversation and other events say nothing', () => {
  expect([noteOf(applied, 'other'), noteOf(applied), noteOf(event('run_started', {}), 'mine')]).toEqual([null, null, null])
})
