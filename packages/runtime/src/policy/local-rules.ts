// What «always» remembered about folders of this device. It never leaves it: the same path elsewhere is another folder, which nobody said yes to.
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Store } from '../store/store.ts'

export interface LocalRules {
  of(agent_id: string, tool: string): readonly ApprovalRule[]
  put(agent_id: string, tool: string, rules: readonly ApprovalRule[]): void
  /** Those of an agent, by tool. */
  ofAgent(agent_id: string): ReadonlyMap<string, readonly ApprovalRule[]>
}

/** Whether a rule speaks of a place on this device. */
export function isLocal(rule: ApprovalRule): boolean {
  return rule.kind === 'path' || (rule.kind === 'command' && (rule.folder !== undefined || rule.instructions !== undefined))
}

export function openLocalRules({ sql }: Pick<Store, 'sql'>): LocalRules {
  const nameOf = (agent_id: string, tool: string) => `remembered ${agent_id} ${tool}`
  return {
    of(agent_id, tool) {
      const row = sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${nameOf(agent_id, tool)}`
      return row ? (JSON.parse(row.value) as ApprovalRule[]) : []
    },
    put(agent_id, tool, rules) {
      const name = nameOf(agent_id, tool)
      if (rules.length === 0) sql.run`DELETE FROM meta WHERE name = ${name}`
      else sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${name}, ${JSON.stringify(rules)})`
    },
    ofAgent(agent_id) {
      const beginning = nameOf(agent_id, '')
      const rows = sql.all<{ name: string; value: string }>`
        SELECT name, value FROM meta WHERE name >= ${beginning} AND name < ${`${beginning}\u{10ffff}`}`
      return new Map(rows.map(({ name, value }) => [name.slice(beginning.length), JSON.parse(value) as ApprovalRule[]]))
    },
  }
}
