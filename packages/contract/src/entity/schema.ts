// The payload of each synchronized entity. The cloud reads none of them except the items of `todos`.
import type { Static, TSchema } from 'typebox'
import { Agent, AgentToolPolicy } from '../agent/schema.ts'
import { McpServer } from '../mcp/schema.ts'
import { Message, ToolCall, WrittenStep } from '../run/schema.ts'
import { SkillBinding } from '../skill/schema.ts'
import type { EntityType } from '../sync/index.ts'
import { TodosPayload } from '../sync/schema.ts'
import { WrittenWorkflowRunEvent } from '../workflow-run/schema.ts'

export const entityPayloads = {
  messages: Message,
  tool_calls: ToolCall,
  agent_run_steps: WrittenStep,
  workflow_run_events: WrittenWorkflowRunEvent,
  agents: Agent,
  agent_tool_policies: AgentToolPolicy,
  agent_skill_bindings: SkillBinding,
  mcp_servers: McpServer,
  todos: TodosPayload,
} satisfies Record<EntityType, TSchema>

export type EntityPayload<Type extends EntityType> = Static<(typeof entityPayloads)[Type]>
