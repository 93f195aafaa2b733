// Where the nodes and edges of a definition are drawn. A loop is a box with its nodes below its title.
import { isLoop, type WorkflowDefinition, WorkflowGraph, type WorkflowNode, type WorkflowOutcome } from '@tandem/contract/workflow'
import { type LayeredLayout, layeredLayout, type Point } from './layered-layout.ts'

export interface NodeBox extends Point {
  readonly node: WorkflowNode
  readonly width: number
  readonly height: number
  /** How many loops are around it. */
  readonly depth: number
}

/** All edges from one node to another. */
export interface DrawnEdge {
  readonly from: string
  readonly to: string
  readonly outcomes: readonly WorkflowOutcome[]
  readonly points: readonly Point[]
}

export interface WorkflowLayout {
  readonly boxes: readonly NodeBox[]
  readonly edges: readonly DrawnEdge[]
}

const nodeWidth = 208
const loopPadding = 16

export function workflowLayout(definition: WorkflowDefinition, nodeHeight: number): WorkflowLayout {
  const graph = new WorkflowGraph(definition)
  const loopOf = (id: string) => graph.loopsAround(id)[0]
  const bodies = Map.groupBy(definition.nodes, ({ id }) => loopOf(id))
  const bundles = Map.groupBy(bundled(definition), ({ from }) => loopOf(from))
  const boxes: NodeBox[] = []
  const edges: DrawnEdge[] = []

  /** The layout of a loop, or of the workflow, and of all loops in it. */
  function bodyLayout(loop: string | undefined): Body {
    const nodes = (bodies.get(loop) ?? []).map((node) => {
      const body = isLoop(node) && bodies.has(node.id) ? bodyLayout(node.id) : null
      return { node, body, id: node.id, ...sizeOf(body, nodeHeight) }
    })
    const led = (bundles.get(loop) ?? []).filter(({ to }) => loopOf(to) === loop)
    const hasLabels = led.map((edge) => ({ ...edge, hasLabel: labeledOutcomes(edge.outcomes).length > 0 }))
    return { nodes, edges: led, ...layeredLayout(nodes, hasLabels) }
  }

  function place({ nodes, edges: led, corners, paths }: Body, at: Point, depth: number): void {
    for (const { node, body, width, height } of nodes) {
      const corner = moved(corners.get(node.id) ?? { x: 0, y: 0 }, at)
      boxes.push({ node, ...corner, width, height, depth })
      if (body) place(body, moved(corner, { x: (width - body.width) / 2, y: nodeHeight + loopPadding }), depth + 1)
    }
    for (const [place, edge] of led.entries()) edges.push({ ...edge, points: (paths[place] ?? []).map((point) => moved(point, at)) })
  }

  place(bodyLayout(undefined), { x: 0, y: 0 }, 0)
  return { boxes, edges }
}

/** The outcomes that a user must see: an edge follows success unless it names another outcome. */
export function labeledOutcomes(outcomes: readonly WorkflowOutcome[]): readonly WorkflowOutcome[] {
  return outcomes.length === 1 && outcomes[0] === 'succeeded' ? [] : outcomes
}

interface Body extends LayeredLayout {
  readonly nodes: readonly { readonly node: WorkflowNode; readonly body: Body | null; readonly width: number; readonly height: number }[]
  readonly edges: readonly Omit<DrawnEdge, 'points'>[]
}

function sizeOf(body: Body | null, nodeHeight: number): { readonly width: number; readonly height: number } {
  if (body === null) return { width: nodeWidth, height: nodeHeight }
  const width = Math.max(nodeWidth, body.width) + 2 * loopPadding
  return { width, height: nodeHeight + body.height + 2 * loopPadding }
}

/** Two edges between the same nodes would be drawn over each other. */
function bundled({ edges }: WorkflowDefinition): readonly Omit<DrawnEdge, 'points'>[] {
  const bundles = Map.groupBy(edges, ({ from, to }) => `${from} ${to}`)
  return [...bundles.values()].flatMap((bundle) => {
    const [first] = bundle
    return first ? [{ from: first.from, to: first.to, outcomes: [...new Set(bundle.map(({ when = 'succeeded' }) => when))] }] : []
  })
}

function moved(point: Point, by: Point): Point {
  return { x: point.x + by.x, y: point.y + by.y }
}
