import type { EffectiveToolPolicy, ListedRule } from '@tandem/contract/command'
import { defaultSandboxMode } from '@tandem/contract/tool'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import { agentNotFound } from '../feature/not-found.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { rulesOf } from '../policy/approval-rules.ts'
import type { Features } from './features.ts'

export function policyHandlers({
  agents,
  policies,
  callPolicies,
  tools,
  journal,
}: Pick<Features, 'agents' | 'policies' | 'callPolicies' | 'tools' | 'journal'>): CommandTable {
  function effective(agent_id: string, tool: string, run?: RunRecord): EffectiveToolPolicy {
    const { policy, remembered, source } = policies.of(agent_id, tool)
    const sandbox_mode = agents.get(agent_id)?.agent.sandbox_mode ?? defaultSandboxMode
    const { policy: in_force, layers } = callPolicies.of(run ?? { agent_id, run_id: null, workspace: null, sandbox_mode }, tool)
    return { agent_id, tool, policy, remembered: [...remembered], source, in_force, layers }
  }

  /** A policy can be set for a tool that is not available now: MCP servers come and go. */
  function refusal(agent_id: string, tool: string): Outcome<never> | null {
    if (!agents.get(agent_id)) return agentNotFound(agent_id)
    if (tools.get(tool)?.only_asks) return invalidField('tool', 'has no policy', `${tool} has no policy: it only asks the user a question`)
    if (!tools.get(tool) && !tool.startsWith('mcp.')) return { ok: false, code: 'not_found', message: `there is no tool ${tool}` }
    return null
  }

  function shown(agent_id: string, tool: string, run?: RunRecord): Outcome<{ policy: EffectiveToolPolicy }> {
    return { ok: true, value: { policy: effective(agent_id, tool, run) } }
  }

  /** Undefined if no run was given. */
  function runOf(agent_id: string, run_id: string | undefined): Outcome<RunRecord | undefined> {
    const run = run_id === undefined ? undefined : journal.run(run_id)
    if (run_id === undefined || run?.agent_id === agent_id) return { ok: true, value: run }
    return { ok: false, code: 'not_found', message: `agent ${agent_id} has no run ${run_id}` }
  }

  function listed(agent_id: string): readonly ListedRule[] {
    const agent_name = agents.get(agent_id)?.agent.name ?? null
    return rulesOf(policies, agent_id).map((one) => {
      const { granted_at, conversation_id, granted_on, last_used_at, uses } = policies.uses.of(agent_id, one.tool, one.rule)
      const conversation = conversation_id === null ? undefined : journal.conversations.get(conversation_id)
      return {
        ...one,
        agent_name,
        granted_at: timeOf(granted_at),
        granted_in: conversation ? { conversation_id: conversation.conversation_id, title: conversation.title } : null,
        granted_on,
        last_used_at: timeOf(last_used_at),
        uses,
      }
    })
  }

  function rules(): readonly ListedRule[] {
    return agents.list().flatMap(({ agent_id }) => listed(agent_id))
  }

  return {
    approval_rule_list({ agent_id, ...paging }) {
      if (agent_id !== undefined && !agents.get(agent_id)) return agentNotFound(agent_id)
      return pageBy('approval_rule_list', agent_id === undefined ? rules() : listed(agent_id), ({ rule_id }) => rule_id, paging)
    },
    approval_rule_revoke({ rule_id }) {
      const revoked = rules().find((one) => one.rule_id === rule_id)
      if (!revoked || !policies.revoke(revoked.agent_id, revoked.tool, revoked.rule)) {
        return { ok: false, code: 'not_found', message: `there is no rule ${rule_id}`, remedy: 'List the rules with tandem policy rules.' }
      }
      return { ok: true, value: { revoked } }
    },
    agent_tool_policy_list({ agent_id, source, run_id, ...paging }) {
      if (!agents.get(agent_id)) return agentNotFound(agent_id)
      const run = runOf(agent_id, run_id)
      if (!run.ok) return run
      const here = tools.list().map(({ name }) => name)
      const set = policies.list(agent_id).map(({ tool }) => tool)
      const names = [...new Set([...here, ...set])].filter((tool) => !tools.get(tool)?.only_asks).sort()
      const all = names
        .map((tool) => effective(agent_id, tool, run.value))
        .filter((policy) => source === undefined || policy.source === source)
      return pageBy('agent_tool_policy_list', all, ({ tool }) => tool, paging)
    },
    agent_tool_policy_get({ agent_id, tool, run_id }) {
      const refused = refusal(agent_id, tool)
      if (refused) return refused
      const run = runOf(agent_id, run_id)
      return run.ok ? shown(agent_id, tool, run.value) : run
    },
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

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
