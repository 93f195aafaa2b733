// What went wrong, in a form a rule can act on. String matching on messages is only the last fallback.
export type { FailureContract } from './schema.ts'

export const failureTaxonomies = ['none', 'policy_failure', 'sandbox_failure', 'degraded_recovery', 'resume_failure'] as const
export type FailureTaxonomy = (typeof failureTaxonomies)[number]

/** Where in the life of a run it happened. */
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
  /** The operating-system or address check refused what the tool tried. */
  readonly blocked_by_sandbox?: boolean
  /** A shell or script ran whose effects could not all be seen. */
  readonly opaque_restore?: boolean
}

/** The spec's table of stage and cause; anything it does not name is `none`. */
export function classifyFailure(cause: FailureCause): FailureTaxonomy {
  if (cause.stage === 'policy_enforcement') return 'policy_failure'
  if (cause.stage === 'sandbox_enforcement') return 'sandbox_failure'
  if (cause.stage === 'tool_execution' && cause.blocked_by_sandbox) return 'sandbox_failure'
  if (cause.stage === 'restore' && cause.opaque_restore) return 'degraded_recovery'
  if (cause.stage === 'resume') return 'resume_failure'
  return 'none'
}
