import { useMemo } from 'react'
import { useWindowState } from '../client/use-client.ts'

export interface AgentFolder {
  readonly path: string
  /** A conversation in this folder. */
  readonly conversation_id: string
}

/** The folders in which an agent has conversations, the last one first. */
export function useFolders(agent_id: string): readonly AgentFolder[] {
  const conversations = useWindowState((state) => state.conversations)
  return useMemo(() => {
    const own = [...(conversations?.values() ?? [])]
      .filter((one) => one.agent_id === agent_id && one.workspace !== '')
      .sort((left, right) => (left.updated_at < right.updated_at ? 1 : -1))
    return [...Map.groupBy(own, ({ workspace }) => workspace)].flatMap(([path, [first]]) =>
      first ? [{ path, conversation_id: first.conversation_id }] : [],
    )
  }, [conversations, agent_id])
}
