// The `data` of the events about memory, learning and evolution.
import { gapKinds, reflectionRecommendations } from '../learning/index.ts'
import { AffectedSubsystem, LearningTrigger, OutcomeVerdict } from '../learning/schema.ts'
import { HeartbeatExtracts, HeartbeatReviewTrigger, MemoryFlushReason, MemoryResolution } from '../memory/schema.ts'
import { AdvanceTrigger, PolicyCandidateState, PolicyChange, ValidationOutcome } from '../policy-candidate/schema.ts'
import { Count, Flag, Fraction, Id, Line, listOf, nullable, object, oneOf, Sha256, Text } from '../shape.ts'
import { SkillName, SkillPath, SkillProblem } from '../skill/schema.ts'
import { RecommendationKind, SkillRecommendationState } from '../skill-recommendation/schema.ts'

const ofCandidate = { candidate_id: Id, validation_id: Id, trigger: AdvanceTrigger }
/** `skill_name` is null for a workflow. */
const recommended = { skill_name: nullable(SkillName), workflow_id: nullable(Id) }
const ofRecommendation = { recommendation_id: Id, validation_id: Id, ...recommended, trigger: AdvanceTrigger }

export const learningEvents = {
  memory_flush_triggered: object({ reason: MemoryFlushReason, through_seq: Count }),
  memory_flush_completed: object({ reason: MemoryFlushReason, memory_ids: listOf(Id), resolution: MemoryResolution, duration_ms: Count }),
  heartbeat_review_completed: object({
    review_id: Id,
    trigger: HeartbeatReviewTrigger,
    extracted: HeartbeatExtracts,
    resolution: MemoryResolution,
    duration_ms: Count,
  }),
  outcome_scored: object({ evaluation_id: Id, trigger: LearningTrigger, verdict: OutcomeVerdict, score: Fraction }),
  reflection_generated: object({
    reflection_id: Id,
    evaluation_id: Id,
    root_cause: Text,
    affected_subsystem: AffectedSubsystem,
    recommendations: listOf(oneOf(reflectionRecommendations)),
  }),
  policy_candidate_generated: object({
    candidate_id: Id,
    reflection_id: Id,
    title: Line,
    state: PolicyCandidateState,
    changes: listOf(PolicyChange),
  }),
  policy_shadow_validated: object({ ...ofCandidate, outcome: ValidationOutcome, state: PolicyCandidateState }),
  policy_canary_applied: object({ ...ofCandidate, changes: listOf(PolicyChange) }),
  policy_rollback_completed: object({
    ...ofCandidate,
    from_state: PolicyCandidateState,
    reason: Text,
    cause_run_id: nullable(Id),
  }),
  failure_pattern_clustered: object({
    reflection_id: Id,
    patterns: listOf(object({ pattern_id: Id, signature: Line, occurrences: Count, first_seen: Flag })),
  }),
  behavior_trace_mined: object({
    trace_id: Id,
    tool_sequences: Count,
    repeated_constraints: Count,
    manual_remediations: Count,
  }),
  skill_gap_detected: object({
    gap_analysis_id: Id,
    gap_kind: oneOf(gapKinds),
    repetitions: Count,
    matching_skill: nullable(SkillName),
  }),
  skill_recommendation_generated: object({
    recommendation_id: Id,
    gap_analysis_id: Id,
    kind: RecommendationKind,
    ...recommended,
    state: SkillRecommendationState,
  }),
  skill_draft_generated: object({ ...ofRecommendation, skill_version_id: Id, skill_path: nullable(SkillPath), content_sha256: Sha256 }),
  skill_validation_completed: object({
    ...ofRecommendation,
    outcome: ValidationOutcome,
    state: SkillRecommendationState,
    problems: listOf(SkillProblem),
  }),
  skill_shadow_run_completed: object({
    ...ofRecommendation,
    outcome: ValidationOutcome,
    state: SkillRecommendationState,
    runs_checked: Count,
  }),
  skill_canary_applied: object({ ...ofRecommendation, skill_version_id: nullable(Id) }),
  skill_promoted_to_live: object({ ...ofRecommendation, skill_version_id: nullable(Id) }),
  skill_rollback_completed: object({
    ...ofRecommendation,
    from_state: SkillRecommendationState,
    reason: Text,
    cause_run_id: nullable(Id),
  }),
  skill_retired: object({ ...ofRecommendation, from_state: SkillRecommendationState, reason: nullable(Text) }),
}
