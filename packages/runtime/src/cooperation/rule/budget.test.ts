import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endMember, left, openTeam, raise, type Spending, setAside, spend, spentByTeam, startMember, type TeamBudget } from './budget.ts'

const of = (tokens: number, turns = tokens): Spending => ({ tokens, turns })

test('a member gets a share of what its parent has left, and returns the rest', () => {
  let team = openTeam('root', of(100))
  team = startMember(team, 'child', 'root', of(60)) as TeamBudget
  expect(left(team, 'root')).toEqual(of(40))
  expect(startMember(team, 'other', 'root', of(41))).toBeNull()
  team = spend(setAside(team, 'child', of(50)) as TeamBudget, 'child', of(50), of(20))
  expect([left(team, 'child'), left(team, 'root')]).toEqual([of(40), of(40)])
  team = endMember(team, 'child')
  expect([left(team, 'root'), spentByTeam(team)]).toEqual([of(80), of(20)])
  expect(endMember(team, 'child')).toBe(team)
})

test('a call that can cost more than is left is not made', () => {
  const team = setAside(openTeam('root', of(100)), 'root', of(70)) as TeamBudget
  expect(setAside(team, 'root', of(31))).toBeNull()
  expect(setAside(team, 'root', { tokens: 1, turns: 31 })).toBeNull()
  expect(setAside(endMember(openTeam('root', of(9)), 'root'), 'root', of(1))).toBeNull()
})

test('a call that has cost more than expected counts fully', () => {
  const team = spend(setAside(openTeam('root', of(100)), 'root', of(90)) as TeamBudget, 'root', of(90), of(120))
  expect([left(team, 'root'), spentByTeam(team)]).toEqual([of(0), of(120)])
})

test('more for a member is more for everyone above it', () => {
  const team = startMember(openTeam('root', of(10)), 'child', 'root', of(10)) as TeamBudget
  const raised = raise(team, 'child', of(5))
  expect([left(raised, 'child'), left(raised, 'root')]).toEqual([of(15), of(0)])
})

test('a member does not end before those that it started', () => {
  const team = startMember(openTeam('root', of(10)), 'child', 'root', of(10)) as TeamBudget
  expect(() => endMember(team, 'root')).toThrow('have not ended')
})

type Action = { readonly who: number; readonly does: 'start' | 'call' | 'end'; readonly amount: number; readonly error: number }

test('whatever members do, in any order: the team spends no more than its budget and the error of one estimate per running member', () => {
  const actions = fc.array(
    fc.record<Action>({ who: fc.nat(9), does: fc.constantFrom('start', 'call', 'end'), amount: fc.nat(40), error: fc.nat(5) }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fc.nat(200), actions, (limit, all) => {
      let team = openTeam('0', of(limit))
      const errors = new Map<string, number>()
      for (const { who, does, amount, error } of all) {
        const members = [...team.values()].filter(({ has_ended }) => !has_ended)
        const member = members[who % Math.max(1, members.length)]
        if (!member) break
        const { run_id } = member
        if (does === 'start') team = startMember(team, String(team.size), run_id, of(amount)) ?? team
        else if (does === 'call') {
          const aside = setAside(team, run_id, of(amount))
          if (!aside) continue
          // An estimate may be wrong; a member whose estimate was wrong has less left for its next call.
          const cost = of(amount + error)
          team = spend(aside, run_id, of(amount), cost)
          errors.set(run_id, Math.max(errors.get(run_id) ?? 0, error))
        } else if (run_id !== '0' && ![...team.values()].some((one) => one.parent_run_id === run_id && !one.has_ended))
          team = endMember(team, run_id)
        for (const one of team.values()) expect(left(team, one.run_id).tokens).toBeGreaterThanOrEqual(0)
      }
      // Each wrong estimate is subtracted before the next call, so the errors of a member do not add up beyond its last one.
      const over = spentByTeam(team).tokens - limit
      expect(over).toBeLessThanOrEqual([...errors.values()].reduce((sum, error) => sum + error, 0))
    }),
    { numRuns: 500 },
  )
})
