// What went wrong, in fields that a rule can act on. Matching messages is only the last fallback.
export type { FailureContract } from './schema.ts'

export const failureTaxonomies = ['none', 'policy_failure', 'sandbox_failure', 'degraded_recovery', 'resume_failure'] as const
export type FailureTaxonomy = (typeof failureTaxonomies)[number]

/** The stage of a run at which it happened. */
export const failureStages = [
  'start',
  'model_call',
  'tool_resolution',
  'tool_validation',
  'policy_enforcement',
  'sandbox_enforcement',
  'checkpoint',
  'approval',
  'tool_execution',
  'restore',
  'resume',
  'compaction',
  'sync',
  'mcp',
  'workflow',
  'cooperation',
  'memory',
  'learning',
  'knowledge',
  'executor',
] as const
export type FailureStage = (typeof failureStages)[number]

/** What can be done about it. */
export const recoverabilities = ['retryable', 'user_action', 'restore', 'terminal'] as const
export type Recoverability = (typeof recoverabilities)[number]

export interface FailureCause {
  readonly stage: FailureStage
  /** The operating system or the address check blocked what the tool tried. */
  readonly blocked_by_sandbox?: boolean
  /** A shell or script ran whose effects could not all be observed. */
  readonly opaque_restore?: boolean
}

/** The table of stage and cause in the specification; anything that is not in it is `none`. */
export function classifyFailure(cause: FailureCause): FailureTaxonomy {
  if (cause.stage === 'policy_enforcement') return 'policy_failure'
  if (cause.stage === 'sandbox_enforcement') return 'sandbox_failure'
  if (cause.stage === 'tool_execution' && cause.blocked_by_sandbox) return 'sandbox_failure'
  if (cause.stage === 'restore' && cause.opaque_restore) return 'degraded_recovery'
  if (cause.stage === 'resume') return 'resume_failure'
  return 'none'
}
