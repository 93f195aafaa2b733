import type { ToolPolicy } from '../tool/index.ts'

/** The fields of a tool's policy that a candidate can change: all of them. */
export const toolPolicyFields = [
  'enabled',
  'approval_mode',
  'rate_limit',
  'time_limit',
  'network_scope',
  'fs_scope',
] as const satisfies readonly (keyof ToolPolicy)[]
export type ToolPolicyField = (typeof toolPolicyFields)[number]

/** What a candidate can change: a field of the policy, or exactly one rule that an approval offered under "Always". */
export const policyChangeFields = [...toolPolicyFields, 'remembered'] as const
export type PolicyChangeField = (typeof policyChangeFields)[number]

/** Why a candidate is proposed. */
export const policyCandidateRules = [
  'denied_path',
  'approved_rule',
  'approved_reading',
  'short_time_limit',
  'repeated_call',
  'refused_host',
  'failing_tool',
  'undone_call',
  'forbidden_path',
] as const
export type PolicyCandidateRule = (typeof policyCandidateRules)[number]

export const policyValidationStages = ['shadow', 'canary', 'rollback'] as const
export type PolicyValidationStage = (typeof policyValidationStages)[number]

export const validationOutcomes = ['passed', 'failed'] as const
export type ValidationOutcome = (typeof validationOutcomes)[number]

/** What caused a transition of a candidate or a recommendation: a user, the scheduler, or a later run that failed or was restored. */
export const advanceTriggers = ['command', 'scheduler', 'later_failure', 'later_restore'] as const
export type AdvanceTrigger = (typeof advanceTriggers)[number]
