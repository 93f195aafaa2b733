import type { Team, TeamMember } from '@tandem/contract/team'
import { expect, test } from 'vitest'
import { type StepBody, stepsOf } from '../../test/support/store/test-steps.ts'
import { addSteps } from './journal.ts'
import { isWaiting } from './queued-message.ts'
import { firstConversation, memberOf, teamsIn, withTeam } from './team.ts'
import { startedBy, teamRunIn } from './team-run.ts'

const member = (run_id: string, parent_run_id: string | null, fields: Partial<TeamMember> = {}): TeamMember => ({
  ...{ run_id, parent_run_id, conversation_id: `c-${run_id}`, agent_id: 'a', agent_name: 'A', title: run_id, role: null, state: 'running' },
  ...{ pause_reason: null, device_id: 'd', doing: null, turns: 0, share: null, workspace: null, claims: [] },
  usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false },
  ...{ pending_approvals: 0, pending_questions: 0, failure_contract: null, started_at: '2026-01-01T00:00:00.000Z', ended_at: null },
  ...fields,
})
const team: Team = { root_run_id: 'r', members: [member('r', null), member('m', 'r')], budget: null }

test('a member is found in its team, which is shown first in the conversation of its first run', () => {
  const known = { teams: withTeam(new Map(), team) }
  expect(memberOf(known, 'm')?.parent_run_id).toBe('r')
  expect([firstConversation(known, 'm'), firstConversation(known, 'x')]).toEqual(['c-r', null])
  expect(teamsIn(known, 'c-m').map(({ root_run_id }) => root_run_id)).toEqual(['r'])
  expect(teamsIn(known, 'c-x')).toEqual([])
})

test('a team that is read again keeps what has not changed', () => {
  const before = withTeam(new Map(), team)
  expect(withTeam(before, structuredClone(team))).toBe(before)
  const changed = { ...structuredClone(team), members: [member('r', null), member('m', 'r', { turns: 1 })] }
  const after = withTeam(before, changed)
  expect(after.get('r')?.members[0]).toBe(before.get('r')?.members[0])
  expect(after.get('r')?.members[1]?.turns).toBe(1)
})

const started = { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
const journalOf = (...bodies: readonly StepBody[]) => {
  const journal = addSteps(undefined, stepsOf(...bodies))
  if (!journal) throw new Error('no steps')
  return journal
}

test('a run knows which run started it, and with which role', () => {
  expect(startedBy(journalOf(started))).toBeNull()
  expect(startedBy(journalOf({ ...started, parent_run_id: 'r', role_text: 'Fix it.' }))).toEqual({
    run_id: 'run-1',
    parent_run_id: 'r',
    role: 'Fix it.',
  })
})

test('the newest run of a conversation that is in a team is the one that is shown', () => {
  const alone = { ...journalOf(started), run_id: 'run-3' }
  const old = { ...journalOf({ ...started, parent_run_id: 'r' }), run_id: 'run-1' }
  const newer = {
    ...journalOf(started, { kind: 'child.started', child_run_id: 'x', child_agent_id: 'a', call_id: null, title: 'X' }),
    run_id: 'run-2',
  }
  expect(teamRunIn([newer, alone, old], 'conversation-1')?.run_id).toBe('run-2')
  expect(teamRunIn([alone], 'conversation-1')).toBeNull()
  expect(teamRunIn([newer], 'another')).toBeNull()
})

test('a message is queued until a step names it', () => {
  const message = { message_id: 'q', run_id: 'run-1', text: 'Stop.', attachments: [], queued_at: '2026-01-01T00:00:00.000Z' }
  expect(isWaiting(message, [])).toBe(true)
  expect(isWaiting(message, [journalOf(started)])).toBe(true)
  expect(isWaiting(message, [journalOf(started, { kind: 'message.received', message_id: 'q' })])).toBe(false)
  // The next run of the conversation may have started with it.
  expect(isWaiting(message, [journalOf(started), journalOf({ ...started, message_id: 'q' })])).toBe(false)
})
