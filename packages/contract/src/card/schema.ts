import Type, { type Static, type TProperties } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { mcpServerStates } from '../mcp/index.ts'
import { pauseReasons, runStates, toolOutcomes } from '../run/index.ts'
import { ApprovalPrompt, QuestionAnswer, QuestionPrompt } from '../run/schema.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { TodoItem } from '../sync/schema.ts'
import { ToolName, ToolOutput } from '../tool/schema.ts'
import { workflowRunStates } from '../workflow-run/index.ts'
import { type CardKind, toolCallCardStates } from './kind.ts'

const cardFields = {
  /** The same for the lifetime of what it shows, on every device. */
  card_id: Line,
  run_id: Id,
  conversation_id: Id,
  /** Its position in the conversation: the step that created it. */
  seq: Count,
  ts: Timestamp,
  /** Reverted by a restore: still readable, but no longer part of the conversation. */
  set_aside: Flag,
}

function card<const Kind extends CardKind, Fields extends TProperties>(kind: Kind, fields: Fields) {
  return object({ ...cardFields, kind: Type.Literal(kind), ...fields })
}

export const Card = Type.Union([
  card('Thinking', { text: Text, complete: Flag }),
  card('ToolCall', {
    call_id: Key,
    tool: ToolName,
    arguments: JsonText,
    state: oneOf(toolCallCardStates),
    approval: nullable(ApprovalPrompt),
    denial_reason: nullable(Text),
    checkpoint_id: nullable(Id),
  }),
  card('ToolResult', {
    call_id: Key,
    tool: ToolName,
    outcome: oneOf(toolOutcomes),
    output: ToolOutput,
    truncated: Flag,
    failure_contract: nullable(FailureContract),
  }),
  card('ContextCompact', { tokens_before: Count, tokens_after: Count, summary: Text }),
  card('Workflow', { workflow_run_id: Id, name: Line, state: oneOf(workflowRunStates), nodes_done: Count, nodes_total: Count }),
  card('McpStatus', {
    server_id: Key,
    name: Line,
    state: oneOf(mcpServerStates),
    message: nullable(Text),
    heartbeat_at: nullable(Timestamp),
  }),
  card('RunStatus', { state: oneOf(runStates), pause_reason: nullable(oneOf(pauseReasons)), title: Line, device_id: Key }),
  card('Error', { failure_contract: FailureContract }),
  card('TodoCard', { todos: listOf(TodoItem) }),
  card('QuestionCard', { question: QuestionPrompt, answer: nullable(QuestionAnswer) }),
])
export type Card = Static<typeof Card>
