import type { EffectiveToolPolicy, ListedRule } from '@tandem/contract/command'
import { rulesOf } from '../policy/approval-rules.ts'
import { noAgent } from './agents.ts'
import { pageBy } from './cursor.ts'
import type { Features, Outcome } from './features.ts'
import type { CommandTable } from './table.ts'

/** The question to the user stands outside the policies. */
const outside = 'ask_user'

export function policyHandlers({ agents, policies, tools }: Pick<Features, 'agents' | 'policies' | 'tools'>): CommandTable {
  function effective(agent_id: string, tool: string): EffectiveToolPolicy {
    const { policy, remembered, source } = policies.of(agent_id, tool)
    return { agent_id, tool, policy, remembered: [...remembered], source }
  }

  /** A policy may be set for a tool that is not here now: MCP servers come and go. */
  function refusal(agent_id: string, tool: string): Outcome<never> | null {
    if (!agents.get(agent_id)) return noAgent(agent_id)
    if (tool === outside) return { ok: false, code: 'invalid_params', message: `${outside} has no policy: it only asks` }
    if (!tools.get(tool) && !tool.startsWith('mcp.')) return { ok: false, code: 'not_found', message: `there is no tool ${tool}` }
    return null
  }

  function shown(agent_id: string, tool: string): Outcome<{ policy: EffectiveToolPolicy }> {
    return { ok: true, value: { policy: effective(agent_id, tool) } }
  }

  function listed(agent_id: string): readonly ListedRule[] {
    const agent_name = agents.get(agent_id)?.agent.name ?? null
    return rulesOf(policies, agent_id).map((one) => ({ ...one, agent_name }))
  }

  function rules(): readonly ListedRule[] {
    return agents.list().flatMap(({ agent_id }) => listed(agent_id))
  }

  return {
    approval_rule_list({ agent_id, ...paging }) {
      if (agent_id !== undefined && !agents.get(agent_id)) return noAgent(agent_id)
      return pageBy('approval_rule_list', agent_id === undefined ? rules() : listed(agent_id), ({ rule_id }) => rule_id, paging)
    },
    approval_rule_revoke({ rule_id }) {
      const revoked = rules().find((one) => one.rule_id === rule_id)
      if (!revoked || !policies.revoke(revoked.agent_id, revoked.tool, revoked.rule)) {
        return { ok: false, code: 'not_found', message: `there is no rule ${rule_id}`, remedy: 'List the rules with tandem policy rules.' }
      }
      return { ok: true, value: { revoked } }
    },
    agent_tool_policy_list({ agent_id, source, ...paging }) {
      if (!agents.get(agent_id)) return noAgent(agent_id)
      const here = tools.list().map(({ name }) => name)
      const set = policies.list(agent_id).map(({ tool }) => tool)
      const names = [...new Set([...here, ...set])].filter((tool) => tool !== outside).sort()
      const all = names.map((tool) => effective(agent_id, tool)).filter((policy) => source === undefined || policy.source === source)
      return pageBy('agent_tool_policy_list', all, ({ tool }) => tool, paging)
    },
    agent_tool_policy_get: ({ agent_id, tool }) => refusal(agent_id, tool) ?? shown(agent_id, tool),
    agent_tool_policy_set({ agent_id, tool, policy, remembered }) {
      const refused = refusal(agent_id, tool)
      if (refused) return refused
      policies.set(agent_id, tool, policy, remembered)
      return shown(agent_id, tool)
    },
    agent_tool_policy_reset({ agent_id, tool }) {
      const refused = refusal(agent_id, tool)
      if (refused) return refused
      policies.reset(agent_id, tool)
      return shown(agent_id, tool)
    },
    tool_list(paging) {
      const all = tools.list().toSorted((left, right) => (left.name < right.name ? -1 : 1))
      const listed = all.map(({ name, summary, input, limits }) => ({
        tool: name,
        summary,
        input_schema: JSON.stringify(input),
        seconds: limits.seconds,
      }))
      return pageBy('tool_list', listed, ({ tool }) => tool, paging)
    },
  }
}
