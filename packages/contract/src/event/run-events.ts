// The `data` of the events about a run and what it depends on.
import Type from 'typebox'
import { deletionReasons } from '../checkpoint/retention.ts'
import { RestoreKind } from '../checkpoint/schema.ts'
import { commandErrorCodes } from '../command/error.ts'
import { executorOutcomes, negotiationFailureNames } from '../executor/index.ts'
import { ExecutorName } from '../executor/schema.ts'
import { McpServerId } from '../mcp/schema.ts'
import { mcpServerStates } from '../mcp/state.ts'
import { approvalAnswers, pauseReasons, runStates, toolOutcomes } from '../run/index.ts'
import { ResumeContract, Usage } from '../run/schema.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { entityTypeNames } from '../sync/entity-types.ts'
import { SandboxMode, ToolName } from '../tool/schema.ts'
import { conversationChanges, syncStates } from './index.ts'

const ofModelCall = { model: Line, turn: Count }
const ofToolCall = { call_id: Key, tool: ToolName }
const duration_ms = Count
const failedOutcomes = toolOutcomes.filter((outcome) => outcome !== 'succeeded')

export const runEvents = {
  run_started: object({ title: Line, device_id: Key, model: Line, sandbox_mode: SandboxMode }),
  run_paused: object({ reason: oneOf(pauseReasons) }),
  run_start_rejected: object({ code: oneOf(commandErrorCodes) }),
  run_resumed: object({ resume_contract: ResumeContract }),
  /** `requested_run_id` is what the caller passed, whether or not such a run exists here. */
  run_resume_rejected: object({ requested_run_id: Id, code: oneOf(commandErrorCodes) }),
  /** The state the run had when the error was recorded. */
  run_error: object({ state: oneOf(runStates) }),
  run_completed: object({ usage: Usage, turns: Count, duration_ms }),
  run_failed: object({ usage: Usage, turns: Count, duration_ms }),
  run_canceled: object({ usage: Usage, turns: Count, duration_ms, reason: nullable(Line) }),
  run_queue_changed: object({ queued: Count }),
  model_call_started: object({ ...ofModelCall, message_count: Count, tool_count: Count }),
  model_call_completed: object({ ...ofModelCall, usage: Usage, finish_reason: Line, first_token_ms: nullable(Count), duration_ms }),
  /** `retry_in_ms`: null if it is not retried. */
  model_call_failed: object({
    ...ofModelCall,
    attempt: Count,
    will_retry: Flag,
    retry_in_ms: Type.Optional(nullable(Count)),
    duration_ms,
  }),
  tool_call_requested: object(ofToolCall),
  tool_call_started: object({ ...ofToolCall, checkpoint_id: nullable(Id) }),
  tool_call_completed: object({ ...ofToolCall, output_bytes: Count, truncated: Flag, duration_ms }),
  tool_call_failed: object({ ...ofToolCall, outcome: oneOf(failedOutcomes), duration_ms }),
  approval_requested: object({ ...ofToolCall, approval_id: Id }),
  approval_answered: object({ ...ofToolCall, approval_id: Id, answer: oneOf(approvalAnswers), edited: Flag, waited_ms: Count }),
  question_asked: object({ call_id: Key, question_id: Id }),
  question_answered: object({ call_id: Key, question_id: Id, waited_ms: Count }),
  checkpoint_created: object({
    checkpoint_id: Id,
    restore_kind: nullable(RestoreKind),
    call_id: nullable(Key),
    artifact_count: Count,
    artifact_bytes: Count,
    duration_ms,
  }),
  checkpoint_closed: object({ checkpoint_id: Id, returned_at: Timestamp, late: Flag }),
  checkpoint_failed: object({ checkpoint_id: nullable(Id), call_id: nullable(Key) }),
  checkpoint_restored: object({
    checkpoint_id: Id,
    restore_kind: nullable(RestoreKind),
    from_state: oneOf(runStates),
    restored_paths: Count,
    conflicts: Count,
    unrecoverable: Count,
    /** Changed while background commands ran, and not selected; absent in earlier records. */
    background_left: Type.Optional(Count),
    duration_ms,
  }),
  checkpoint_restore_failed: object({ requested_run_id: Id, checkpoint_id: Id, code: oneOf(commandErrorCodes) }),
  checkpoint_expired: object({
    checkpoint_id: Id,
    /** `outlived`: by age. `over_cap`: by count. `over_budget`: by bytes. */
    reason: oneOf(deletionReasons),
    /** `contents`: the row is still listed, and its files can no longer be restored. */
    deleted: oneOf(['point', 'contents']),
    freed_bytes: Count,
  }),
  context_compacted: object({ tokens_before: Count, tokens_after: Count, through_seq: Count, duration_ms }),
  sandbox_violation: object({
    ...ofToolCall,
    sandbox_mode: SandboxMode,
    attempted: oneOf(['read', 'write', 'network', 'execute']),
    resource: Text,
    blocked: Flag,
  }),
  mcp_state_changed: object({
    server_id: McpServerId,
    from_state: oneOf(mcpServerStates),
    to_state: oneOf(mcpServerStates),
    heartbeat_at: nullable(Timestamp),
    next_reconnect_at: nullable(Timestamp),
    tools: Type.Optional(listOf(ToolName)),
  }),
  /** Null for what the agent or the device uses. Applies to the next runs of the conversation. */
  conversation_options_changed: object({ model: nullable(Line), sandbox_mode: nullable(SandboxMode) }),
  /** The conversation itself has the new values. */
  conversation_changed: object({ change: oneOf(conversationChanges) }),
  /** `from_outcome` is null for the first attempt. The reasons are those of failures. */
  executor_outcome_changed: object({
    executor_id: Id,
    name: ExecutorName,
    from_outcome: nullable(oneOf(executorOutcomes)),
    from_reason: nullable(oneOf(negotiationFailureNames)),
    to_outcome: oneOf(executorOutcomes),
    to_reason: nullable(oneOf(negotiationFailureNames)),
    capabilities: Count,
    next_attempt_at: Timestamp,
  }),
  sync_state_changed: object({
    from_state: oneOf(syncStates),
    to_state: oneOf(syncStates),
    pending_changes: Count,
    cursor_ts: nullable(Timestamp),
  }),
  /** A program that shows one of these reads it again. Of very many only some are named; `all_named` is then false. */
  sync_changes_arrived: object({
    entity_types: listOf(oneOf(entityTypeNames)),
    conversation_ids: listOf(Id, { maxItems: 100 }),
    run_ids: listOf(Id, { maxItems: 100 }),
    all_named: Flag,
  }),
}
