import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { AdvanceTrigger, ValidationOutcome } from '../policy-candidate/schema.ts'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Text, Timestamp, Version } from '../shape.ts'
import { BindingPolicy, SkillName, SkillPath, SkillProblem, SkillRequirements } from '../skill/schema.ts'
import { compatibilityCheckNames, recommendationKinds, recommendationStages } from './compatibility.ts'
import { skillRecommendationStates } from './state.ts'

export const SkillRecommendationState = oneOf(skillRecommendationStates)
export const RecommendationKind = oneOf(recommendationKinds)

export const SkillRecommendation = object({
  id: Id,
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  gap_analysis_id: Id,
  kind: RecommendationKind,
  skill_name: SkillName,
  title: Line,
  rationale: Text,
  state: SkillRecommendationState,
  /** Resolved first if it is known; null until a draft is written. */
  skill_path: nullable(SkillPath),
  skill_version_id: nullable(Id),
  binding_policy: BindingPolicy,
  requires: SkillRequirements,
  confidence: Fraction,
  rollback_reason: nullable(Text),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Version,
})
export type SkillRecommendation = Static<typeof SkillRecommendation>

const checked = { check: oneOf(compatibilityCheckNames) }

export const CompatibilityCheckResult = Type.Union([
  object({ ...checked, result: Type.Literal('passed'), because: Text }),
  object({ ...checked, result: Type.Literal('not_required') }),
  object({ ...checked, result: Type.Literal('failed'), problems: listOf(SkillProblem, { minItems: 1 }) }),
])
export type CompatibilityCheckResult = Static<typeof CompatibilityCheckResult>

/** Whether this host can run the skill, check by check. */
export const CompatibilityReport = object({
  compatible: Flag,
  resolved_path: nullable(SkillPath),
  checks: listOf(CompatibilityCheckResult),
  checked_at: Timestamp,
})
export type CompatibilityReport = Static<typeof CompatibilityReport>

export const SkillRecommendationValidation = object({
  id: Id,
  recommendation_id: Id,
  stage: oneOf(recommendationStages),
  outcome: ValidationOutcome,
  from_state: SkillRecommendationState,
  to_state: SkillRecommendationState,
  trigger: AdvanceTrigger,
  /** The run whose failure or restore caused a rollback. */
  cause_run_id: nullable(Id),
  compatibility: nullable(CompatibilityReport),
  runs_checked: Count,
  summary: Text,
  failure_contract: Type.Optional(FailureContract),
  created_at: Timestamp,
})
export type SkillRecommendationValidation = Static<typeof SkillRecommendationValidation>

/** One version of the text of a skill, kept forever: a rollback returns to its parent. */
export const SkillVersion = object({
  id: Id,
  skill_name: SkillName,
  recommendation_id: nullable(Id),
  skill_version: Version,
  parent_version_id: nullable(Id),
  state: SkillRecommendationState,
  skill_path: SkillPath,
  content: Text,
  content_sha256: Sha256,
  summary: Line,
  created_at: Timestamp,
  live_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
})
export type SkillVersion = Static<typeof SkillVersion>
