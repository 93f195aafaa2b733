// The commands of recommendations and their versions. All of them come from a person.
import type { CommandParams } from '@tandem/contract/command'
import type { SkillRecommendation, SkillRecommendationState, SkillRecommendationTrigger } from '@tandem/contract/skill-recommendation'
import { visibleText } from '@tandem/contract/text'
import type { CommandTable } from '../../feature/command-table.ts'
import { type Paging, pageById } from '../../feature/cursor.ts'
import { agentNotFound } from '../../feature/not-found.ts'
import type { Outcome, Rejection } from '../../feature/outcome.ts'
import type { Gaps } from '../record/gaps.ts'
import type { Drafted } from './drafting.ts'
import type { RolloutPorts } from './ports.ts'
import type { Advanced } from './record/recommendations.ts'
import type { Rollout, RolloutParts } from './rollout.ts'
import { actionsOf } from './rule/next-step.ts'

export interface RolloutCommandPorts extends RolloutParts, Pick<RolloutPorts, 'agentOf' | 'store'> {
  /** What the gap proposed and no person has decided about. */
  withdraw(gap_analysis_id: string): void
  readonly gaps: Gaps
  readonly rollout: Rollout
}

const [mostEvidence, mostEdits] = [50, 100]

export function rolloutHandlers(ports: RolloutCommandPorts): CommandTable {
  const { store, recommendations, versions, patterns, promoting, gaps, rollout, agentOf, withdraw } = ports

  function advanced(id: string, outcome: Drafted): Outcome<Advanced> {
    if (outcome.ok) return { ok: true, value: { recommendation: outcome.recommendation, validation: outcome.validation } }
    const recommendation = recommendations.get(id)
    if (!recommendation) return notFound(id)
    const { state, title } = recommendation
    const subject = `recommendation ${id} (${visibleText(title)}) is ${state.replaceAll('_', ' ')}`
    return { ok: false, code: 'transition_refused', message: `${subject}: ${outcome.message}`, remedy: remedies[state] }
  }

  async function act(id: string, trigger: SkillRecommendationTrigger, reason?: string): Promise<Outcome<Advanced>> {
    if (!recommendations.get(id)) return notFound(id)
    const given = reason?.trim()
    return advanced(id, await rollout.act(id, trigger, given === '' ? undefined : given))
  }

  async function shown({ id }: SkillRecommendation) {
    const current = recommendations.get(id)
    if (!current) return notFound(id)
    rollout.recordEdits(current)
    const recommendation = recommendations.get(id) ?? current
    const version = recommendation.skill_version_id === null ? undefined : versions.get(recommendation.skill_version_id)
    const parent = version?.parent_version_id ? versions.get(version.parent_version_id) : undefined
    const gap = gaps.get(recommendation.gap_analysis_id)
    const facts = await rollout.factsOf(recommendation)
    return {
      ok: true as const,
      value: {
        recommendation,
        skill_version: version ?? null,
        parent_version: parent ?? null,
        validations: [...recommendations.validations(id)],
        gap: gap ?? null,
        evidence: gap ? [...patterns.runs(gap.signature, mostEvidence)] : [],
        matched_runs: [...rollout.matchesOf(id)],
        groups: facts.groups,
        actions: actionsOf(facts),
      },
    }
  }

  return {
    skill_list_recommendations: ({ limit, cursor, ...filter }) =>
      pageById('skill_list_recommendations', { limit, cursor } as Paging, (before, most) => recommendations.list(filter, before, most)),
    async skill_get_recommendation({ recommendation_id }) {
      const found = recommendations.get(recommendation_id)
      return found ? await shown(found) : notFound(recommendation_id)
    },
    async skill_generate_recommendation_draft({ recommendation_id: id }) {
      if (!recommendations.get(id)) return notFound(id)
      const outcome = await rollout.act(id, 'generate_draft')
      const done = advanced(id, outcome)
      if (!done.ok) return done
      const { recommendation, validation } = done.value
      const skill_version = recommendation.skill_version_id === null ? undefined : versions.get(recommendation.skill_version_id)
      if (!skill_version)
        return {
          ok: false,
          code: 'transition_refused',
          message: `recommendation ${id}: ${validation.summary}`,
          remedy: remedies.draft_pending,
        }
      return { ok: true, value: { recommendation, validation, skill_version } }
    },
    skill_validate_recommendation: ({ recommendation_id }) => act(recommendation_id, 'validate'),
    skill_prepare_recommendation_shadow: ({ recommendation_id }) => act(recommendation_id, 'prepare_shadow'),
    skill_apply_recommendation_shadow: ({ recommendation_id }) => act(recommendation_id, 'apply_shadow'),
    skill_prepare_recommendation_canary: ({ recommendation_id }) => act(recommendation_id, 'prepare_canary'),
    skill_apply_recommendation_canary: ({ recommendation_id }) => act(recommendation_id, 'apply_canary'),
    skill_promote_recommendation_to_live: ({ recommendation_id }) => act(recommendation_id, 'promote_to_live'),
    skill_rollback_recommendation: ({ recommendation_id, reason }) => act(recommendation_id, 'rollback', reason),
    skill_retire_recommendation: ({ recommendation_id, reason }) => act(recommendation_id, 'retire', reason),
    skill_list_versions({ limit, cursor, ...filter }) {
      for (const live of recommendations.list({ states: ['live'] }, null, mostEdits)) if (isListed(live, filter)) rollout.recordEdits(live)
      return pageById('skill_list_versions', { limit, cursor } as Paging, (before, most) => versions.page(filter, before, most))
    },
    async skill_dismiss_gap_analysis({ gap_analysis_id }) {
      const gap = gaps.get(gap_analysis_id)
      if (!gap)
        return { ok: false, code: 'not_found', message: `there is no gap ${gap_analysis_id}`, remedy: 'Choose one from the list of gaps.' }
      const recommendation = gap.recommendation_id === null ? undefined : recommendations.get(gap.recommendation_id)
      if (recommendation && recommendation.state !== 'retired') {
        const retired = await act(recommendation.id, 'retire', 'You dismissed what it was for.')
        if (!retired.ok) return retired
      }
      store.transaction(() => {
        withdraw(gap_analysis_id)
        gaps.dismiss(gap_analysis_id)
      })
      return {
        ok: true,
        value: {
          gap: gaps.get(gap_analysis_id) ?? gap,
          recommendation: (recommendation && recommendations.get(recommendation.id)) ?? null,
        },
      }
    },
    skill_get_promotion: ({ agent_id }) =>
      agentOf(agent_id) ? { ok: true, value: { agent_id, automatic: promoting.has(agent_id) } } : agentNotFound(agent_id),
    skill_set_promotion({ agent_id, automatic }) {
      if (!agentOf(agent_id)) return agentNotFound(agent_id)
      promoting.set(agent_id, automatic)
      return { ok: true, value: { agent_id, automatic } }
    },
  }
}

function isListed({ id, skill_name }: SkillRecommendation, filter: CommandParams<'skill_list_versions'>): boolean {
  return (filter.recommendation_id ?? id) === id && (filter.skill_name ?? skill_name) === skill_name
}

function notFound(id: string): Rejection {
  const remedy = 'Choose one from the list of recommendations.'
  return { ok: false, code: 'not_found', message: `there is no recommendation ${id}`, remedy }
}

/** What can be done in each state. */
const remedies: Readonly<Record<SkillRecommendationState, string>> = {
  draft_pending: 'Generate its draft, or retire it.',
  draft_generated: 'Change its text and validate it, or retire it.',
  validated: 'Prepare its shadow, or retire it.',
  shadow_ready: 'Apply its shadow, or retire it.',
  shadow_active: 'Wait for more runs that it matches, or retire it.',
  canary_ready: 'Apply it as a canary, roll it back, or retire it.',
  canary_applied: 'Wait for more runs that it matches, roll it back, or retire it.',
  live: 'Roll it back, or retire it.',
  rolled_back: 'Retire it. A new one is proposed when the routine has been repeated twice as often.',
  retired: 'A new one is proposed when the routine has been repeated twice as often.',
}
