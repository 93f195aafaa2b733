import type { Team, TeamMember } from '@tandem/contract/team'
import { expect, test } from 'vitest'
import { changeLines } from './show.ts'
import { teamLines } from './text.ts'

const member = (run_id: string, parent_run_id: string | null, title: string, fields: Partial<TeamMember> = {}): TeamMember => ({
  ...{ run_id, parent_run_id, conversation_id: run_id, agent_id: 'a', agent_name: 'Coder', title, role: null, state: 'running' },
  ...{ pause_reason: null, device_id: 'd', doing: null, turns: 3, share: null, workspace: null, claims: [] },
  usage: { input_tokens: 1_200, output_tokens: 80, cached_tokens: 0, estimated: false },
  ...{ pending_approvals: 0, pending_questions: 0, failure_contract: null, started_at: '2026-01-01T00:00:00.000Z', ended_at: null },
  ...fields,
})
const budget = { limit: { tokens: 2_000_000, turns: 300, seconds: 14_400 }, spent: { tokens: 3_840, turns: 9, seconds: 330 } }
const team: Team = {
  root_run_id: 'r',
  members: [
    member('r', null, 'Build it', { agent_name: 'Tandem', state: 'paused', pause_reason: 'child' }),
    member('m', 'r', 'Fix the \u001b[2Jparser', { doing: 'Run npm test' }),
    member('n', 'm', 'Look it up', { state: 'paused', pause_reason: 'approval', pending_approvals: 1 }),
    member('o', 'r', 'Write', { state: 'completed', turns: 1 }),
  ],
  budget,
}

test('a team is a tree with states, steps, tokens and what needs an answer; titles cannot control the terminal', () => {
  expect(teamLines(team)).toEqual([
    'Build it (Tandem): paused (it is waiting for a run it started), 1,280 tokens, 3 turns',
    '  r',
    '  Fix the \\u{1b}[2Jparser (Coder): running, 1,280 tokens, 3 turns',
    '    m  Run npm test',
    '    Look it up (Coder): paused (a call needs your approval), 1,280 tokens, 3 turns',
    '      n',
    '      1 approval pending: tandem resume n --answer once',
    '  Write (Coder): completed, 1,280 tokens, 1 turn',
    '    o',
    '',
    'Budget: 3,840 of 2,000,000 tokens, 9 of 300 turns, 5 of 240 minutes',
  ])
  expect(teamLines({ ...team, members: team.members.slice(0, 1), budget: null })).toHaveLength(2)
})

test('while a team is followed, a line is printed for each change that is shown', () => {
  const later: Team = {
    ...team,
    members: [
      ...team.members.slice(0, 1),
      member('m', 'r', 'Fix the parser', { doing: 'Read src/parser.ts', turns: 4 }),
      member('n', 'm', 'Look it up', { state: 'completed' }),
      member('o', 'r', 'Write', { state: 'completed', turns: 1 }),
      member('p', 'r', 'Review', { pending_questions: 1, state: 'paused', pause_reason: 'question' }),
    ],
  }
  expect(changeLines(team, team)).toEqual([])
  expect(changeLines(team, later)).toEqual([
    'Fix the parser: Read src/parser.ts',
    'Look it up: completed',
    'Review: paused (a question needs your answer)',
    '  1 question pending: tandem resume p --answer "…"',
  ])
})
