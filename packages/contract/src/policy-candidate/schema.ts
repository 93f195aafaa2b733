import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { policyCandidateStates } from './state.ts'
import { advanceTriggers, policyValidationStages, toolPolicyFields, validationOutcomes } from './validation.ts'

export const PolicyCandidateState = oneOf(policyCandidateStates)
export const ValidationOutcome = oneOf(validationOutcomes)
export const AdvanceTrigger = oneOf(advanceTriggers)

/** One field of one tool's policy: its current and its proposed value. A rollback restores `from`. */
export const PolicyChange = object({ tool: ToolName, field: oneOf(toolPolicyFields), from: JsonText, to: JsonText })
export type PolicyChange = Static<typeof PolicyChange>

export const PolicyCandidate = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  run_id: Id,
  reflection_id: Id,
  title: Line,
  rationale: Text,
  changes: listOf(PolicyChange, { minItems: 1, maxItems: 100 }),
  state: PolicyCandidateState,
  canary_applied_at: nullable(Timestamp),
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
  divergences: listOf(PolicyDivergence, { maxItems: 200 }),
  summary: Text,
  failure_contract: Type.Optional(FailureContract),
  created_at: Timestamp,
})
export type PolicyCandidateValidation = Static<typeof PolicyCandidateValidation>
