import Type, { type Static } from 'typebox'
import { AgentToolPolicy } from '../../agent/schema.ts'
import { Count, JsonText, Key, listOf, object, oneOf, pageOf, Text } from '../../shape.ts'
import { ToolName, ToolPolicy } from '../../tool/schema.ts'
import { type Command, listParams } from '../command.ts'
import { policySources } from './names.ts'

/** What holds for one tool of one agent, and where it comes from. */
export const EffectiveToolPolicy = object({ ...AgentToolPolicy.properties, source: oneOf(policySources) })
export type EffectiveToolPolicy = Static<typeof EffectiveToolPolicy>

export const ListedTool = object({
  tool: ToolName,
  summary: Text,
  input_schema: JsonText,
  /** How long one call may take unless the agent's policy says otherwise. */
  seconds: Count,
})
export type ListedTool = Static<typeof ListedTool>

const of = { agent_id: Key, tool: ToolName }
const result = object({ policy: EffectiveToolPolicy })

export const policyCommands = {
  agent_tool_policy_list: {
    summary: 'List what an agent may do with each tool.',
    params: listParams({ agent_id: Key, source: Type.Optional(oneOf(policySources)) }),
    result: pageOf(EffectiveToolPolicy),
  },
  agent_tool_policy_get: {
    summary: 'Show what an agent may do with one tool.',
    params: object(of),
    result,
  },
  agent_tool_policy_set: {
    summary: 'Set what an agent may do with one tool; what «always» has remembered stays unless it is named.',
    params: object({
      ...of,
      policy: ToolPolicy,
      remembered: Type.Optional(listOf(AgentToolPolicy.properties.remembered.items, { maxItems: 1_000 })),
    }),
    result,
  },
  agent_tool_policy_reset: {
    summary: 'Go back to what every agent is given for one tool, and forget what «always» has remembered.',
    params: object(of),
    result,
  },
  tool_list: {
    summary: 'List the tools an agent can be given.',
    params: listParams({}),
    result: pageOf(ListedTool),
  },
} satisfies Record<string, Command>
