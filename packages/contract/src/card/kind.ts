// What a conversation shows besides its messages.
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
/** The cards that need an action of the user. */
export const interactiveCardKinds = ['TodoCard', 'QuestionCard'] as const
export const cardKinds = [...detailCardKinds, ...interactiveCardKinds] as const
export type CardKind = (typeof cardKinds)[number]

/** The states of a call that its card shows. */
export const toolCallCardStates = ['requested', 'awaiting_approval', 'approved', 'running', ...toolOutcomes] as const
export type ToolCallCardState = (typeof toolCallCardStates)[number]
