// Agents whose recommendations go live without asking, on this device.
import type { Store } from '../../../store/store.ts'

export interface PromotingAgents {
  has(agent_id: string): boolean
  set(agent_id: string, automatic: boolean): void
}

export function openPromotingAgents({ sql }: Pick<Store, 'sql'>): PromotingAgents {
  return {
    has: (agent_id) => sql.get`SELECT 1 FROM evolution_promoting_agents WHERE agent_id = ${agent_id}` !== undefined,
    set(agent_id, automatic) {
      if (automatic) sql.run`INSERT OR IGNORE INTO evolution_promoting_agents (agent_id) VALUES (${agent_id})`
      else sql.run`DELETE FROM evolution_promoting_agents WHERE agent_id = ${agent_id}`
    },
  }
}
