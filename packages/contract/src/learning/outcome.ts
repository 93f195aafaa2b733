import type { RunState } from '../run/state.ts'

/** What starts a learning cycle: the three ends of a run, and a rollback by `restore_run_checkpoint()`. */
export const learningTriggers = ['completed', 'failed', 'canceled', 'restored'] as const satisfies readonly (RunState | 'restored')[]
export type LearningTrigger = (typeof learningTriggers)[number]

export const outcomeVerdicts = ['success', 'partial', 'failure'] as const
export type OutcomeVerdict = (typeof outcomeVerdicts)[number]

export const outcomeDimensions = ['goal_completion', 'tool_reliability', 'efficiency', 'safety', 'user_satisfaction'] as const
export type OutcomeDimension = (typeof outcomeDimensions)[number]

export const outcomeEvaluators = ['rules', 'model'] as const
export type OutcomeEvaluator = (typeof outcomeEvaluators)[number]

export const affectedSubsystems = [
  'none',
  'model',
  'context',
  'tools',
  'policy',
  'sandbox',
  'approval',
  'checkpoint',
  'memory',
  'skills',
  'mcp',
  'workflow',
  'cooperation',
  'executor',
  'sync',
] as const
export type AffectedSubsystem = (typeof affectedSubsystems)[number]

/** The parts of a reflection that recommend an action. */
export const reflectionRecommendations = [
  'recommended_memory_writeback',
  'recommended_policy_update',
  'recommended_workflow_extraction',
  'recommended_skill_gap_analysis',
] as const
export type ReflectionRecommendation = (typeof reflectionRecommendations)[number]

/** What the user did manually to fix a run. */
export const manualRemediationKinds = [
  'edited_arguments',
  'denied_call',
  'corrected_agent',
  'restored_checkpoint',
  'edited_file',
  'canceled_run',
] as const
export type ManualRemediationKind = (typeof manualRemediationKinds)[number]

export const gapKinds = ['knowledge_gap', 'workflow_gap', 'skill_gap', 'policy_gap'] as const
export type GapKind = (typeof gapKinds)[number]
