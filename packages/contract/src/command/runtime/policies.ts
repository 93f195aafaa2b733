import Type, { type Static } from 'typebox'
import { AgentToolPolicy } from '../../agent/schema.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { ApprovalRule, PolicyLayers, SandboxMode, ToolName, ToolPolicy } from '../../tool/schema.ts'
import { type Command, listParams } from '../command.ts'
import { policySources, ruleOrigins } from './names.ts'

/** What is configured for one tool of one agent, where it comes from, and the layers that change it in a run of the agent. */
export const EffectiveToolPolicy = object({
  ...AgentToolPolicy.properties,
  source: oneOf(policySources),
  /** The effective policy after all layers. */
  in_force: object({ ...ToolPolicy.properties, sandbox_mode: SandboxMode }),
  layers: PolicyLayers,
})
export type EffectiveToolPolicy = Static<typeof EffectiveToolPolicy>

export const ListedTool = object({
  tool: ToolName,
  summary: Text,
  input_schema: JsonText,
  /** How long one call may take unless the agent's policy sets another limit. */
  seconds: Count,
})
export type ListedTool = Static<typeof ListedTool>

/** One thing that "always" remembers. */
export const ListedRule = object({
  rule_id: Type.String({ pattern: '^[0-9a-f]{12}$', description: 'The id of the rule on this device' }),
  agent_id: Key,
  agent_name: nullable(Line),
  tool: ToolName,
  rule: ApprovalRule,
  /** False for a rule of an earlier version that can no longer be granted: its calls need approval again. */
  applies: Flag,
  /** Null if it is unknown: the rule is older than these records, or was granted on another device. */
  granted_at: nullable(Timestamp),
  /** The conversation of the approval; null if there was none, or it is no longer on this device. */
  granted_in: nullable(object({ conversation_id: Id, title: Line })),
  granted_on: oneOf(ruleOrigins),
  /** The last call that ran on this device because of it. */
  last_used_at: nullable(Timestamp),
  /** How many calls ran on this device because of it. */
  uses: Count,
})
export type ListedRule = Static<typeof ListedRule>

/** With it, the layers are those of the run: its skills, and its sandbox mode. */
const run_id = Type.Optional(Id)
const of = { agent_id: Key, tool: ToolName }
const result = object({ policy: EffectiveToolPolicy })

export const policyCommands = {
  agent_tool_policy_list: {
    summary: 'List what an agent may do with each tool.',
    params: listParams({ agent_id: Key, source: Type.Optional(oneOf(policySources)), run_id }),
    result: pageOf(EffectiveToolPolicy),
  },
  agent_tool_policy_get: {
    summary: 'Show what an agent may do with one tool.',
    params: object({ ...of, run_id }),
    result,
  },
  agent_tool_policy_set: {
    summary: 'Set what an agent may do with one tool. Rules remembered by "always" are kept unless given.',
    params: object({
      ...of,
      policy: ToolPolicy,
      remembered: Type.Optional(listOf(AgentToolPolicy.properties.remembered.items, { maxItems: 1_000 })),
    }),
    result,
  },
  agent_tool_policy_reset: {
    summary: 'Reset one tool to the default policy and delete the rules remembered by "always".',
    params: object(of),
    result,
  },
  approval_rule_list: {
    summary: 'List the rules remembered by "always".',
    params: listParams({ agent_id: Type.Optional(Key) }),
    result: pageOf(ListedRule),
  },
  approval_rule_revoke: {
    summary: 'Revoke one rule: the calls it covered need approval again.',
    params: object({ rule_id: ListedRule.properties.rule_id }),
    result: object({ revoked: ListedRule }),
  },
  tool_list: {
    summary: 'List the tools available to agents.',
    params: listParams({}),
    result: pageOf(ListedTool),
  },
} satisfies Record<string, Command>
