import type { LocalRun, PendingApproval } from '@tandem/contract/command'
import type { Team } from '@tandem/contract/team'
import { expect, test } from 'vitest'
import { standingIn, standingsOf } from './standings.ts'
import { emptyState, type WindowState } from './window-state.ts'

/** Counts how often all runs are read. */
class CountedRuns extends Map<string, LocalRun> {
  reads = 0
  override values() {
    this.reads += 1
    return super.values()
  }
}

const run = (run_id: string, conversation_id: string, state: LocalRun['state']) =>
  [run_id, { run_id, conversation_id, state } as LocalRun] as const
const approvalOf = (run_id: string) => ({ run_id, approval: { approval_id: `of ${run_id}` } }) as PendingApproval
const in_ = (...ids: string[]) => ids.map((conversation_id) => ({ conversation_id }))

test('a conversation waits or works; what a member needs is shown in the first conversation of its team, too', () => {
  const team = {
    root_run_id: 'lead',
    members: [
      { run_id: 'lead', conversation_id: 'c-lead' },
      { run_id: 'member', conversation_id: 'c-member' },
    ],
  } as Team
  const state: WindowState = {
    ...emptyState,
    runs: new Map([
      run('r1', 'c1', 'running'),
      run('r2', 'c2', 'completed'),
      run('lead', 'c-lead', 'running'),
      run('member', 'c-member', 'paused'),
    ]),
    teams: new Map([['lead', team]]),
    approvals: [approvalOf('member')],
  }
  const standings = standingsOf(state)
  expect(Object.fromEntries(standings)).toEqual({ c1: 'running', 'c-lead': 'waiting', 'c-member': 'waiting' })
  expect([in_('c1'), in_('c2'), in_('c2', 'c1'), in_('c1', 'c-lead')].map((family) => standingIn(standings, family))).toEqual([
    'running',
    null,
    'running',
    'waiting',
  ])
})

test('they are computed once for all lines, and not again for streamed text', () => {
  const runs = new CountedRuns(Array.from({ length: 150 }, (_, at) => run(`r${at}`, `c${at}`, 'running')))
  const state: WindowState = { ...emptyState, runs }
  const lines = Array.from({ length: 1_000 }, (_, at) => in_(`c${at}`))
  const seen = (now: WindowState) => lines.map((family) => standingIn(standingsOf(now), family))
  const before = seen(state)
  const streamed = seen({ ...state, streams: new Map(), journals: new Map() })
  expect([runs.reads, streamed]).toEqual([1, before])
  // One more waits: only its line selects another value, so that only it is rendered again.
  const asked = seen({ ...state, approvals: [approvalOf('r7')] })
  expect(asked.flatMap((one, at) => (one === before[at] ? [] : [[at, one]]))).toEqual([[7, 'waiting']])
  expect(runs.reads).toBe(2)
})
