// What the runtime records about itself: every name, when it is emitted, its scope, and whether it is a key failure.
export { callToRetry, type PendingRetry, pendingRetry, retryText } from './retry.ts'
export { withRunOptions } from './run-options.ts'
export type { EventData, EventOf, RuntimeEvent } from './schema.ts'

/** The innermost id that an event always has; the ids of everything around it are included. `device` events may have none. */
export const eventScopes = ['device', 'agent', 'run', 'step'] as const
export type EventScope = (typeof eventScopes)[number]

interface EventRow {
  readonly emitted: string
  readonly scope: EventScope
  /** A key failure event always carries a `failure_contract`; any other may. */
  readonly key_failure: boolean
}

export const events = {
  memory_flush_triggered: { emitted: 'a memory flush starts', scope: 'agent', key_failure: false },
  memory_flush_completed: { emitted: 'a memory flush finishes', scope: 'agent', key_failure: false },
  heartbeat_review_completed: { emitted: 'a heartbeat review finishes', scope: 'agent', key_failure: false },
  outcome_scored: { emitted: 'a terminal run has been evaluated', scope: 'run', key_failure: false },
  reflection_generated: { emitted: 'a reflection is produced', scope: 'run', key_failure: false },
  policy_candidate_generated: { emitted: 'a policy candidate is created', scope: 'run', key_failure: false },
  policy_shadow_validated: { emitted: 'shadow validation completes', scope: 'agent', key_failure: false },
  policy_canary_applied: { emitted: 'a canary is applied', scope: 'agent', key_failure: false },
  policy_rollback_completed: { emitted: 'a policy candidate is rolled back', scope: 'agent', key_failure: false },
  failure_pattern_clustered: { emitted: 'failure patterns are aggregated after a reflection', scope: 'run', key_failure: false },
  behavior_trace_mined: { emitted: 'behavior traces are mined', scope: 'run', key_failure: false },
  skill_gap_detected: { emitted: 'a skill gap is found', scope: 'run', key_failure: false },
  skill_recommendation_generated: { emitted: 'a recommendation is produced', scope: 'run', key_failure: false },
  skill_draft_generated: { emitted: 'a draft is generated', scope: 'agent', key_failure: false },
  skill_validation_completed: { emitted: 'recommendation validation finishes', scope: 'agent', key_failure: false },
  skill_shadow_run_completed: { emitted: 'a shadow run completes', scope: 'agent', key_failure: false },
  skill_canary_applied: { emitted: 'a skill canary is applied', scope: 'agent', key_failure: false },
  skill_promoted_to_live: { emitted: 'a recommendation goes live', scope: 'agent', key_failure: false },
  skill_rollback_completed: { emitted: 'a skill rollback completes', scope: 'agent', key_failure: false },
  skill_retired: { emitted: 'a recommendation is retired', scope: 'agent', key_failure: false },

  run_started: { emitted: 'a run starts', scope: 'run', key_failure: false },
  run_start_rejected: { emitted: 'a run cannot start', scope: 'device', key_failure: true },
  run_paused: { emitted: 'a run pauses', scope: 'run', key_failure: false },
  run_resumed: { emitted: 'a paused run is resumed', scope: 'run', key_failure: false },
  run_resume_rejected: { emitted: 'a run cannot be resumed', scope: 'device', key_failure: true },
  run_error: { emitted: 'an error occurs that does not end the run', scope: 'run', key_failure: true },
  run_completed: { emitted: 'a run completes', scope: 'run', key_failure: false },
  run_failed: { emitted: 'a run fails', scope: 'run', key_failure: true },
  run_canceled: { emitted: 'a run is canceled', scope: 'run', key_failure: false },
  run_queue_changed: { emitted: 'the messages that wait for a run change', scope: 'run', key_failure: false },
  model_call_started: { emitted: 'a request is sent to the model', scope: 'run', key_failure: false },
  model_call_completed: { emitted: 'the model has responded', scope: 'run', key_failure: false },
  model_call_failed: { emitted: 'the model did not respond', scope: 'run', key_failure: true },
  tool_call_requested: { emitted: 'the model asks for a tool', scope: 'step', key_failure: false },
  tool_call_started: { emitted: 'a tool starts', scope: 'step', key_failure: false },
  tool_call_completed: { emitted: 'a tool has returned', scope: 'step', key_failure: false },
  tool_call_failed: { emitted: 'a call fails, is refused or times out', scope: 'step', key_failure: true },
  approval_requested: { emitted: 'a call needs approval', scope: 'step', key_failure: false },
  approval_answered: { emitted: 'the user has answered an approval', scope: 'step', key_failure: false },
  question_asked: { emitted: 'the agent asks the user', scope: 'step', key_failure: false },
  question_answered: { emitted: 'the user has answered', scope: 'step', key_failure: false },
  checkpoint_created: { emitted: 'a checkpoint is created', scope: 'run', key_failure: false },
  checkpoint_closed: { emitted: 'the background command of a checkpoint has ended', scope: 'run', key_failure: false },
  checkpoint_failed: { emitted: 'a checkpoint cannot be created or closed', scope: 'run', key_failure: true },
  checkpoint_restored: { emitted: 'a checkpoint is restored', scope: 'run', key_failure: false },
  checkpoint_restore_failed: { emitted: 'a checkpoint cannot be restored', scope: 'device', key_failure: true },
  checkpoint_expired: { emitted: 'a checkpoint, or its contents, are deleted', scope: 'run', key_failure: false },
  conversation_options_changed: {
    emitted: 'a user chooses the model or the sandbox mode of a conversation',
    scope: 'agent',
    key_failure: false,
  },
  conversation_changed: {
    emitted: 'a user or a program creates, imports, renames, pins, archives, deletes or restores a conversation on this device',
    scope: 'agent',
    key_failure: false,
  },
  context_compacted: { emitted: 'a conversation is summarized to fit', scope: 'run', key_failure: false },
  sandbox_violation: { emitted: 'the sandbox blocks an action of a tool', scope: 'step', key_failure: true },
  mcp_state_changed: { emitted: 'an MCP server changes state', scope: 'device', key_failure: false },
  executor_outcome_changed: { emitted: 'the negotiation with an executor has another outcome', scope: 'device', key_failure: false },
  sync_state_changed: { emitted: 'synchronization changes state', scope: 'device', key_failure: false },
  sync_changes_arrived: { emitted: 'changes from other devices have arrived', scope: 'device', key_failure: false },
} as const satisfies Record<string, EventRow>

export type EventName = keyof typeof events
export type KeyFailureEventName = { [Name in EventName]: (typeof events)[Name]['key_failure'] extends true ? Name : never }[EventName]

export const eventNames = Object.keys(events) as EventName[]

export function isKeyFailureEvent(name: EventName): name is KeyFailureEventName {
  return events[name].key_failure
}

/** `imported`: new, or with messages that a newer export had in addition. */
export const conversationChanges = [
  'created',
  'imported',
  'renamed',
  'pinned',
  'unpinned',
  'archived',
  'unarchived',
  'deleted',
  'restored',
] as const

export const syncStates = ['signed_out', 'idle', 'pushing', 'pulling', 'offline', 'recovering', 'failed'] as const
export type SyncState = (typeof syncStates)[number]
