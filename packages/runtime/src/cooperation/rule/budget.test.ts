import { expect, test } from 'vitest'
import { hasLeft, left, type MemberBudget, nothing, raised, readmitted, type Spending, spentByTeam, teamBudget, topUp } from './budget.ts'

const of = (tokens: number, turns = tokens): Spending => ({ tokens, turns })
const member = (run_id: string, parent_run_id: string | null, limit: number, fields: Partial<MemberBudget> = {}): MemberBudget => ({
  ...{ run_id, parent_run_id, limit: of(limit), is_fixed: false, spent: nothing, aside: nothing, has_ended: false },
  ...fields,
})
const root = (limit: number, fields: Partial<MemberBudget> = {}) => member('root', null, limit, fields)

test('a member has a share of what its parent has left, and returns the rest', () => {
  const child = member('child', 'root', 60, { spent: of(20) })
  const working = teamBudget([root(100), child])
  expect([left(working, 'child'), left(working, 'root')]).toEqual([of(40), of(40)])
  const ended = teamBudget([root(100), { ...child, has_ended: true }, member('below', 'child', 9, { spent: of(5), has_ended: true })])
  expect([left(ended, 'root'), spentByTeam(ended)]).toEqual([of(75), of(25)])
})

test('a call that can cost more than is left is not made', () => {
  const team = teamBudget([root(100, { aside: of(70) })])
  expect([hasLeft(team, 'root', of(30)), hasLeft(team, 'root', of(31)), hasLeft(team, 'root', of(1, 31))]).toEqual([true, false, false])
  expect(hasLeft(teamBudget([root(9, { has_ended: true })]), 'root', of(1))).toBe(false)
})

test('a call that has cost more than expected counts fully', () => {
  const team = teamBudget([root(100, { spent: of(120) })])
  expect([left(team, 'root'), spentByTeam(team)]).toEqual([of(0), of(120)])
})

test('more for a member is more for everyone above it', () => {
  const team = raised(teamBudget([root(10), member('child', 'root', 10), member('below', 'child', 10)]), 'below', of(5))
  expect(['root', 'child', 'below'].map((run_id) => left(team, run_id))).toEqual([of(0), of(0), of(15)])
})

test('a member gets more than its share as long as those above it have something left', () => {
  const team = teamBudget([root(100), member('child', 'root', 20), member('below', 'child', 20)])
  const more = topUp(team, 'below', of(70))
  expect([left(more, 'below'), left(more, 'child'), left(more, 'root')]).toEqual([of(70), of(0), of(30)])
  // Not more than there is.
  expect(left(topUp(team, 'below', of(500)), 'below')).toEqual(of(100))
  expect(topUp(team, 'root', of(500))).toBe(team)
  expect(topUp(team, 'below', of(20))).toBe(team)
})

test('a share that was named does not grow, neither for the member nor for one that it starts', () => {
  const team = teamBudget([root(100), member('child', 'root', 20, { is_fixed: true }), member('below', 'child', 5)])
  const more = topUp(team, 'below', of(70))
  expect([left(more, 'below'), left(more, 'child'), left(more, 'root')]).toEqual([of(20), of(0), of(80)])
  expect(topUp(team, 'child', of(70))).toBe(team)
})

test('members that spend again get back what is left of their shares, and never more than their parent has', () => {
  const child = member('child', 'root', 60, { spent: of(10), has_ended: true })
  const below = member('below', 'child', 40, { spent: of(5), has_ended: true })
  const all = readmitted(teamBudget([root(100), child, below]), ['child', 'below'])
  expect(['root', 'child', 'below'].map((run_id) => left(all, run_id))).toEqual([of(40), of(10), of(35)])
  const little = readmitted(teamBudget([root(100, { spent: of(75) }), child, below]), ['child', 'below'])
  expect(['root', 'child', 'below'].map((run_id) => left(little, run_id))).toEqual([of(0), of(0), of(10)])
})
