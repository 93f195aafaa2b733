import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pendingCount, pendingGroups, pendingItems } from './pending.ts'
import { emptyState, type WindowState } from './window-state.ts'

type Approval = WindowState['approvals'][number]
type Question = WindowState['questions'][number]
const approval = (approval_id: string, run_id: string) => ({ run_id, approval: { approval_id } }) as Approval
const question = (question_id: string, run_id: string) => ({ run_id, question: { question_id } }) as Question
const runs = new Map(
  Object.entries({ r1: 'tea', r2: 'coffee', member: 'hidden' }).map(([run_id, conversation_id]) => [run_id, { run_id, conversation_id }]),
) as unknown as WindowState['runs']
const teams = new Map([
  [
    'r1',
    {
      root_run_id: 'r1',
      members: [
        { run_id: 'r1', conversation_id: 'tea' },
        { run_id: 'member', conversation_id: 'hidden' },
      ],
    },
  ],
]) as unknown as WindowState['teams']

test('each request is in the conversation where it is answered: that of the first run of its team', () => {
  const state = {
    ...emptyState,
    runs,
    teams,
    approvals: [approval('a1', 'member'), approval('a2', 'r2'), approval('a1', 'member')],
    questions: [question('q1', 'r1'), question('q2', 'unknown')],
  }
  expect(pendingGroups(state).map(({ conversation_id, items }) => [conversation_id, items.map(({ id }) => id)])).toEqual([
    ['tea', ['a1', 'q1']],
    ['coffee', ['a2']],
    [null, ['q2']],
  ])
  expect(pendingCount(state)).toBe(4)
})

test('the count is that of the groups, and of the different requests', () => {
  const run = fc.constantFrom('r1', 'r2', 'member', 'unknown')
  const ids = fc.array(fc.record({ id: fc.nat(5).map(String), run }), { maxLength: 12 })
  fc.assert(
    fc.property(ids, ids, (some, others) => {
      const approvals = some.map((one) => approval(one.id, one.run))
      const questions = others.map((one) => question(one.id, one.run))
      const state = { ...emptyState, runs, teams, approvals, questions }
      const different = new Set(some.map(({ id }) => id)).size + new Set(others.map(({ id }) => id)).size
      expect(pendingCount(state)).toBe(different)
      expect(pendingItems(state)).toHaveLength(different)
      expect(pendingGroups(state).reduce((sum, { items }) => sum + items.length, 0)).toBe(different)
    }),
  )
})
