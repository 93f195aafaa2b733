import type { KeptAgent } from '@tandem/contract/command'
import type { AgentOutcome } from '../agent/agents.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import { agentNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Features } from './features.ts'

export function agentHandlers({ agents }: Pick<Features, 'agents'>): CommandTable {
  return {
    agent_create: (params) => shown(agents.create(params)),
    agent_update: ({ agent_id, version, ...said }) => shown(agents.update(agent_id, said, version)),
    agent_get({ agent_id }) {
      const value = agents.get(agent_id)
      return value ? { ok: true, value: { agent: value } } : agentNotFound(agent_id)
    },
    agent_list({ archived = false, ...paging }) {
      const all = agents.list().filter(({ agent }) => agent.archived === archived)
      return pageBy('agent_list', all, ({ agent_id }) => agent_id, paging)
    },
    agent_archive: ({ agent_id, archived }) => shown(agents.archive(agent_id, archived)),
  }
}

function shown(outcome: AgentOutcome): Outcome<{ agent: KeptAgent }> {
  return outcome.ok ? { ok: true, value: { agent: outcome.value } } : outcome
}
