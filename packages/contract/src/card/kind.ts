// What a chat is made of beside its messages.
import { toolOutcomes } from '../run/index.ts'

/** The detail cards of a run. */
export const detailCardKinds = [
  'Thinking',
  'ToolCall',
  'ToolResult',
  'ContextCompact',
  'Workflow',
  'McpStatus',
  'RunStatus',
  'Error',
] as const
/** The cards a person acts on. */
export const interactiveCardKinds = ['TodoCard', 'QuestionCard'] as const
export const cardKinds = [...detailCardKinds, ...interactiveCardKinds] as const
export type CardKind = (typeof cardKinds)[number]

/** The life of a call as its card shows it. */
export const toolCallCardStates = ['requested', 'awaiting_approval', 'approved', 'running', ...toolOutcomes] as const
export type ToolCallCardState = (typeof toolCallCardStates)[number]
