// What may happen to a recommendation now, and what the scheduler does next. One table, pure.
import {
  type CanaryGroup,
  type RecommendationAction,
  type SkillRecommendation,
  type SkillRecommendationState,
  type SkillRecommendationTrigger,
  skillRecommendationTransitions,
  skillRecommendationTriggers,
} from '@tandem/contract/skill-recommendation'
import { transition } from '@tandem/contract/transition'

/** Why a user must decide before it is applied as a canary. */
export const concerns = {
  scripts: 'Its folder has other files, which agents could run.',
  permissions: 'It names tools that ask for your approval, or needs more than the sandbox of the agent allows.',
  not_yours: 'Its text is not yours: it is a skill that was found on this device.',
} as const
export type Concern = keyof typeof concerns

export interface RolloutFacts extends Pick<SkillRecommendation, 'state'> {
  readonly shadow: { readonly runs: number; readonly closeness: number | null }
  readonly groups: { readonly with: CanaryGroup; readonly without: CanaryGroup }
  readonly concerns: readonly Concern[]
  /** A user applied it as a canary. */
  readonly approved: boolean
  /** The agent promotes without asking. */
  readonly automatic: boolean
  /** Why the last validation failed, if neither the text nor the device has changed since. */
  readonly failed: string | null
  /** Why it could not be drafted. */
  readonly undrafted: string | null
  /** The user assigned a skill of this name. */
  readonly taken: boolean
}

const needed = { shadow_runs: 3, closeness: 0.5, group_runs: 5, most_lower: 0.05 } as const

/** Why an action that the transition table allows is not possible now; null if it is. */
const gates: Readonly<Record<SkillRecommendationTrigger, (facts: RolloutFacts) => string | null>> = {
  generate_draft: () => null,
  validate: ({ failed }) => failed && `Neither its text nor this device has changed since its validation failed: ${failed}`,
  prepare_shadow: () => null,
  apply_shadow: () => null,
  prepare_canary: shadowGate,
  apply_canary: () => null,
  promote_to_live(facts) {
    if (facts.taken) return 'You have assigned a skill of this name to the agent. Retire this recommendation, or remove that skill first.'
    const found = compareGroups(facts.groups)
    return found.verdict === 'passed' ? null : found.summary
  },
  rollback: () => null,
  retire: () => null,
}

function shadowGate({ shadow: { runs, closeness } }: RolloutFacts): string | null {
  if (runs < needed.shadow_runs)
    return `It has matched ${runs} of the ${needed.shadow_runs} runs that are needed since its shadow was applied.`
  if (closeness !== null && closeness < needed.closeness)
    return `The runs that it matched did ${percent(closeness)} of its steps; ${percent(needed.closeness)} are needed.`
  return null
}

export interface Comparison {
  readonly verdict: 'too_few' | 'worse' | 'passed'
  readonly summary: string
}

/** Whether the runs with it went as well as those without it. */
export function compareGroups({ with: given, without }: RolloutFacts['groups']): Comparison {
  const counts = `${given.runs} runs with it and ${without.runs} without it have ended`
  if (given.runs < needed.group_runs || without.runs < needed.group_runs)
    return { verdict: 'too_few', summary: `${counts}; ${needed.group_runs} of each are needed.` }
  const [score, other] = [given.score ?? 0, without.score ?? 0]
  const scores = `Their mean outcome is ${percent(score)} with it and ${percent(other)} without it.`
  // A sum of fractions is not exact.
  const isLower = (one: number, than: number) => one < than - 1e-9
  if (isLower(score, other - needed.most_lower)) return { verdict: 'worse', summary: `Runs with it went worse. ${scores}` }
  if (given.safety !== null && without.safety !== null && isLower(given.safety, without.safety))
    return { verdict: 'worse', summary: `Runs with it were less safe: ${percent(given.safety)} instead of ${percent(without.safety)}.` }
  return { verdict: 'passed', summary: `${counts}. ${scores}` }
}

/** Of the chain; what is not in it waits for nothing. */
const chain: Readonly<Partial<Record<SkillRecommendationState, SkillRecommendationTrigger>>> = {
  draft_pending: 'generate_draft',
  draft_generated: 'validate',
  validated: 'prepare_shadow',
  shadow_ready: 'apply_shadow',
  shadow_active: 'prepare_canary',
  canary_ready: 'apply_canary',
  canary_applied: 'promote_to_live',
}

/** `asks` is for the user; `wait` is for more runs, or a change. */
export type NextStep =
  | { readonly is: 'do'; readonly trigger: SkillRecommendationTrigger }
  | { readonly is: 'undo'; readonly because: string }
  | { readonly is: 'asks'; readonly because: string }
  | { readonly is: 'wait'; readonly because: string }
  | { readonly is: 'end' }

/** What the scheduler does. A user may do everything that `refusalOf` allows. */
export function nextStep(facts: RolloutFacts): NextStep {
  const trigger = chain[facts.state]
  if (trigger === undefined) return { is: 'end' }
  if (trigger === 'generate_draft' && facts.undrafted !== null) return { is: 'wait', because: facts.undrafted }
  if (trigger === 'promote_to_live' && compareGroups(facts.groups).verdict === 'worse')
    return { is: 'undo', because: compareGroups(facts.groups).summary }
  const because = gates[trigger](facts)
  if (because !== null) return { is: 'wait', because }
  if (trigger === 'apply_canary' && facts.concerns.length > 0 && !facts.approved)
    return { is: 'asks', because: ['Apply it as a canary?', ...facts.concerns.map((one) => concerns[one])].join(' ') }
  if (trigger === 'promote_to_live' && !facts.automatic)
    return { is: 'asks', because: `Use it in every run of the agent? ${compareGroups(facts.groups).summary}` }
  return { is: 'do', trigger }
}

/** Why a user cannot do it now; null if they can. */
export function refusalOf(trigger: SkillRecommendationTrigger, facts: RolloutFacts): string | null {
  const next = transition(skillRecommendationTransitions, facts.state, trigger)
  return next.ok ? gates[trigger](facts) : next.message
}

export function actionsOf(facts: RolloutFacts): RecommendationAction[] {
  return skillRecommendationTriggers.map((action) => {
    const because = refusalOf(action, facts)
    return { action, possible: because === null, because }
  })
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}
