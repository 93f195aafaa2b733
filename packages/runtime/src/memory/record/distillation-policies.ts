// How procedural memories are distilled: one policy for all agents, and those of agents that have their own.
import { defaultComplexFlowSteps, defaultProceduralPolicyMode, type ProceduralMemoryPolicy } from '@tandem/contract/memory'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export interface DistillationPolicies {
  /** The default first, then by agent. */
  list(): readonly ProceduralMemoryPolicy[]
  /** The policy in force, and whether the agent has none of its own. */
  of(agent_id: string | null): { readonly policy: ProceduralMemoryPolicy; readonly inherited: boolean }
  set(
    policy: Pick<ProceduralMemoryPolicy, 'agent_id' | 'mode'> & Partial<Pick<ProceduralMemoryPolicy, 'complex_flow_steps' | 'model'>>,
  ): ProceduralMemoryPolicy
}

/** How the default is stored. */
const everyone = ''

export function openDistillationPolicies({ sql, clock }: Pick<Store, 'sql' | 'clock'>): DistillationPolicies {
  const stored = (agent_id: string | null) =>
    sql.get<ProceduralMemoryPolicy>`SELECT * FROM procedural_memory_policies WHERE agent_id = ${agent_id ?? everyone}`
  const toPolicy = (row: ProceduralMemoryPolicy) => ({ ...row, agent_id: row.agent_id === everyone ? null : row.agent_id })
  const initial: ProceduralMemoryPolicy = {
    agent_id: null,
    mode: defaultProceduralPolicyMode,
    complex_flow_steps: defaultComplexFlowSteps,
    model: null,
    updated_at: timestamp(0),
    version: 1,
  }
  const fallback = () => {
    const row = stored(null)
    return row ? toPolicy(row) : initial
  }
  return {
    list: () => [
      fallback(),
      ...sql.all<ProceduralMemoryPolicy>`SELECT * FROM procedural_memory_policies WHERE agent_id <> ${everyone} ORDER BY agent_id`,
    ],
    of(agent_id) {
      const own = agent_id === null ? undefined : stored(agent_id)
      return own ? { policy: toPolicy(own), inherited: false } : { policy: fallback(), inherited: agent_id !== null }
    },
    set({ agent_id, mode, complex_flow_steps, model }) {
      const before = stored(agent_id)
      const base = before ?? fallback()
      const policy: ProceduralMemoryPolicy = {
        agent_id,
        mode,
        complex_flow_steps: complex_flow_steps ?? base.complex_flow_steps,
        model: model === undefined ? base.model : model,
        updated_at: timestamp(clock.now()),
        version: (before?.version ?? 0) + 1,
      }
      sql.run`
        INSERT OR REPLACE INTO procedural_memory_policies (agent_id, mode, complex_flow_steps, model, updated_at, version)
        VALUES (${agent_id ?? everyone}, ${mode}, ${policy.complex_flow_steps}, ${policy.model}, ${policy.updated_at}, ${policy.version})`
      return policy
    },
  }
}
