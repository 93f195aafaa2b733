// The edges of a workflow that does not list them: the nodes of each level follow one another in the order in which they are written.
import type { GraphNode } from './check/graph.ts'
import { nodeOutcomes, type WorkflowOutcome } from './definition.ts'
import type { WorkflowEdge } from './schema.ts'

export type WrittenOrder =
  | { readonly ok: true; readonly edges: readonly WorkflowEdge[] }
  /** `at` is the index of a node after which there is more than one way. */
  | { readonly ok: false; readonly problems: readonly { readonly at: number; readonly message: string }[] }

export function writtenOrder(nodes: readonly GraphNode[]): WrittenOrder {
  const edges: WorkflowEdge[] = []
  const problems: { at: number; message: string }[] = []
  const last = new Map<string | undefined, number>()
  nodes.forEach((node, at) => {
    const before = last.get(node.within)
    last.set(node.within, at)
    const previous = before === undefined ? undefined : nodes[before]
    if (before === undefined || !previous) return
    const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[previous.kind]
    if (outcomes.includes('succeeded')) edges.push({ from: previous.id, to: node.id })
    else problems.push({ at: before, message: `can end with ${outcomes.join(' or ')}; list what follows in \`edges\`` })
  })
  return problems.length === 0 ? { ok: true, edges } : { ok: false, problems }
}
