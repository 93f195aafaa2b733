import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { policyCandidateStates } from './state.ts'
import { advanceTriggers, policyCandidateRules, policyChangeFields, policyValidationStages, validationOutcomes } from './validation.ts'

export const PolicyCandidateState = oneOf(policyCandidateStates)
export const ValidationOutcome = oneOf(validationOutcomes)
export const AdvanceTrigger = oneOf(advanceTriggers)

/** One field of one tool's policy, or the rules remembered for it: its current and its proposed value. A rollback restores `from`. */
export const PolicyChange = object({ tool: ToolName, field: oneOf(policyChangeFields), from: JsonText, to: JsonText })
export type PolicyChange = Static<typeof PolicyChange>

export const PolicyCandidate = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  run_id: Id,
  /** Of the run in which it was proposed. */
  reflection_id: Id,
  /** The gap that it would close; null if the reflection proposes it. */
  gap_analysis_id: nullable(Id),
  title: Line,
  rationale: Text,
  changes: listOf(PolicyChange, { minItems: 1, maxItems: 100 }),
  rule: oneOf(policyCandidateRules),
  evidence: listOf(object({ run_id: Id, call_id: Key }), { maxItems: 100, description: 'The calls that led to it, the latest ones' }),
  /** It allows more than the policy: it is applied only if a person says so. */
  widens: Flag,
  state: PolicyCandidateState,
  /** When a person allowed a canary that widens the policy. */
  approved_at: nullable(Timestamp),
  canary_applied_at: nullable(Timestamp),
  /** When a person kept it: it is part of the policy since then, and no later failure rolls it back. */
  adopted_at: nullable(Timestamp),
  rolled_back_at: nullable(Timestamp),
  rollback_reason: nullable(Text),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Version,
})
export type PolicyCandidate = Static<typeof PolicyCandidate>

/** A recorded call for which the candidate decides differently from the policy that was in force. */
export const PolicyDivergence = object({ run_id: Id, call_id: Key, tool: ToolName, decided: Line, would_decide: Line })
export type PolicyDivergence = Static<typeof PolicyDivergence>

export const PolicyCandidateValidation = object({
  id: Id,
  candidate_id: Id,
  stage: oneOf(policyValidationStages),
  outcome: ValidationOutcome,
  from_state: PolicyCandidateState,
  to_state: PolicyCandidateState,
  trigger: AdvanceTrigger,
  /** The run whose failure or restore caused a rollback. */
  cause_run_id: nullable(Id),
  runs_checked: Count,
  calls_checked: Count,
  /** Calls for which the records do not say what the candidate would have changed. */
  calls_unjudged: Count,
  /** The first ones: what failed the candidate, then the latest. `learning_list_policy_divergences` lists all of them. */
  divergences: listOf(PolicyDivergence, { maxItems: 200 }),
  divergence_count: Count,
  summary: Text,
  failure_contract: Type.Optional(FailureContract),
  created_at: Timestamp,
})
export type PolicyCandidateValidation = Static<typeof PolicyCandidateValidation>
