// The stores that exist on one device only and are never synchronized.
export type { StoreRecord } from './schema.ts'

export const storeNames = [
  'runtime_run_checkpoints',
  'runtime_checkpoint_artifacts',
  'memories',
  'user_models',
  'agent_identity_profiles',
  'memory_heartbeat_reviews',
  'memory_relationship_graph',
  'memory_relationship_entities',
  'runtime_user_corrections',
  'runtime_outcome_evaluations',
  'runtime_reflections',
  'runtime_memory_writeback_candidates',
  'runtime_policy_candidates',
  'runtime_policy_candidate_validations',
  'runtime_failure_patterns',
  'runtime_behavior_traces',
  'runtime_skill_gap_analyses',
  'runtime_skill_recommendations',
  'runtime_skill_recommendation_validations',
  'runtime_skill_versions',
] as const
export type StoreName = (typeof storeNames)[number]
