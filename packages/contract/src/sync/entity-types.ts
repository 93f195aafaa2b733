// What is synchronized, and how two writes of one entity are merged.

export const mergeRuleNames = ['append_only', 'last_write_wins', 'per_item'] as const
export type MergeRuleName = (typeof mergeRuleNames)[number]

export const entityTypes = {
  messages: 'append_only',
  tool_calls: 'append_only',
  agent_run_steps: 'append_only',
  workflow_run_events: 'append_only',
  agents: 'last_write_wins',
  agent_tool_policies: 'last_write_wins',
  agent_skill_bindings: 'last_write_wins',
  mcp_servers: 'last_write_wins',
  todos: 'per_item',
} as const satisfies Record<string, MergeRuleName>

export type EntityType = keyof typeof entityTypes

export const entityTypeNames = Object.keys(entityTypes) as EntityType[]

export function isEntityType(name: string): name is EntityType {
  return Object.hasOwn(entityTypes, name)
}
