import type { Static, TSchema } from 'typebox'
import { CheckpointArtifact, RunCheckpoint } from '../checkpoint/schema.ts'
import {
  BehaviorTrace,
  FailurePattern,
  MemoryWritebackCandidate,
  OutcomeEvaluation,
  Reflection,
  SkillGapAnalysis,
} from '../learning/schema.ts'
import {
  AgentIdentityProfile,
  Memory,
  MemoryHeartbeatReview,
  MemoryRelationship,
  MemoryRelationshipEntity,
  UserCorrection,
  UserModel,
} from '../memory/schema.ts'
import { PolicyCandidate, PolicyCandidateValidation } from '../policy-candidate/schema.ts'
import { SkillRecommendation, SkillRecommendationValidation, SkillVersion } from '../skill-recommendation/schema.ts'
import type { StoreName } from './index.ts'

/** The record of each store. */
export const stores = {
  runtime_run_checkpoints: RunCheckpoint,
  runtime_checkpoint_artifacts: CheckpointArtifact,
  memories: Memory,
  user_models: UserModel,
  agent_identity_profiles: AgentIdentityProfile,
  memory_heartbeat_reviews: MemoryHeartbeatReview,
  memory_relationship_graph: MemoryRelationship,
  memory_relationship_entities: MemoryRelationshipEntity,
  runtime_user_corrections: UserCorrection,
  runtime_outcome_evaluations: OutcomeEvaluation,
  runtime_reflections: Reflection,
  runtime_memory_writeback_candidates: MemoryWritebackCandidate,
  runtime_policy_candidates: PolicyCandidate,
  runtime_policy_candidate_validations: PolicyCandidateValidation,
  runtime_failure_patterns: FailurePattern,
  runtime_behavior_traces: BehaviorTrace,
  runtime_skill_gap_analyses: SkillGapAnalysis,
  runtime_skill_recommendations: SkillRecommendation,
  runtime_skill_recommendation_validations: SkillRecommendationValidation,
  runtime_skill_versions: SkillVersion,
} satisfies Record<StoreName, TSchema>

export type StoreRecord<Name extends StoreName> = Static<(typeof stores)[Name]>
