// Draws the graph of a workflow. In a file of its own, so that the library is loaded only with a graph.
import '@xyflow/react/dist/base.css'
import { type Edge, MarkerType, type Node, Position, ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { type CSSProperties, type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { EmptyState } from '../../part/page-layout.tsx'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { GraphCamera } from './graph-camera.tsx'
import { GraphContext } from './graph-context.ts'
import { GraphEdge } from './graph-edge.tsx'
import { GraphNode } from './graph-node.tsx'
import { isDirection, nearestNode } from './nearest-node.ts'
import { type NodeStatus, nodeStatuses } from './node-status.ts'
import { sizeOfBoxes } from './start-view.ts'
import type { WorkflowGraphProps } from './workflow-graph-view.tsx'
import { type NodeBox, type WorkflowLayout, workflowLayout } from './workflow-layout.ts'

const nodeHeights = { draft: 54, run: 72 }
const nodeTypes = { node: GraphNode }
const edgeTypes = { edge: GraphEdge }
/** Edges are above the boxes of loops, and below the nodes. */
const layers = { edges: 10, nodes: 20 }

export function GraphCanvas({ definition, nodes, selected = null, onSelect }: WorkflowGraphProps) {
  const titleHeight = nodes === undefined ? nodeHeights.draft : nodeHeights.run
  const layout = useLayout(definition, titleHeight)
  const drawn = useMemo(() => ({ nodes: drawnNodes(layout, titleHeight), edges: drawnEdges(layout) }), [layout, titleHeight])
  const statuses = useMemo(() => (nodes === undefined ? null : nodeStatuses(definition, nodes)), [definition, nodes])
  const [focused, setFocused] = useState<{ readonly node_id: string } | null>(null)
  const [isMoved, setMoved] = useState(false)
  const context = useMemo(() => ({ statuses, selected, focused, onSelect }), [statuses, selected, focused, onSelect])
  const boxOf = (id: string | null) => layout.boxes.find(({ node }) => node.id === id) ?? null
  const current = boxOf(focused?.node_id ?? selected)
  const onMove = useCallback((event: unknown) => event !== null && setMoved(true), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!isDirection(event.key)) return
    event.preventDefault()
    const target = event.target instanceof Element ? event.target.closest('[data-node]') : null
    const from = boxOf(target?.getAttribute('data-node') ?? null)
    const next = from === null ? (current ?? layout.boxes[0]) : nearestNode(layout.boxes, from, event.key)
    if (next) setFocused({ node_id: next.node.id })
  }
  if (layout.boxes.length === 0) return <EmptyState>{workflowGraphWords.empty}</EmptyState>
  return (
    <GraphContext value={context}>
      <ReactFlowProvider>
        <div className="min-w-0">
          <div
            className="h-[min(var(--graph-height),55vh)] min-h-56 sm:h-[min(var(--graph-height),70vh,40rem)]"
            style={{ '--graph-height': `${sizeOfBoxes(layout.boxes).height}px` } as CSSProperties}
          >
            <ReactFlow
              aria-label={onSelect ? workflowGraphWords.pictureWithDetails : workflowGraphWords.picture}
              tabIndex={0}
              nodes={drawn.nodes}
              edges={drawn.edges}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              onKeyDown={onKeyDown}
              onMove={onMove}
              onlyRenderVisibleElements
              disableKeyboardA11y
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              zoomOnScroll={false}
              zoomOnDoubleClick={false}
              preventScrolling={false}
              deleteKeyCode={null}
              selectionKeyCode={null}
              multiSelectionKeyCode={null}
              panActivationKeyCode={null}
              minZoom={0.05}
              maxZoom={1.5}
              defaultMarkerColor={null}
              proOptions={{ hideAttribution: true }}
              className="rounded-xl border border-line bg-canvas [--xy-edge-stroke-width:1.25] [--xy-edge-stroke:var(--ink-faint)]"
            />
          </div>
          <GraphCamera
            boxes={layout.boxes}
            active={boxOf(activeNode(statuses))}
            focused={focused === null ? null : current}
            isMoved={isMoved}
            onMoved={() => setMoved(true)}
          />
        </div>
      </ReactFlowProvider>
    </GraphContext>
  )
}

/** A snapshot has a new object each time it is read, of the same definition. */
function useLayout(definition: WorkflowGraphProps['definition'], titleHeight: number): WorkflowLayout {
  const [last, setLast] = useState(() => ({ definition, text: JSON.stringify(definition) }))
  if (last.definition !== definition) {
    const text = JSON.stringify(definition)
    setLast(text === last.text ? { definition, text: last.text } : { definition, text })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal definitions have the same layout.
  return useMemo(() => workflowLayout(definition, titleHeight), [last.text, titleHeight])
}

function activeNode(statuses: ReadonlyMap<string, NodeStatus> | null): string | null {
  const order = ['waiting', 'running', 'failed'] as const
  const found = order.flatMap((state) => [...(statuses ?? [])].filter(([, status]) => status.state === state && status.rounds === null))
  return found[0]?.[0] ?? null
}

function drawnNodes({ boxes }: WorkflowLayout, titleHeight: number): Node[] {
  return boxes.map(({ node, x, y, width, height, depth }) => ({
    id: node.id,
    type: 'node',
    position: { x, y },
    ...{ width, height },
    // Nodes that are not in view have no size in the page.
    measured: { width, height },
    handles: handlesOf({ width, height }),
    data: { node, titleHeight },
    zIndex: height > titleHeight ? depth : layers.nodes,
    domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined },
  }))
}

function handlesOf({ width, height }: Pick<NodeBox, 'width' | 'height'>): NonNullable<Node['handles']> {
  return [
    { type: 'target', position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
    { type: 'source', position: Position.Bottom, x: width / 2, y: height, width: 1, height: 1 },
  ]
}

function drawnEdges({ edges }: WorkflowLayout): Edge[] {
  return edges.map((edge) => ({
    id: `${edge.from} ${edge.to}`,
    type: 'edge',
    source: edge.from,
    target: edge.to,
    data: { edge },
    ariaLabel: workflowGraphWords.edgeOf(edge.from, edge.to),
    domAttributes: { 'aria-roledescription': workflowGraphWords.edge },
    zIndex: layers.edges,
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
  }))
}
