import type { ToolPolicy } from '../tool/index.ts'

/** What of a tool's policy a candidate can change: all of it. */
export const toolPolicyFields = [
  'enabled',
  'approval_mode',
  'rate_limit',
  'time_limit',
  'network_scope',
  'fs_scope',
] as const satisfies readonly (keyof ToolPolicy)[]
export type ToolPolicyField = (typeof toolPolicyFields)[number]

export const policyValidationStages = ['shadow', 'canary', 'rollback'] as const
export type PolicyValidationStage = (typeof policyValidationStages)[number]

export const validationOutcomes = ['passed', 'failed'] as const
export type ValidationOutcome = (typeof validationOutcomes)[number]

/** Who moved a candidate or a recommendation along: a person, the scheduler, or a later run that failed or was restored. */
export const advanceTriggers = ['command', 'scheduler', 'later_failure', 'later_restore'] as const
export type AdvanceTrigger = (typeof advanceTriggers)[number]
