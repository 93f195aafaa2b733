import { limits } from '../../limits/index.ts'
import { isLoop } from '../definition.ts'
import type { WorkflowDefinition, WorkflowNode } from '../schema.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'

export function checkLoops({ nodes }: WorkflowDefinition, graph: WorkflowGraph): WorkflowIssue[] {
  return nodes.flatMap((node, at) => [
    ...placeIssues(node, graph).map((message) => ({ pointer: `/nodes/${at}/within`, message })),
    ...(isLoop(node) && graph.body(node.id).length === 0
      ? [{ pointer: `/nodes/${at}`, message: `no node is within the loop ${node.id}; set \`within\` of the nodes that it repeats` }]
      : []),
  ])
}

function placeIssues({ id, within }: WorkflowNode, graph: WorkflowGraph): string[] {
  if (within === undefined) return []
  const loop = graph.node(within)
  if (!loop) return [`there is no node ${within}`]
  if (!isLoop(loop)) return [`${within} is of kind ${loop.kind}, and only for_each and repeat contain nodes`]
  const around = graph.loopsAround(id)
  const outermost = around.at(-1)
  if (within === id || (outermost !== undefined && graph.node(outermost)?.within !== undefined))
    return ['loops must not contain each other']
  return around.length > limits.workflow_depth ? [`there are more than ${limits.workflow_depth} loops within each other`] : []
}
