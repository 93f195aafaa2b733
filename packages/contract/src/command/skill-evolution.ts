import Type from 'typebox'
import { BehaviorTrace, GapKind, SkillGapAnalysis } from '../learning/schema.ts'
import { Flag, Id, Key, Line, listOf, nullable, object, pageOf, Text } from '../shape.ts'
import { SkillName } from '../skill/schema.ts'
import {
  CanaryGroup,
  MatchedRun,
  RecommendationAction,
  RecommendationKind,
  SkillRecommendation,
  SkillRecommendationState,
  SkillRecommendationValidation,
  SkillVersion,
} from '../skill-recommendation/schema.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const ofRun = { run_id: Type.Optional(Id), agent_id: Type.Optional(Key) }
const ofRecommendation = object({ recommendation_id: Id })
const Advanced = object({ recommendation: SkillRecommendation, validation: SkillRecommendationValidation })

export const skillEvolutionCommands = {
  skill_list_behavior_traces: {
    summary: 'List the behavior traces mined from runs, newest first.',
    params: listParams(ofRun),
    result: pageOf(BehaviorTrace),
  },
  skill_list_gap_analyses: {
    summary: 'List gap analyses and what came of them, newest first.',
    params: listParams({ ...ofRun, gap_kinds: Type.Optional(listOf(GapKind)) }),
    result: pageOf(SkillGapAnalysis),
  },
  skill_list_recommendations: {
    summary: 'List skill and workflow recommendations, newest first.',
    params: listParams({
      ...ofRun,
      kinds: Type.Optional(listOf(RecommendationKind)),
      states: Type.Optional(listOf(SkillRecommendationState)),
    }),
    result: pageOf(SkillRecommendation),
  },
  skill_get_recommendation: {
    summary: 'Show a recommendation with its text, its evidence, its groups, what can be done now, and its validations, oldest first.',
    params: ofRecommendation,
    result: object({
      recommendation: SkillRecommendation,
      skill_version: nullable(SkillVersion),
      /** The version that a rollback returns to; null if there is none. */
      parent_version: nullable(SkillVersion),
      validations: listOf(SkillRecommendationValidation),
      /** What was missing. */
      gap: nullable(SkillGapAnalysis),
      /** The runs in which it was repeated, the latest first. */
      evidence: listOf(object({ run_id: Id, day: Line, request: nullable(Line) })),
      /** Runs that it matched since, the latest first. */
      matched_runs: listOf(MatchedRun),
      groups: object({ with: CanaryGroup, without: CanaryGroup }),
      actions: listOf(RecommendationAction),
    }),
  },
  skill_generate_recommendation_draft: {
    summary: 'Write the SKILL.md or the workflow that a recommendation proposes.',
    params: ofRecommendation,
    result: object({ ...Advanced.properties, skill_version: SkillVersion }),
  },
  skill_validate_recommendation: {
    summary: 'Validate the draft and check whether this host can run it.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_prepare_recommendation_shadow: {
    summary: 'Make a validated recommendation ready for its shadow.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_apply_recommendation_shadow: {
    summary: 'Run the skill in the shadow of real runs, without any effect.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_prepare_recommendation_canary: {
    summary: 'Make a recommendation that passed its shadow ready for a canary.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_apply_recommendation_canary: {
    summary: 'Assign the skill in a few runs, as a canary.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_promote_recommendation_to_live: {
    summary: 'Assign the skill in every run of the agent.',
    params: ofRecommendation,
    result: Advanced,
  },
  skill_list_versions: {
    summary: 'List the versions of skills, newest first.',
    params: listParams({ skill_name: Type.Optional(SkillName), recommendation_id: Type.Optional(Id) }),
    result: pageOf(SkillVersion),
  },
  skill_rollback_recommendation: {
    summary: 'Roll the skill back to the previous version, or remove it from use.',
    params: object({ recommendation_id: Id, reason: Text }),
    result: Advanced,
  },
  skill_retire_recommendation: {
    summary: 'Retire a recommendation permanently.',
    params: object({ recommendation_id: Id, reason: Type.Optional(Text) }),
    result: Advanced,
  },
} satisfies Record<CommandNameIn<'skill_evolution'>, Command>

const Promotion = object({ agent_id: Key, automatic: Flag })

/** What users need in addition to the commands of the specification. */
export const skillRolloutCommands = {
  skill_dismiss_gap_analysis: {
    summary:
      'Dismiss a gap, retire its recommendation, and withdraw what it proposed and no one has decided about. It is found again only if it is repeated twice as often.',
    params: object({ gap_analysis_id: Id }),
    result: object({ gap: SkillGapAnalysis, recommendation: nullable(SkillRecommendation) }),
  },
  skill_get_promotion: {
    summary: 'Show whether recommendations of an agent go live without asking.',
    params: object({ agent_id: Key }),
    result: Promotion,
  },
  skill_set_promotion: {
    summary: 'Set whether recommendations of an agent that passed their canary go live without asking, on this device.',
    params: Promotion,
    result: Promotion,
  },
} satisfies Record<CommandNameIn<'skill_rollout'>, Command>
