// The nodes of a workflow run in the order of the definition, with the rounds of loops in their loops.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import { isLoop, type WorkflowNode } from '@tandem/contract/workflow'

export interface GroupedNode {
  readonly node_id: string
  /** Null if the definition is not on this device. */
  readonly node: WorkflowNode | null
  readonly iteration: readonly number[]
  /** Null until something has happened. */
  readonly record: WorkflowRunNode | null
  /** The listed rounds of a loop. */
  readonly rounds: readonly NodeRound[]
}

export interface NodeRound {
  readonly iteration: readonly number[]
  readonly nodes: readonly GroupedNode[]
}

export function groupNodes({ definition, nodes }: Pick<WorkflowSnapshot, 'definition' | 'nodes'>): readonly GroupedNode[] {
  if (definition === null) {
    return nodes.map((record) => ({ node_id: record.node_id, node: null, iteration: record.iteration, record, rounds: [] }))
  }
  const records = new Map(nodes.map((record) => [keyOf(record.node_id, record.iteration), record]))
  const inside = Map.groupBy(definition.nodes, ({ within }) => within)
  const loopOf = new Map(definition.nodes.map(({ id, within }) => [id, within]))

  /** Which rounds of each loop were listed, by the loop and the rounds around it. */
  const rounds = new Map<string, Set<number>>()
  for (const { node_id, iteration } of nodes) {
    let loop = loopOf.get(node_id)
    for (let depth = iteration.length - 1; depth >= 0 && loop !== undefined; depth -= 1) {
      const key = keyOf(loop, iteration.slice(0, depth))
      rounds.set(key, (rounds.get(key) ?? new Set()).add(iteration[depth] ?? 0))
      loop = loopOf.get(loop)
    }
  }

  function groupsIn(loop: string | undefined, iteration: readonly number[]): readonly GroupedNode[] {
    return (inside.get(loop) ?? []).map((node) => ({
      node_id: node.id,
      node,
      iteration,
      record: records.get(keyOf(node.id, iteration)) ?? null,
      rounds: isLoop(node) ? roundsOf(node.id, iteration) : [],
    }))
  }

  function roundsOf(loop: string, around: readonly number[]): readonly NodeRound[] {
    const listed = [...(rounds.get(keyOf(loop, around)) ?? [])].sort((left, right) => left - right)
    return listed.map((round) => {
      const iteration = [...around, round]
      return { iteration, nodes: groupsIn(loop, iteration) }
    })
  }

  return groupsIn(undefined, [])
}

function keyOf(node_id: string, iteration: readonly number[]): string {
  return [node_id, ...iteration].join(' ')
}
