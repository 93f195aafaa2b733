// What each agent may do with each tool: its configured policy, or the defaults.
import { type EntityPayload, toolPolicyEntityId } from '@tandem/contract/entity'
import { type ApprovalMode, type ApprovalRule, defaultToolPolicy, type McpToolName, type ToolPolicy } from '@tandem/contract/tool'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { isLocal, openRuleUses, type RuleUses } from './rule-uses.ts'

export interface EffectivePolicy {
  readonly policy: ToolPolicy
  /** The approval rules from the answer "always". */
  readonly remembered: readonly ApprovalRule[]
  readonly source: 'default' | 'set'
}

export interface Policies {
  of(agent_id: string, tool: string): EffectivePolicy
  /** The same for callers that need many tools at once. */
  ofAgent(agent_id: string): (tool: string) => EffectivePolicy
  set(agent_id: string, tool: string, policy: ToolPolicy, remembered?: readonly ApprovalRule[]): void
  /** Adds rules and leaves the rest unchanged. `conversation_id`: where the user answered "always", if it was in one. */
  remember(agent_id: string, tool: string, rules: readonly ApprovalRule[], conversation_id?: string): void
  /** Removes one rule and leaves the rest unchanged. False if there is no such rule. */
  revoke(agent_id: string, tool: string, rule: ApprovalRule): boolean
  /** False if nothing was configured. */
  reset(agent_id: string, tool: string): boolean
  /** When each rule was granted and used. */
  readonly uses: Pick<RuleUses, 'of' | 'used'>
  /** What was configured for an agent, by tool. */
  list(agent_id: string): readonly { readonly tool: string; readonly policy: ToolPolicy; readonly remembered: readonly ApprovalRule[] }[]
}

/** Tools that are disabled or denied are not offered: the model should not try to use them. */
export function isOffered({ enabled, approval_mode }: Pick<ToolPolicy, 'enabled' | 'approval_mode'>): boolean {
  return enabled && approval_mode !== 'deny'
}

