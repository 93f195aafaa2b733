// The journal of a run: what every device needs to show it, and what its own device needs to continue it.
import Type, { type Static } from 'typebox'
import { restoreKinds } from '../checkpoint/kind.ts'
import { FailureContract } from '../failure/schema.ts'
import { mcpServerStates } from '../mcp/state.ts'
import { Count, extensibleOneOf, Flag, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { TodoItem } from '../sync/schema.ts'
import { ApprovalRule, PolicyLayers, SandboxMode, ToolName, ToolOutput } from '../tool/schema.ts'
import { workflowRunStates } from '../workflow-run/index.ts'
import { messageAuthors } from './author.ts'
import { CallPreview } from './preview-schema.ts'
import { runStates, terminalRunStates } from './state.ts'
import { approvalAnswers, pauseReasons, toolOutcomes, waitOutcomes, waitSubjects } from './step.ts'

export * from './preview-schema.ts'

export const RunState = oneOf(runStates)

export const Usage = object({ input_tokens: Count, output_tokens: Count, cached_tokens: Count, estimated: Flag })
export type Usage = Static<typeof Usage>

/** A run in the list of its own device; other devices see the same through its steps. */
export const Run = object({
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  device_id: Key,
  title: Line,
  state: RunState,
  model: Line,
  sandbox_mode: SandboxMode,
  usage: Usage,
  failure_contract: nullable(FailureContract),
  started_at: Timestamp,
  updated_at: Timestamp,
  ended_at: nullable(Timestamp),
})
export type Run = Static<typeof Run>

/** The terms on which a paused run is resumed. Recorded with the step, never part of a prompt. */
export const ResumeContract = object({
  run_id: Id,
  resumed_from: extensibleOneOf(pauseReasons),
  checkpoint_id: nullable(Id),
  cursor_seq: Count,
  pending_calls: listOf(object({ call_id: Key, tool: ToolName, disposition: oneOf(['repeat', 'report_interrupted', 'await_approval']) })),
  pending_approvals: listOf(Id),
  pending_question: nullable(Id),
  policy_rechecked: Flag,
})
export type ResumeContract = Static<typeof ResumeContract>

/** Where the whole text is stored if it is too long for a synchronized entity; the field next to it then has its beginning. */
const WholeFile = Type.Optional(Id)

/** What an approval shows before anything runs: all of it, never shortened. */
export const ApprovalPrompt = object({
  approval_id: Id,
  call_id: Key,
  tool: ToolName,
  /** In a step, shortened to their beginning if they are too long for it; in an approval request, complete. */
  arguments: Type.String({ maxLength: 32 * 1024 * 1024, description: 'JSON text', contentMediaType: 'application/json' }),
  arguments_file_id: WholeFile,
  /** In a synchronized approval, paths of the workspace and the home folder have a marker: see `marked-path`. */
  working_directory: nullable(Type.String({ maxLength: 4_096 })),
  /** Binds the answer to exactly this call: arguments, working directory and environment. */
  fingerprint: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  touches: listOf(Text),
  protected: listOf(Text),
  unprotected: listOf(Text),
  /** What "this run" and "always" would cover; if it is empty, only "once" is offered. */
  remembers: listOf(ApprovalRule, { maxItems: 50 }),
  /** Why approval is needed although the mode is `auto`, and what to check before approving. With a warning nothing is remembered. */
  warnings: listOf(Text, { maxItems: 50 }),
  /** What to know before approving that is not a warning: for example that a command runs code of the project. */
  notes: Type.Optional(listOf(Text, { maxItems: 50 })),
  /** The layers of the call's policy. Absent in approvals of earlier versions. */
  policy_layers: Type.Optional(PolicyLayers),
  choices: listOf(extensibleOneOf(approvalAnswers)),
  /** What the call would do, for the user. Absent in steps, for tools that have none, and if it could not be computed. */
  preview: Type.Optional(CallPreview),
})
export type ApprovalPrompt = Static<typeof ApprovalPrompt>

export const QuestionPrompt = object({
  question_id: Id,
  call_id: Key,
  question: Text,
  options: listOf(object({ value: Line, label: Line, hint: Type.Optional(Line) }), { maxItems: 20 }),
  /** Whether more than one option may be chosen, and whether an answer may be written instead. */
  multiple: Flag,
  allows_text: Flag,
})
export type QuestionPrompt = Static<typeof QuestionPrompt>

/** The user's answer: options by their value, a text, or both; never empty. */
export const QuestionAnswer = Type.Union([
  object({ chosen: listOf(Line, { minItems: 1, maxItems: 20 }), text: nullable(Text) }),
  object({ chosen: listOf(Line, { maxItems: 0 }), text: Type.String({ minLength: 1, maxLength: 65_536 }) }),
])
export type QuestionAnswer = Static<typeof QuestionAnswer>

/** Where a conversation parts from another: what that one had before this step of this run is the history of the new one. */
export const BranchPoint = object({ conversation_id: Id, run_id: Id, seq: Count })
export type BranchPoint = Static<typeof BranchPoint>

const stepFields = {
  step_id: Id,
  run_id: Id,
  conversation_id: Id,
  agent_id: Key,
  device_id: Key,
  seq: Count,
  ts: Timestamp,
}

/** The ids of a step, whatever its kind. */
export const StepEnvelope = object({ ...stepFields, kind: Line })

function step<const Kind extends string, Fields extends Parameters<typeof object>[0]>(kind: Kind, fields: Fields) {
  return object({ ...stepFields, kind: Type.Literal(kind), ...fields })
}

const writtenSteps = [
  step('run.started', {
    title: Line,
    model: Line,
    sandbox_mode: SandboxMode,
    message_id: nullable(Id),
    /** The run and the call in it that started this one. */
    parent_run_id: Type.Optional(Id),
    spawned_by_call_id: Type.Optional(Key),
    /** The workflow run that this one is a node of. */
    workflow_run_id: Type.Optional(Id),
    /** The agent's role in this run, in addition to its own instructions. */
    role_text: Type.Optional(Text),
    /** In the first run of a branch. */
    branch: Type.Optional(BranchPoint),
  }),
  step('run.paused', { reason: extensibleOneOf(pauseReasons) }),
  step('run.resumed', { resume_contract: ResumeContract }),
  step('run.completed', { usage: Usage }),
  step('run.failed', { usage: Usage, failure_contract: FailureContract }),
  step('run.canceled', { usage: Usage, reason: nullable(Line) }),
  step('model.called', { model: Line, turn: Count }),
  step('model.completed', { turn: Count, usage: Usage, finish_reason: Line }),
  step('thinking', { thinking_id: Key, text: Text, complete: Flag }),
  step('text.partial', { message_id: Id, text: Text }),
  step('message.completed', { message_id: Id }),
  /** A message that a person wrote while the run was open. */
  step('message.received', { message_id: Id }),
  step('tool.call', {
    call_id: Key,
    tool: ToolName,
    arguments: JsonText,
    arguments_file_id: WholeFile,
    /** After a restore: the call that this one replaces. A call is settled once under its id. */
    replaces: Type.Optional(Key),
  }),
  step('approval.requested', { approval: ApprovalPrompt }),
  step('approval.answered', {
    approval_id: Id,
    call_id: Key,
    answer: extensibleOneOf(approvalAnswers),
    reason: nullable(Text),
    edited_arguments: nullable(JsonText),
  }),
  step('tool.started', { call_id: Key }),
  step('tool.result', {
    call_id: Key,
    outcome: oneOf(toolOutcomes),
    output: ToolOutput,
    output_file_id: WholeFile,
    truncated: Flag,
    failure_contract: nullable(FailureContract),
  }),
  step('question.asked', { question: QuestionPrompt }),
  step('question.answered', { question_id: Id, answer: QuestionAnswer }),
  step('todos.changed', { todos: listOf(TodoItem) }),
  step('context.compacted', { tokens_before: Count, tokens_after: Count, summary: Text }),
  step('checkpoint.created', { checkpoint_id: Id, restore_kind: nullable(oneOf(restoreKinds)), call_id: nullable(Key) }),
  step('checkpoint.restored', {
    checkpoint_id: Id,
    cursor_seq: Count,
    set_aside_message_ids: listOf(Id),
    failure_contract: nullable(FailureContract),
  }),
  step('mcp.status', {
    server_id: Key,
    name: Line,
    state: oneOf(mcpServerStates),
    message: nullable(Text),
    heartbeat_at: nullable(Timestamp),
  }),
  step('workflow.status', {
    workflow_run_id: Id,
    name: Line,
    state: oneOf(workflowRunStates),
    nodes_done: Count,
    nodes_total: Count,
  }),
  step('error', { failure_contract: FailureContract }),
  step('conversation.renamed', { title: Line }),
  step('conversation.hidden', { hidden: Flag }),
  step('conversation.pinned', { pinned: Flag }),
  step('conversation.deleted', { deleted: Flag }),
  /** `subject_id`: the run or the workflow run that is waited for; `until`: when the wait times out. */
  step('wait.started', { wait_id: Key, for: oneOf(waitSubjects), subject_id: nullable(Id), until: nullable(Timestamp) }),
  step('wait.ended', { wait_id: Key, outcome: oneOf(waitOutcomes) }),
  step('child.started', { child_run_id: Id, child_agent_id: Key, call_id: nullable(Key), title: Line }),
  step('child.ended', { child_run_id: Id, state: oneOf(terminalRunStates), usage: Usage, failure_contract: nullable(FailureContract) }),
  /** Between runs of a team; `to_run_id` is null for a message to all of them. */
  step('team.message', {
    team_message_id: Id,
    from_run_id: Id,
    to_run_id: nullable(Id),
    topic: Type.Optional(Line),
    text: Text,
    text_file_id: WholeFile,
  }),
  step('merge.applied', { child_run_id: Id, call_id: nullable(Key), changed_paths: Count, conflicts: Count }),
] as const

/** Payload of an `agent_run_steps` entity. */
export const WrittenStep = Type.Union([...writtenSteps])
export type WrittenStep = Static<typeof WrittenStep>

/** A step that a newer version wrote. It is stored and synchronized unchanged; these are the fields that can be shown. */
export const UnknownStep = step('unknown', {
  unknown_kind: Line,
  /** All its other fields, as JSON text. */
  fields: Type.String({ maxLength: 32 * 1024 * 1024, contentMediaType: 'application/json' }),
})
export type UnknownStep = Static<typeof UnknownStep>

/** A step as a device reads it. */
export const RunStep = Type.Union([...writtenSteps, UnknownStep])
export type RunStep = Static<typeof RunStep>

/** A message is written once, when it is complete. */
export const Message = object({
  message_id: Id,
  conversation_id: Id,
  agent_id: Key,
  run_id: nullable(Id),
  role: oneOf(['user', 'assistant', 'system']),
  /** Written with every message; older ones have none. `isPersonsWord` explains what that means. */
  author: Type.Optional(extensibleOneOf(messageAuthors)),
  /** The message it follows, in a conversation with branches. */
  parent_message_id: Type.Optional(Id),
  text: Text,
  text_file_id: WholeFile,
  attachments: listOf(object({ file_id: Id, name: Line, media_type: Line, size: Count }), { maxItems: 50 }),
  created_at: Timestamp,
})
export type Message = Static<typeof Message>

/** A tool call is written once, when it is settled. */
export const ToolCall = object({
  call_id: Key,
  run_id: Id,
  conversation_id: Id,
  tool: ToolName,
  arguments: JsonText,
  arguments_file_id: WholeFile,
  outcome: oneOf(toolOutcomes),
  output: ToolOutput,
  output_file_id: WholeFile,
  truncated: Flag,
  failure_contract: nullable(FailureContract),
  checkpoint_id: nullable(Id),
  requested_at: Timestamp,
  settled_at: Timestamp,
})
export type ToolCall = Static<typeof ToolCall>
