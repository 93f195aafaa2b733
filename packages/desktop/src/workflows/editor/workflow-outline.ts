// The parts of a half-written workflow that other parts can name.
import {
  edgeOfText,
  type GraphNode,
  nodeOutcomes,
  type WorkflowEdge,
  WorkflowGraph,
  type WorkflowNodeKind,
  type WorkflowOutcome,
  writtenOrder,
} from '@tandem/contract/workflow'
import { readOutline, type TextEntry, type TextPath } from './text-outline.ts'

export class WorkflowOutline {
  readonly #values = new Map<string, string>()
  readonly #fields = new Map<string, string[]>()
  readonly #lengths = new Map<string, number>()

  constructor(text: string) {
    for (const entry of readOutline(text).entries) this.#add(entry)
  }

  /** The names of the fields that an object has. */
  fieldsAt(path: TextPath): readonly string[] {
    return this.#fields.get(keyOf(path)) ?? []
  }

  /** Empty if there is none yet. */
  valueAt(path: TextPath): string {
    return this.#values.get(keyOf(path)) ?? ''
  }

  inputNames(): readonly string[] {
    return this.#items(['inputs'])
      .map((path) => this.valueAt([...path, 'name']))
      .filter((name) => name !== '')
  }

  /** Without nodes that have no id or no valid kind yet. */
  nodes(): readonly GraphNode[] {
    return this.#items(['nodes']).flatMap((path) => {
      const [id, kind, within] = ['id', 'kind', 'within'].map((name) => this.valueAt([...path, name]))
      if (!id || !isKind(kind)) return []
      return [{ id, kind, ...(within ? { within } : {}) }]
    })
  }

  graph(): WorkflowGraph<GraphNode> {
    const nodes = this.nodes()
    return new WorkflowGraph({ nodes, edges: this.#edges(nodes) })
  }

  /** How a node can end; every outcome if it is not known. */
  outcomesOf(node_id: string): readonly WorkflowOutcome[] {
    const kind = this.nodes().find(({ id }) => id === node_id)?.kind
    return kind === undefined ? [...new Set(Object.values(nodeOutcomes).flat())] : nodeOutcomes[kind]
  }

  #edges(nodes: readonly GraphNode[]): readonly WorkflowEdge[] {
    if (!this.fieldsAt([]).includes('edges')) {
      const order = writtenOrder(nodes)
      return order.ok ? order.edges : []
    }
    return this.#items(['edges']).flatMap((path) => {
      const edge = edgeOfText(this.valueAt(path)) ?? { from: this.valueAt([...path, 'from']), to: this.valueAt([...path, 'to']) }
      return edge.from === '' || edge.to === '' ? [] : [{ from: edge.from, to: edge.to }]
    })
  }

  #items(path: TextPath): readonly TextPath[] {
    return Array.from({ length: this.#lengths.get(keyOf(path)) ?? 0 }, (_, index) => [...path, index])
  }

  #add({ path, value }: TextEntry): void {
    const key = keyOf(path)
    if (value !== '' && !this.#values.has(key)) this.#values.set(key, value)
    const last = path.at(-1)
    const outer = keyOf(path.slice(0, -1))
    if (typeof last === 'number') this.#lengths.set(outer, Math.max(last + 1, this.#lengths.get(outer) ?? 0))
    else if (last !== undefined) this.#fields.set(outer, [...new Set([...(this.#fields.get(outer) ?? []), last])])
  }
}

function keyOf(path: TextPath): string {
  return JSON.stringify(path)
}

function isKind(kind: string | undefined): kind is WorkflowNodeKind {
  return kind !== undefined && Object.hasOwn(nodeOutcomes, kind)
}
