// When and where each rule of the answer "always" was granted, and when and how often it was used on this device.
import { toolPolicyEntityId } from '@tandem/contract/entity'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Store } from '../store/store.ts'

export interface RuleUse {
  /** Null if it is unknown: the rule is older than these records, or comes from another device. */
  readonly granted_at: number | null
  readonly conversation_id: string | null
  readonly granted_on: 'this_device' | 'another_device' | 'unknown'
  readonly last_used_at: number | null
  readonly uses: number
}

export interface RuleUses {
  of(agent_id: string, tool: string, rule: ApprovalRule): RuleUse
  /** Someone answered "always" here. The first time counts. */
  granted(agent_id: string, tool: string, rules: readonly ApprovalRule[], conversation_id: string | null): void
  /** These rules let a call run. Called in the transaction that records the start of the call. */
  used(agent_id: string, tool: string, rules: readonly ApprovalRule[]): void
  /** Before this device writes the synchronized policy: from then on, the record no longer names the device it came from. */
  keepOrigin(agent_id: string, tool: string, rules: readonly ApprovalRule[]): void
  /** Forgets every rule that is not among these. */
  retain(agent_id: string, tool: string, rules: readonly ApprovalRule[]): void
}

interface UseRow {
  readonly granted_at: number | null
  readonly conversation_id: string | null
  readonly device_id: string | null
  readonly last_used_at: number | null
  readonly uses: number
}

export function openRuleUses({ sql, clock, device_id }: Pick<Store, 'sql' | 'clock' | 'device_id'>): RuleUses {
  /** The device that wrote the synchronized policy last; null if there is none. */
  function writerOf(agent_id: string, tool: string): string | null {
    const row = sql.get<{ device_id: string }>`
      SELECT device_id FROM records
      WHERE entity_type = 'agent_tool_policies' AND entity_id = ${toolPolicyEntityId(agent_id, tool)} AND deleted = 0`
    return row?.device_id ?? null
  }

  function granted_on(device: string | null): RuleUse['granted_on'] {
    if (device === null) return 'unknown'
    return device === device_id ? 'this_device' : 'another_device'
  }

  return {
    of(agent_id, tool, rule) {
      const row = sql.get<UseRow>`
        SELECT granted_at, conversation_id, device_id, last_used_at, uses FROM approval_rule_uses
        WHERE agent_id = ${agent_id} AND tool = ${tool} AND rule = ${JSON.stringify(rule)}`
      const { device_id: known = null, ...seen } = row ?? { granted_at: null, conversation_id: null, last_used_at: null, uses: 0 }
      if (known !== null || isLocal(rule)) return { ...seen, granted_on: granted_on(known) }
      const writer = writerOf(agent_id, tool)
      // This device may have written the policy after a rule was granted elsewhere, before uses were recorded.
      return { ...seen, granted_on: writer === device_id ? 'unknown' : granted_on(writer) }
    },
    granted(agent_id, tool, rules, conversation_id) {
      for (const rule of rules) {
        sql.run`
          INSERT INTO approval_rule_uses (agent_id, tool, rule, granted_at, conversation_id, device_id)
          VALUES (${agent_id}, ${tool}, ${JSON.stringify(rule)}, ${clock.now()}, ${conversation_id}, ${device_id})
          ON CONFLICT (agent_id, tool, rule) DO UPDATE
            SET granted_at = excluded.granted_at, conversation_id = excluded.conversation_id, device_id = excluded.device_id
            WHERE approval_rule_uses.granted_at IS NULL AND approval_rule_uses.device_id IS NULL`
      }
    },
    used(agent_id, tool, rules) {
      for (const rule of rules) {
        sql.run`
          INSERT INTO approval_rule_uses (agent_id, tool, rule, last_used_at, uses)
          VALUES (${agent_id}, ${tool}, ${JSON.stringify(rule)}, ${clock.now()}, 1)
          ON CONFLICT (agent_id, tool, rule) DO UPDATE SET last_used_at = excluded.last_used_at, uses = approval_rule_uses.uses + 1`
      }
    },
    keepOrigin(agent_id, tool, rules) {
      const writer = writerOf(agent_id, tool)
      if (writer === null || writer === device_id) return
      for (const rule of rules) {
        if (isLocal(rule)) continue
        sql.run`
          INSERT INTO approval_rule_uses (agent_id, tool, rule, device_id) VALUES (${agent_id}, ${tool}, ${JSON.stringify(rule)}, ${writer})
          ON CONFLICT (agent_id, tool, rule) DO UPDATE SET device_id = excluded.device_id WHERE approval_rule_uses.device_id IS NULL`
      }
    },
    retain(agent_id, tool, rules) {
      const kept = JSON.stringify(rules.map((rule) => JSON.stringify(rule)))
      sql.run`
        DELETE FROM approval_rule_uses
        WHERE agent_id = ${agent_id} AND tool = ${tool} AND rule NOT IN (SELECT value FROM json_each(${kept}))`
    },
  }
}

/** Whether a rule is about a path on this device. Such a rule is not synchronized. */
export function isLocal(rule: ApprovalRule): boolean {
  return rule.kind === 'path' || (rule.kind === 'command' && (rule.folder !== undefined || rule.instructions !== undefined))
}
