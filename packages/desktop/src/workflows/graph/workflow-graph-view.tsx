// The graph of a workflow: a draft, or a run with the state of each node.
import type { WorkflowRunNode } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { lazy, Suspense } from 'react'
import { LoadingPlaceholder } from '../../part/load-error.tsx'

export interface WorkflowGraphProps {
  readonly definition: WorkflowDefinition
  /** The nodes of a run; absent for a draft. */
  readonly nodes?: readonly WorkflowRunNode[]
  readonly selected?: string | null
  onSelect?(node_id: string): void
}

const GraphCanvas = lazy(async () => ({ default: (await import('./graph-canvas.tsx')).GraphCanvas }))

export function WorkflowGraphView(props: WorkflowGraphProps) {
  return (
    <Suspense fallback={<LoadingPlaceholder />}>
      <GraphCanvas {...props} />
    </Suspense>
  )
}
