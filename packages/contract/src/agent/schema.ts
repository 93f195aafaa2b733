import Type, { type Static } from 'typebox'
import { Count, Flag, Key, Line, listOf, nullable, object, Text, Timestamp } from '../shape.ts'
import { ApprovalRule, SandboxMode, ToolName, ToolPolicy } from '../tool/schema.ts'

export const AgentBudget = object({
  tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  turns: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** How many runs it may start, and how deep they may nest. */
  child_runs: Type.Optional(Count),
  depth: Type.Optional(Count),
})
export type AgentBudget = Static<typeof AgentBudget>

/** Payload of an `agents` entity. Its `entity_id` is the agent's id. */
export const Agent = object({
  name: Line,
  description: Text,
  /** Who the agent is; its identity profile is bootstrapped from this. */
  identity: object({ role: Line, tone: nullable(Line) }),
  instructions: Text,
  /** `provider/model`; null uses the device's default. */
  model: nullable(Line),
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
  max_turns: Type.Integer({ minimum: 1, maximum: 10_000 }),
  sandbox_mode: SandboxMode,
  avatar: nullable(Type.String({ minLength: 1, maxLength: 32, description: 'A symbol that identifies the agent' })),
  archived: Flag,
  /** The agents it may delegate work to; without it, only itself. */
  delegates_to: Type.Optional(listOf(Key, { maxItems: 100 })),
  /** What one of its runs may spend, together with the runs it starts. A field that is missing has a default: see `team`. */
  budget: Type.Optional(AgentBudget),
  created_at: Timestamp,
})
export type Agent = Static<typeof Agent>

/** Payload of an `agent_tool_policies` entity: one tool of one agent, and the calls that the user approved with "always". */
export const AgentToolPolicy = object({
  agent_id: Key,
  tool: ToolName,
  policy: ToolPolicy,
  remembered: listOf(ApprovalRule, { maxItems: 1_000 }),
})
export type AgentToolPolicy = Static<typeof AgentToolPolicy>
