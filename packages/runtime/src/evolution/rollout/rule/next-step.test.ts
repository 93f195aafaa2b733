// Every state, every action, and every condition of the chain.
import {
  type CanaryGroup,
  type SkillRecommendationState,
  type SkillRecommendationTrigger,
  skillRecommendationStates,
  skillRecommendationTransitions,
  skillRecommendationTriggers,
} from '@tandem/contract/skill-recommendation'
import { transition } from '@tandem/contract/transition'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionsOf, compareGroups, type NextStep, nextStep, type RolloutFacts, refusalOf } from './next-step.ts'

const group = (runs: number, score: number | null = 0.9, safety: number | null = 1): CanaryGroup => {
  return { runs, open_runs: 0, score, safety, turns: runs === 0 ? null : 4 }
}
const facts = (state: SkillRecommendationState, changed: Partial<RolloutFacts> = {}): RolloutFacts => ({
  state,
  shadow: { runs: 3, closeness: 0.8 },
  groups: { with: group(5), without: group(5) },
  concerns: [],
  approved: false,
  automatic: false,
  failed: null,
  undrafted: null,
  taken: false,
  ...changed,
})

const compared = '5 runs with it and 5 without it have ended. Their mean outcome is 90% with it and 90% without it.'

describe('what the scheduler does', () => {
  const rows: readonly (readonly [string, RolloutFacts, NextStep])[] = [
    ['a suggestion is drafted', facts('draft_pending'), { is: 'do', trigger: 'generate_draft' }],
    ['one that could not be drafted waits', facts('draft_pending', { undrafted: 'Gone.' }), { is: 'wait', because: 'Gone.' }],
    ['a draft is validated', facts('draft_generated'), { is: 'do', trigger: 'validate' }],
    [
      'a failed validation is not repeated while nothing changes',
      facts('draft_generated', { failed: 'No git.' }),
      { is: 'wait', because: 'Neither its text nor this device has changed since its validation failed: No git.' },
    ],
    ['a valid one gets a shadow', facts('validated'), { is: 'do', trigger: 'prepare_shadow' }],
    ['which is applied', facts('shadow_ready'), { is: 'do', trigger: 'apply_shadow' }],
    ['three runs that it matches are enough', facts('shadow_active'), { is: 'do', trigger: 'prepare_canary' }],
    [
      'two are not',
      facts('shadow_active', { shadow: { runs: 2, closeness: 1 } }),
      { is: 'wait', because: 'It has matched 2 of the 3 runs that are needed since its shadow was applied.' },
    ],
    [
      'runs that do something else are not',
      facts('shadow_active', { shadow: { runs: 4, closeness: 0.49 } }),
      { is: 'wait', because: 'The runs that it matched did 49% of its steps; 50% are needed.' },
    ],
    [
      'steps that are not known do not matter',
      facts('shadow_active', { shadow: { runs: 3, closeness: null } }),
      { is: 'do', trigger: 'prepare_canary' },
    ],
    ['a canary is applied', facts('canary_ready'), { is: 'do', trigger: 'apply_canary' }],
    [
      'scripts ask',
      facts('canary_ready', { concerns: ['scripts'] }),
      { is: 'asks', because: 'Apply it as a canary? Its folder has other files, which agents could run.' },
    ],
    [
      'permissions ask',
      facts('canary_ready', { concerns: ['permissions'], automatic: true }),
      {
        is: 'asks',
        because: 'Apply it as a canary? It names tools that ask for your approval, or needs more than the sandbox of the agent allows.',
      },
    ],
    [
      'the text of another asks',
      facts('canary_ready', { concerns: ['not_yours'] }),
      { is: 'asks', because: 'Apply it as a canary? Its text is not yours: it is a skill that was found on this device.' },
    ],
    [
      'what a user approved does not ask',
      facts('canary_ready', { concerns: ['scripts'], approved: true }),
      { is: 'do', trigger: 'apply_canary' },
    ],
    ['live asks', facts('canary_applied'), { is: 'asks', because: `Use it in every run of the agent? ${compared}` }],
    ['unless the agent promotes automatically', facts('canary_applied', { automatic: true }), { is: 'do', trigger: 'promote_to_live' }],
    [
      'four runs in a group are too few',
      facts('canary_applied', { automatic: true, groups: { with: group(5), without: group(4) } }),
      { is: 'wait', because: '5 runs with it and 4 without it have ended; 5 of each are needed.' },
    ],
    [
      'worse runs undo it',
      facts('canary_applied', { groups: { with: group(5, 0.84), without: group(5, 0.9) } }),
      { is: 'undo', because: 'Runs with it went worse. Their mean outcome is 84% with it and 90% without it.' },
    ],
    [
      'less safe runs undo it',
      facts('canary_applied', { groups: { with: group(5, 1, 0.99), without: group(5, 0.9, 1) } }),
      { is: 'undo', because: 'Runs with it were less safe: 99% instead of 100%.' },
    ],
    [
      'a name that the user has assigned waits',
      facts('canary_applied', { taken: true }),
      {
        is: 'wait',
        because: 'You have assigned a skill of this name to the agent. Retire this recommendation, or remove that skill first.',
      },
    ],
    ['live stays', facts('live'), { is: 'end' }],
    ['what was rolled back stays', facts('rolled_back'), { is: 'end' }],
    ['what was retired stays', facts('retired'), { is: 'end' }],
  ]
  test.each(rows)('%s', (_, given, expected) => expect(nextStep(given)).toEqual(expected))
})

test('a score that is lower by exactly 0.05 passes', () => {
  expect(compareGroups({ with: group(5, 0.85), without: group(5, 0.9) }).verdict).toBe('passed')
  expect(compareGroups({ with: group(5, 0.8499), without: group(5, 0.9) }).verdict).toBe('worse')
})

const triggers = fc.constantFrom<SkillRecommendationTrigger>(...skillRecommendationTriggers)
const count = fc.nat({ max: 12 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const groups = fc.record({ runs: count, open_runs: count, score: share, safety: fc.option(share), turns: share })
const anyFacts = fc.record<RolloutFacts>({
  state: fc.constantFrom(...skillRecommendationStates),
  shadow: fc.record({ runs: count, closeness: fc.option(share) }),
  groups: fc.record({ with: groups, without: groups }),
  concerns: fc.subarray(['scripts', 'permissions', 'not_yours'] as const),
  approved: fc.boolean(),
  automatic: fc.boolean(),
  failed: fc.option(fc.constant('It failed.')),
  undrafted: fc.option(fc.constant('It was not drafted.')),
  taken: fc.boolean(),
})

test('whatever the facts are, the scheduler does only what a user could do, and never what needs a decision', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const next = nextStep(given)
      if (next.is === 'undo') expect(refusalOf('rollback', given)).toBeNull()
      if (next.is !== 'do') return
      expect(refusalOf(next.trigger, given)).toBeNull()
      if (next.trigger === 'apply_canary') expect(given.concerns.length === 0 || given.approved).toBe(true)
      if (next.trigger === 'promote_to_live') expect([given.automatic, compareGroups(given.groups).verdict]).toEqual([true, 'passed'])
    }),
  )
})

test('an action that the table does not have is refused by name; every refusal has a reason', () => {
  fc.assert(
    fc.property(anyFacts, triggers, (given, trigger) => {
      const next = transition(skillRecommendationTransitions, given.state, trigger)
      const because = refusalOf(trigger, given)
      if (!next.ok) expect(because).toBe(next.message)
      const action = actionsOf(given).find((one) => one.action === trigger)
      expect(action).toEqual({ action: trigger, possible: because === null, because })
    }),
  )
})
