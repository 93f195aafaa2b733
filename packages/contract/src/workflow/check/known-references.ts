// What the placeholders of a text may name, by the field of a node that the text is in.
import type { GraphNode, WorkflowGraph } from './graph.ts'

export interface KnownReferences {
  /** Nodes whose output is known there. */
  readonly ended: ReadonlySet<string>
  /** Loops whose round is known there. */
  readonly loops: ReadonlySet<string>
}

/** Fields that are read after the node has ended, or after a round of the nodes within it. All others are read before it starts. */
const readLater: Readonly<Record<string, 'with_itself' | 'with_its_body'>> = {
  compensation: 'with_itself',
  result: 'with_its_body',
  until: 'with_its_body',
}

/** In a field of a node; without a node, in the outputs of the workflow. */
export function knownReferences<Node extends GraphNode>(
  graph: WorkflowGraph<Node>,
  place?: { readonly node: string; readonly field: string },
): KnownReferences {
  if (!place) return { ended: new Set(graph.body(undefined)), loops: new Set() }
  const { node, field } = place
  const seen = Object.hasOwn(readLater, field) ? readLater[field] : 'before'
  const ended = [
    ...graph.endedBefore(node),
    ...(seen === 'with_itself' ? [node] : []),
    ...(seen === 'with_its_body' ? graph.body(node) : []),
  ]
  return { ended: new Set(ended), loops: new Set([...graph.loopsAround(node), ...(seen === 'with_its_body' ? [node] : [])]) }
}
