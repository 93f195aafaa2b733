// What runs again when a workflow run that failed is retried.
import { type WorkflowDefinition, WorkflowGraph, type WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord, type WorkflowRunRecord } from '@tandem/contract/workflow-run'

/** What made it fail, what was taken back, and what was skipped because of them. Failures that the definition provides for stay. */
export function nodesToRetry({ nodes }: Pick<WorkflowRunRecord, 'nodes'>, definition: WorkflowDefinition): readonly WorkflowNodeRecord[] {
  const graph = new WorkflowGraph(definition)
  const outgoing = Map.groupBy(definition.edges, ({ from }) => from)
  const isHandled = (id: string) => mayFail(graph.node(id)) || (outgoing.get(id)?.some(({ when }) => when === 'failed') ?? false)
  const isOver = ({ node_id, iteration }: WorkflowNodeRecord) =>
    graph.loopsAround(node_id).some((loop, at, { length }) => {
      return nodes.get(nodeKey(loop, iteration.slice(0, length - at - 1)))?.state === 'completed'
    })
  const retried = new Set<WorkflowNodeRecord>()
  const open = [...nodes.values()].filter(
    (node) => node.state === 'compensated' || (node.state === 'failed' && !isHandled(node.node_id) && !isOver(node)),
  )
  for (let next = open.pop(); next; next = open.pop()) {
    if (retried.has(next)) continue
    retried.add(next)
    for (const { to } of outgoing.get(next.node_id) ?? []) {
      const after = nodes.get(nodeKey(to, next.iteration))
      // What a person skipped has an outcome.
      if (after?.state === 'skipped' && after.outcome === null) open.push(after)
    }
  }
  return [...retried]
}

function mayFail(node: WorkflowNode | undefined): boolean {
  return node !== undefined && 'on_failure' in node && node.on_failure === 'continue'
}
