// A definition as a graph: which nodes are in which loop, and what has ended before a node can start.
import { isLoop, type joins, type WorkflowNodeKind } from '../definition.ts'
import type { WorkflowEdge, WorkflowNode } from '../schema.ts'

/** Only what the graph depends on; the rest of the node may be missing or invalid. */
export interface GraphNode {
  readonly id: string
  readonly kind: WorkflowNodeKind
  readonly within?: string
  readonly join?: (typeof joins)[number]
}

export class WorkflowGraph<Node extends GraphNode = WorkflowNode> {
  readonly #nodes: ReadonlyMap<string, Node>
  readonly #before = new Map<string, string[]>()
  readonly #ended = new Map<string, ReadonlySet<string>>()

  constructor({ nodes, edges }: { readonly nodes: readonly Node[]; readonly edges: readonly WorkflowEdge[] }) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]))
    for (const { from, to } of edges) if (this.#nodes.has(from)) this.#before.set(to, [...(this.#before.get(to) ?? []), from])
  }

  node(id: string): Node | undefined {
    return this.#nodes.get(id)
  }

  /** The loops that a node is in, innermost first. Ends at what is no loop, or was named before. */
  loopsAround(id: string): readonly string[] {
    const loops: string[] = []
    for (let outer = this.#nodes.get(id)?.within; outer !== undefined; outer = this.#nodes.get(outer)?.within) {
      const loop = this.#nodes.get(outer)
      if (!loop || !isLoop(loop) || outer === id || loops.includes(outer)) break
      loops.push(outer)
    }
    return loops
  }

  /** The nodes directly within a loop; without one, those of the workflow itself. */
  body(loop: string | undefined): readonly string[] {
    return [...this.#nodes.values()].filter(({ within }) => within === loop).map(({ id }) => id)
  }

  /** All nodes that have certainly ended, or were skipped, when this one starts. */
  endedBefore(id: string): ReadonlySet<string> {
    return new Set([id, ...this.loopsAround(id)].flatMap((one) => [...this.#endedOf(one)]))
  }

  #endedOf(id: string): ReadonlySet<string> {
    const known = this.#ended.get(id)
    if (known) return known
    // For a cycle, which is reported elsewhere.
    this.#ended.set(id, new Set())
    const ways = (this.#before.get(id) ?? []).map((from) => new Set([from, ...this.#endedOf(from)]))
    const [first = new Set<string>(), ...others] = ways
    const ended = others.reduce((all, way) => (this.#nodes.get(id)?.join === 'any' ? all.intersection(way) : all.union(way)), first)
    this.#ended.set(id, ended)
    return ended
  }
}
