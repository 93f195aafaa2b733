import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { AdvanceTrigger, ValidationOutcome } from '../policy-candidate/schema.ts'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Text, Timestamp, Version } from '../shape.ts'
import { BindingPolicy, SkillName, SkillPath, SkillProblem, SkillRequirements } from '../skill/schema.ts'
import { canaryGroups, compatibilityCheckNames, recommendationKinds, recommendationStages } from './compatibility.ts'
import { skillRecommendationStates, skillRecommendationTriggers } from './state.ts'

export const SkillRecommendationState = oneOf(skillRecommendationStates)
export const RecommendationKind = oneOf(recommendationKinds)

export const SkillRecommendation = object({
  id: Id,
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  gap_analysis_id: Id,
  kind: RecommendationKind,
  /** Null for a workflow. */
  skill_name: nullable(SkillName),
  /** Of a workflow, when its draft exists. */
  workflow_id: nullable(Id),
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
  /** What the user has to decide before it goes further, and why; null if it does not wait for the user. */
  asks: nullable(Text),
  /** When a user applied it as a canary; null if it went there by itself. */
  approved_at: nullable(Timestamp),
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

/** One version of the text of a skill or a workflow, kept forever: a rollback returns to its parent. */
export const SkillVersion = object({
  id: Id,
  /** Null for a workflow, whose definition is the content. */
  skill_name: nullable(SkillName),
  workflow_id: nullable(Id),
  recommendation_id: nullable(Id),
  skill_version: Version,
  parent_version_id: nullable(Id),
  state: SkillRecommendationState,
  skill_path: nullable(SkillPath),
  content: Type.String({ maxLength: 1_000_000 }),
  content_sha256: Sha256,
  summary: Line,
  created_at: Timestamp,
  live_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
})
export type SkillVersion = Static<typeof SkillVersion>

/** The runs whose request the recommendation matches: half of them get it as a canary. */
export const CanaryGroup = object({
  /** Those that have ended and were evaluated. */
  runs: Count,
  open_runs: Count,
  /** Means of the ended runs; null if there are none. */
  score: nullable(Fraction),
  safety: nullable(Fraction),
  turns: nullable(Type.Number({ minimum: 0 })),
})
export type CanaryGroup = Static<typeof CanaryGroup>

/** A run whose request, or whose calls, match a recommendation. */
export const MatchedRun = object({
  run_id: Id,
  conversation_id: Id,
  stage: oneOf(['shadow', 'canary']),
  /** Null in a shadow. */
  group: nullable(oneOf(canaryGroups)),
  /** How well the request fits the description. */
  score: Fraction,
  /** The share of its steps that the run did; null if the run has not ended, or if its steps are not known. */
  closeness: nullable(Fraction),
  outcome: nullable(object({ score: Fraction, safety: nullable(Fraction), turns: Count })),
  created_at: Timestamp,
})
export type MatchedRun = Static<typeof MatchedRun>

/** Whether an action is possible now, and if not, why. */
export const RecommendationAction = object({
  action: oneOf(skillRecommendationTriggers),
  possible: Flag,
  because: nullable(Text),
})
export type RecommendationAction = Static<typeof RecommendationAction>