/** `timeOf` returns the tool's own time limit, `modeOf` its default approval mode; both return null for tools without one. */
export function openPolicies(
  records: Records,
  local: LocalRules,
  timeOf: (tool: string) => number | null,
  modeOf: (tool: string) => ApprovalMode | null = () => null,
): Policies {
  function of(agent_id: string, tool: string): EffectivePolicy {
    const kept = records.get('agent_tool_policies', toolPolicyEntityId(agent_id, tool))
    return effective(tool, kept?.payload, local.of(agent_id, tool))
  }

  function setFor(agent_id: string): ReadonlyMap<string, EntityPayload<'agent_tool_policies'>> {
    const kept = records.list('agent_tool_policies', toolPolicyEntityId(agent_id, ''))
    return new Map(kept.map(({ payload }) => [payload.tool, payload]))
  }

  function ofAgent(agent_id: string): (tool: string) => EffectivePolicy {
    const [set, here] = [setFor(agent_id), local.ofAgent(agent_id)]
    return (tool) => effective(tool, set.get(tool), here.get(tool) ?? [])
  }

  function effective(tool: string, set: EntityPayload<'agent_tool_policies'> | undefined, here: readonly ApprovalRule[]): EffectivePolicy {
    // A rule about a folder that was synchronized from another device is about a folder there.
    const remembered = [...(set?.remembered ?? []).filter((rule) => !isLocal(rule)), ...here]
    if (set) return { policy: set.policy, remembered, source: 'set' }
    const usual = defaultToolPolicy(tool as McpToolName)
    const fallback = { ...usual, approval_mode: modeOf(tool) ?? usual.approval_mode }
    const seconds = timeOf(tool)
    const policy = seconds === null ? fallback : { ...fallback, time_limit: { seconds } }
    return { policy, remembered, source: here.length > 0 ? 'set' : 'default' }
  }

  function set(agent_id: string, tool: string, policy: ToolPolicy, remembered?: readonly ApprovalRule[]): void {
    const kept = remembered ?? of(agent_id, tool).remembered
    const payload = { agent_id, tool, policy, remembered: kept.filter((rule) => !isLocal(rule)) }
    local.uses.keepOrigin(agent_id, tool, kept)
    local.uses.retain(agent_id, tool, kept)
    local.put(agent_id, tool, kept.filter(isLocal))
    records.put('agent_tool_policies', toolPolicyEntityId(agent_id, tool), payload)
  }

  return {
    of,
    ofAgent,
    set,
    uses: local.uses,
    remember(agent_id, tool, rules, conversation_id) {
      const { policy, remembered } = of(agent_id, tool)
      const known = new Set(remembered.map((rule) => JSON.stringify(rule)))
      const added = rules.filter((rule) => !known.has(JSON.stringify(rule)))
      const all = [...remembered, ...added]
      local.uses.granted(agent_id, tool, rules, conversation_id ?? null)
      if (added.length === 0) return
      if (added.every(isLocal)) local.put(agent_id, tool, all.filter(isLocal))
      else set(agent_id, tool, policy, all)
    },
    revoke(agent_id, tool, rule) {
      const isOther = (one: ApprovalRule) => JSON.stringify(one) !== JSON.stringify(rule)
      const { policy, remembered } = of(agent_id, tool)
      const left = remembered.filter(isOther)
      if (left.length === remembered.length) return false
      local.uses.retain(agent_id, tool, left)
      if (isLocal(rule)) local.put(agent_id, tool, left.filter(isLocal))
      else set(agent_id, tool, policy, left)
      return true
    },
    reset(agent_id, tool) {
      const had = local.of(agent_id, tool).length > 0
      local.put(agent_id, tool, [])
      local.uses.retain(agent_id, tool, [])
      return records.remove('agent_tool_policies', toolPolicyEntityId(agent_id, tool)) || had
    },
    list(agent_id) {
      const tools = [...new Set<string>([...setFor(agent_id).keys(), ...local.ofAgent(agent_id).keys()])].sort()
      const policyOf = ofAgent(agent_id)
      return tools.map((tool) => ({ tool, ...policyOf(tool) }))
    },
  }
}

/**
 * Rules from "always" about folders of this device. They are not synchronized: the same path on another device is another folder, which was
 * not approved.
 */
export interface LocalRules {
  of(agent_id: string, tool: string): readonly ApprovalRule[]
  put(agent_id: string, tool: string, rules: readonly ApprovalRule[]): void
  /** Those of an agent, by tool. */
  ofAgent(agent_id: string): ReadonlyMap<string, readonly ApprovalRule[]>
  readonly uses: RuleUses
}

export function openLocalRules({ sql, clock, device_id, kept }: Pick<Store, 'sql' | 'clock' | 'device_id' | 'kept'>): LocalRules {
  const ofTool = kept<readonly ApprovalRule[]>('meta')
  const ofAgents = kept<ReadonlyMap<string, readonly ApprovalRule[]>>('meta')
  const nameOf = (agent_id: string, tool: string) => `remembered ${agent_id} ${tool}`
  return {
    uses: openRuleUses({ sql, clock, device_id }),
    of(agent_id, tool) {
      return ofTool.get(nameOf(agent_id, tool), () => {
        const row = sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${nameOf(agent_id, tool)}`
        return row ? (JSON.parse(row.value) as ApprovalRule[]) : []
      })
    },
    put(agent_id, tool, rules) {
      const name = nameOf(agent_id, tool)
      if (rules.length === 0) sql.run`DELETE FROM meta WHERE name = ${name}`
      else sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${name}, ${JSON.stringify(rules)})`
    },
    ofAgent(agent_id) {
      const beginning = nameOf(agent_id, '')
      return ofAgents.get(beginning, () => {
        const rows = sql.all<{ name: string; value: string }>`
          SELECT name, value FROM meta WHERE name >= ${beginning} AND name < ${`${beginning}\u{10ffff}`}`
        return new Map(rows.map(({ name, value }) => [name.slice(beginning.length), JSON.parse(value) as ApprovalRule[]]))
      })
    },
  }
}
