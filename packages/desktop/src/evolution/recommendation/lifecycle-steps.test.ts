import { type SkillRecommendationState, skillRecommendationStates } from '@tandem/contract/skill-recommendation'
import { expect, test } from 'vitest'
import { lifecycleSteps } from './lifecycle-steps.ts'

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`
const chain = skillRecommendationStates.slice(0, 8)

/** Every state on the way to this one, a minute each. */
function wayTo(states: readonly SkillRecommendationState[]) {
  return states.slice(1).map((to_state, index) => ({ from_state: states[index] ?? to_state, to_state, created_at: at(index + 1) }))
}
const shown = (states: readonly SkillRecommendationState[]) =>
  lifecycleSteps({ state: states.at(-1) ?? 'draft_pending', created_at: at(0), updated_at: at(59) }, wayTo(states))

test.each(chain)('up to %s: those before it have a time, those after it are ahead', (state) => {
  const reached = chain.slice(0, chain.indexOf(state) + 1)
  expect(shown(reached)).toEqual(
    chain.map((one, index) => ({ state: one, at: index < reached.length ? at(index) : null, isCurrent: one === state })),
  )
})

test.each(['rolled_back', 'retired'] as const)('%s is the end: nothing is ahead', (state) => {
  const states = [...chain.slice(0, 5), state]
  expect(shown(states)).toEqual(states.map((one, index) => ({ state: one, at: at(index), isCurrent: one === state })))
})

test('a check that changed nothing is no step', () => {
  const validations = [{ from_state: 'draft_generated', to_state: 'draft_generated', created_at: at(2) } as const]
  const steps = lifecycleSteps({ state: 'draft_generated', created_at: at(0), updated_at: at(1) }, validations)
  expect(steps.slice(0, 3)).toEqual([
    { state: 'draft_pending', at: at(0), isCurrent: false },
    { state: 'draft_generated', at: at(1), isCurrent: true },
    { state: 'validated', at: null, isCurrent: false },
  ])
})
