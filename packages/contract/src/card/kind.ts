// What a chat is made of beside its messages.
import type { FailureContract } from '../failure/index.ts'
import type { McpServerState } from '../mcp/index.ts'
import { type PauseReason, type QuestionAnswer, type RunState, type RunStep, type ToolOutcome, toolOutcomes } from '../run/index.ts'
import type { TodoItem } from '../sync/index.ts'
import type { ToolOutput } from '../tool/index.ts'
import type { WorkflowRunState } from '../workflow-run/index.ts'

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

interface CardFields {
  /** Stable over the life of the thing it shows, on every device. */
  readonly card_id: string
  readonly run_id: string
  readonly conversation_id: string
  /** Where it stands in the chat: the step that made it. */
  readonly seq: number
  readonly ts: string
  /** Taken back by a restore: still there to read, no longer part of the conversation. */
  readonly set_aside: boolean
}

type StepOf<Kind extends RunStep['kind']> = Extract<RunStep, { kind: Kind }>

export type Card = CardFields &
  (
    | { readonly kind: 'Thinking'; readonly text: string; readonly complete: boolean }
    | {
        readonly kind: 'ToolCall'
        readonly call_id: string
        readonly tool: string
        readonly arguments: string
        readonly state: ToolCallCardState
        readonly approval: StepOf<'approval.requested'>['approval'] | null
        readonly denial_reason: string | null
        readonly checkpoint_id: string | null
      }
    | {
        readonly kind: 'ToolResult'
        readonly call_id: string
        readonly tool: string
        readonly outcome: ToolOutcome
        readonly output: ToolOutput
        readonly truncated: boolean
        readonly failure_contract: FailureContract | null
      }
    | { readonly kind: 'ContextCompact'; readonly tokens_before: number; readonly tokens_after: number; readonly summary: string }
    | {
        readonly kind: 'Workflow'
        readonly workflow_run_id: string
        readonly name: string
        readonly state: WorkflowRunState
        readonly nodes_done: number
        readonly nodes_total: number
      }
    | {
        readonly kind: 'McpStatus'
        readonly server_id: string
        readonly name: string
        readonly state: McpServerState
        readonly message: string | null
        readonly heartbeat_at: string | null
      }
    | {
        readonly kind: 'RunStatus'
        readonly state: RunState
        readonly pause_reason: PauseReason | null
        readonly title: string
        readonly device_id: string
      }
    | { readonly kind: 'Error'; readonly failure_contract: FailureContract }
    | { readonly kind: 'TodoCard'; readonly todos: readonly TodoItem[] }
    | { readonly kind: 'QuestionCard'; readonly question: StepOf<'question.asked'>['question']; readonly answer: QuestionAnswer | null }
  )
