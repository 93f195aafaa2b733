import { BaseEdge, EdgeLabelRenderer } from '@xyflow/react'
import { useContext } from 'react'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { edgePath, labelPoint } from './edge-path.ts'
import { GraphContext } from './graph-context.ts'
import { type DrawnEdge, labeledOutcomes } from './workflow-layout.ts'

interface Props {
  readonly data?: { readonly edge: DrawnEdge }
  readonly markerEnd?: string
}

/** An edge, with the outcome that it follows. Dashed if a run has not followed it. */
export function GraphEdge({ data, markerEnd }: Props) {
  const { statuses } = useContext(GraphContext)
  if (!data) return null
  const { from, outcomes, points } = data.edge
  const isOpen = statuses !== null && !outcomes.some((outcome) => statuses.get(from)?.outcomes.has(outcome))
  const label = labeledOutcomes(outcomes).map((one) => workflowWords.run.outcomes[one])
  const { x, y } = labelPoint(points)
  return (
    <>
      <BaseEdge path={edgePath(points)} style={isOpen ? { strokeDasharray: '4 4' } : {}} {...(markerEnd ? { markerEnd } : {})} />
      {label.length > 0 && (
        <EdgeLabelRenderer>
          <span
            className="absolute rounded bg-canvas px-1 text-soft text-xs leading-4"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, zIndex: 100 }}
          >
            {label.join(workflowGraphWords.or)}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  )
}
