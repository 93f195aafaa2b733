import type { KnowledgeOwner } from '@tandem/contract/knowledge'
import { useWindowState } from '../client/use-client.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'

export function useAgentName(agent_id: string): string {
  return useWindowState((state) => visibleName(state.agents?.get(agent_id)?.agent.name ?? agent_id))
}

/** Whose agents can find it. */
export function useOwnerName(owner: KnowledgeOwner): string {
  const agent = useAgentName(owner.kind === 'agent' ? owner.agent_id : '')
  const isDeleted = useWindowState((state) => owner.kind === 'agent' && state.agents !== null && !state.agents.has(owner.agent_id))
  switch (owner.kind) {
    case 'everyone':
      return knowledgeWords.owners.everyone
    case 'agent':
      return isDeleted ? knowledgeWords.owners.deletedAgent : knowledgeWords.owners.agent(agent)
    case 'workspace':
      return knowledgeWords.owners.workspace(visibleName(owner.path))
  }
}
