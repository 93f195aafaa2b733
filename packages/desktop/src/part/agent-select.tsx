import type { KeptAgent } from '@tandem/contract/command'
import { useMemo, useState } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { memoryWords } from '../strings/memory.ts'
import { visibleName } from '../text/name.ts'

/** Agents that are not archived. */
export function useAgents(): readonly KeptAgent[] {
  const agents = useWindowState((state) => state.agents)
  return useMemo(() => [...(agents?.values() ?? [])].filter(({ agent }) => !agent.archived), [agents])
}

/** The agent that a page is about: the one the user chose, or else the first. */
export function useChosenAgent(): {
  readonly agents: readonly KeptAgent[]
  readonly agent_id: string | undefined
  choose(agent_id: string): void
} {
  const agents = useAgents()
  const [chosen, choose] = useState('')
  const agent_id = agents.some((one) => one.agent_id === chosen) ? chosen : agents[0]?.agent_id
  return { agents, agent_id, choose }
}

/** The name of an agent, or that a memory is shared by all. */
export function useOwner(agent_id: string | null): string {
  return useWindowState((state) => {
    if (agent_id === null) return memoryWords.sharedByAll
    return visibleName(state.agents?.get(agent_id)?.agent.name ?? agent_id)
  })
}

interface Props {
  readonly agents: readonly KeptAgent[]
  readonly value: string
  onChange(agent_id: string): void
  readonly label?: string
  /** The option that stands for no agent in particular. */
  readonly all?: string
}

export function AgentSelect({ agents, value, onChange, label = memoryWords.agent, all }: Props) {
  return (
    <label className="mb-2 flex min-w-0 items-center gap-2 text-faint text-sm">
      <span className="shrink-0">{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        title={value === '' ? all : undefined}
        className="field min-w-0 max-w-72 py-1 text-ink"
      >
        {all !== undefined && <option value="">{all}</option>}
        {agents.map(({ agent_id, agent }) => (
          <option key={agent_id} value={agent_id}>
            {visibleName(agent.name)}
          </option>
        ))}
      </select>
    </label>
  )
}
