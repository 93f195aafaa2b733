import { defaultTeamBudget } from '@tandem/contract/team'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunRecord } from '../journal/run-record.ts'
import { openBudgets } from './budgets.ts'
import type { MemberRecord } from './record/member.ts'
import type { Raise } from './record/member-rows.ts'

interface TestRun {
  tokens: number
  turns: number
  pause_reason: string | null
}

/** A team with this many tokens whose members are in memory. */
function testTeam(tokens: number) {
  const runs = new Map<string, TestRun>()
  const members = new Map<string, MemberRecord>()
  let more: Raise = { tokens: 0, turns: 0, seconds: 0 }
  const record = (run_id: string) => {
    const run = runs.get(run_id)
    if (!run) return undefined
    const usage = { input_tokens: run.tokens, output_tokens: 0, cached_tokens: 0, estimated: false }
    return { run_id, agent_id: 'agent', started_at: 0, turns: run.turns, usage, pause_reason: run.pause_reason } as RunRecord
  }
  const change = (run_id: string, fields: Partial<MemberRecord>) => {
    const member = members.get(run_id)
    if (member) members.set(run_id, { ...member, ...fields })
  }
  const budgets = openBudgets({
    clock: { now: () => 0 },
    store: { transaction: (work) => work() },
    isSetAside: () => false,
    journal: { run: record, steps: () => [] },
    rows: {
      get: (run_id) => members.get(run_id),
      ofTeam: () => [...members.values()],
      setShare: (run_id, { tokens, turns }) => change(run_id, { share: { tokens, turns } }),
      letGrow: (run_id) => change(run_id, { share_is_fixed: false }),
      raised: () => more,
      raise: (_root, given) => {
        more = { tokens: more.tokens + given.tokens, turns: more.turns + given.turns, seconds: more.seconds + given.seconds }
      },
    },
    agents: { get: () => ({ agent: { budget: { tokens, turns: 1_000 } } }) as never },
  })
  const add = (run_id: string) => runs.set(run_id, { tokens: 0, turns: 0, pause_reason: null })
  add('root')
  return {
    budgets,
    runs,
    members,
    /** False if its parent has less. */
    start(run_id: string, parent_run_id: string, share: number, share_is_fixed: boolean): boolean {
      const left = budgets.leftFor(parent_run_id)
      if (share > left.tokens || left.turns < 1) return false
      add(run_id)
      const fields = { run_id, parent_run_id, root_run_id: 'root', share: { tokens: share, turns: 1 }, share_is_fixed, result: null }
      members.set(run_id, fields as MemberRecord)
      return true
    },
    reserve: (run_id: string, most: number) => budgets.reserve(record(run_id) as RunRecord, most),
    spend(run_id: string, cost: number) {
      const run = runs.get(run_id)
      if (run) Object.assign(run, { tokens: run.tokens + cost, turns: run.turns + 1 })
    },
    end: (run_id: string) => change(run_id, { result: {} as MemberRecord['result'] }),
    spent: () => [...runs.values()].reduce((sum, run) => sum + run.tokens, 0),
    limit: () => tokens + more.tokens,
  }
}

test('members that call their models at the same time cannot spend the same tokens', () => {
  const { start, reserve } = testTeam(100)
  expect([start('a', 'root', 30, false), start('b', 'root', 30, false)]).toEqual([true, true])
  const [first, second] = [reserve('a', 60), reserve('b', 50)]
  expect([first.ok, second.ok]).toEqual([true, false])
  if (first.ok) first.release()
  // What was not needed is left for others, but the share of a member stays its own.
  expect([reserve('b', 41).ok, reserve('b', 40).ok]).toEqual([false, true])
})

test('a member below one with a named budget spends no more than that', () => {
  const { start, reserve } = testTeam(1_000)
  start('fixed', 'root', 100, true)
  start('below', 'fixed', 20, false)
  expect([reserve('below', 101).ok, reserve('below', 100).ok, reserve('root', 900).ok]).toEqual([false, true, true])
})

test('what a person allows a member can be spent once, however deep it is', () => {
  const { budgets, start, reserve } = testTeam(1_000)
  start('fixed', 'root', 500, true)
  start('below', 'fixed', 400, true)
  budgets.raise('below', { tokens: 1_000, turns: 0, seconds: 0 })
  expect([reserve('below', 1_401).ok, reserve('below', 1_400).ok]).toEqual([false, true])
  expect([budgets.leftFor('fixed').tokens, budgets.leftFor('root').tokens]).toEqual([100, 500])
})

test('a member whose named budget is used up continues when a person raises the budget of the team', () => {
  const { budgets, runs, start, reserve } = testTeam(1_000)
  start('fixed', 'root', 100, true)
  start('below', 'fixed', 50, true)
  start('other', 'root', 100, true)
  Object.assign(runs.get('below') ?? {}, { pause_reason: 'budget' })
  budgets.raise('root', { tokens: 1, turns: 1, seconds: 0 })
  expect([reserve('below', 901).ok, reserve('other', 101).ok]).toEqual([true, false])
  expect(budgets.of('root')?.limit).toEqual({ tokens: 1_001, turns: 1_001, seconds: defaultTeamBudget.seconds })
})

interface Action {
  readonly who: number
  readonly does: 'start' | 'fixed' | 'reserve' | 'answer' | 'end' | 'raise'
  readonly amount: number
  readonly error: number
}

test('whatever members do, in any order: the team spends no more than its budget and the error of one estimate per running member', () => {
  const does = fc.constantFrom<Action['does'][]>('start', 'fixed', 'reserve', 'reserve', 'answer', 'answer', 'end', 'raise')
  const actions = fc.array(fc.record<Action>({ who: fc.nat(9), does, amount: fc.nat(40), error: fc.nat(5) }), { maxLength: 60 })
  fc.assert(
    fc.property(fc.nat(200), actions, (tokens, all) => {
      const team = testTeam(tokens)
      const calls = new Map<string, { readonly most: number; release(): void }>()
      const errors = new Map<string, number>()
      for (const { who, does, amount, error } of all) {
        const open = ['root', ...[...team.members.values()].flatMap(({ run_id, result }) => (result === null ? [run_id] : []))]
        const run_id = open[who % open.length] as string
        const call = calls.get(run_id)
        if (does === 'start' || does === 'fixed') team.start(String(team.members.size), run_id, amount, does === 'fixed')
        else if (does === 'raise') team.budgets.raise(run_id, { tokens: amount, turns: 1, seconds: 0 })
        else if (does === 'reserve' && !call) {
          const reserved = team.reserve(run_id, amount)
          if (reserved.ok) calls.set(run_id, { most: amount, release: reserved.release })
        } else if (does === 'answer' && call) {
          // An estimate may be wrong; a member whose estimate was wrong has less left for its next call.
          team.spend(run_id, call.most + error)
          call.release()
          calls.delete(run_id)
          errors.set(run_id, Math.max(errors.get(run_id) ?? 0, error))
        } else if (does === 'end' && !call && run_id !== 'root') {
          const isLast = ![...team.members.values()].some(({ parent_run_id, result }) => parent_run_id === run_id && result === null)
          if (isLast) team.end(run_id)
        }
        const over = team.spent() - team.limit()
        expect(over).toBeLessThanOrEqual([...errors.values()].reduce((sum, one) => sum + one, 0))
      }
    }),
    { numRuns: 500 },
  )
})
