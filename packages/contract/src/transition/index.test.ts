import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knowledgeSourceTransitions } from '../knowledge/index.ts'
import { memoryWritebackTransitions } from '../learning/index.ts'
import { mcpServerTransitions } from '../mcp/index.ts'
import { memoryTransitions } from '../memory/index.ts'
import { policyCandidateTransitions } from '../policy-candidate/index.ts'
import { isTerminalRunState, runTransitions } from '../run/index.ts'
import { skillRecommendationTransitions } from '../skill-recommendation/index.ts'
import { taskTransitions } from '../task/index.ts'
import { workflowRunTransitions } from '../workflow-run/index.ts'
import { isTerminal, type Transitions, transition } from './index.ts'

const tables: readonly Transitions<string, string>[] = [
  runTransitions,
  taskTransitions,
  mcpServerTransitions,
  policyCandidateTransitions,
  skillRecommendationTransitions,
  workflowRunTransitions,
  memoryTransitions,
  knowledgeSourceTransitions,
  memoryWritebackTransitions,
]

describe.each(tables.map((table) => [table.noun, table] as const))('%s', (_noun, table) => {
  const rowOf = (state: string, trigger: string) => table.rows.find((row) => row.on === trigger && row.from.includes(state))
  const pairs = table.states.flatMap((state) => table.triggers.map((trigger) => [state, trigger] as const))

  test.each(pairs)('%s on %s is the row of the table, or a refusal that names both', (state, trigger) => {
    const row = rowOf(state, trigger)
    const outcome = transition(table, state, trigger)
    if (row) {
      expect(outcome).toEqual({ ok: true, state: row.to })
      return
    }
    const allowed = table.triggers.filter((one) => rowOf(state, one))
    expect(outcome).toMatchObject({ ok: false, code: 'transition_refused', noun: table.noun, state, trigger, allowed })
    // For users: without identifiers.
    expect(outcome).toHaveProperty('message', expect.stringContaining(state.replaceAll('_', ' ')))
    expect(outcome).toHaveProperty('message', expect.not.stringContaining('_'))
  })

  test('no pair of state and trigger has two rows', () => {
    for (const [state, trigger] of pairs) {
      expect(table.rows.filter((row) => row.on === trigger && row.from.includes(state)).length).toBeLessThanOrEqual(1)
    }
  })

  test('any sequence of triggers stays within the states of the table', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...table.triggers), { maxLength: 50 }), (walk) => {
        let state = table.initial
        for (const trigger of walk) {
          const outcome = transition(table, state, trigger)
          if (outcome.ok) state = outcome.state
        }
        return table.states.includes(state)
      }),
    )
  })

  test('every state can be reached and every trigger is used', () => {
    const reached = new Set([table.initial])
    for (let round = 0; round < table.states.length; round += 1) {
      for (const row of table.rows) if (row.from.some((state) => reached.has(state))) reached.add(row.to)
    }
    expect([...reached].sort()).toEqual([...table.states].sort())
    expect([...new Set(table.rows.map((row) => row.on))].sort()).toEqual([...table.triggers].sort())
  })
})

test('the ends of a run are final except for a restore', () => {
  for (const state of runTransitions.states) {
    expect(isTerminal(runTransitions, state, ['restore_run_checkpoint'])).toBe(isTerminalRunState(state))
  }
})

test('a refusal about a run is a sentence for its user', () => {
  expect(transition(runTransitions, 'completed', 'cancel')).toHaveProperty(
    'message',
    'a run that is completed cannot be canceled: it can only be restored to a recovery point',
  )
})
