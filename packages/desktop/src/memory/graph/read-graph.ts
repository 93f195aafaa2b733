// Reads the whole relationship graph of an agent, page by page.
import type { CommandResult } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { MemoryRelationship, MemoryRelationshipEntity } from '@tandem/contract/memory'
import type { CallResult, Channel } from '../../connection/channel.ts'

export interface WholeGraph {
  readonly entities: readonly MemoryRelationshipEntity[]
  readonly edges: readonly MemoryRelationship[]
  /** There are more than are read. */
  readonly isCut: boolean
}

const mostEdges = 20_000

type GraphPage = CommandResult<'memory_get_relationship_graph'>

export async function readGraph(channel: Channel, agent_id: string): Promise<CallResult<WholeGraph>> {
  // The same entity is on every page that has one of its edges.
  const entities = new Map<string, MemoryRelationshipEntity>()
  const edges = new Map<string, MemoryRelationship>()
  let cursor: string | null = null
  do {
    const answer: CallResult<GraphPage> = await channel.call('memory_get_relationship_graph', {
      ...{ agent_id, limit: limits.list },
      ...(cursor === null ? {} : { cursor }),
    })
    if (!answer.ok) return answer
    for (const entity of answer.value.entities) entities.set(entity.id, entity)
    for (const edge of answer.value.edges) edges.set(edge.id, edge)
    cursor = answer.value.next_cursor
  } while (cursor !== null && edges.size < mostEdges)
  return { ok: true, value: { entities: [...entities.values()], edges: [...edges.values()], isCut: cursor !== null } }
}
