// Shows the right part of the graph, and lets the user zoom.
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect } from 'react'
import { Button } from '../../part/form/button.tsx'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { isInView, startView } from './start-view.ts'
import type { NodeBox } from './workflow-layout.ts'

const told = workflowGraphWords

interface Props {
  readonly boxes: readonly NodeBox[]
  /** What the run is doing. */
  readonly active: NodeBox | null
  readonly focused: NodeBox | null
  /** Whether the user has chosen what to see. */
  readonly isMoved: boolean
  onMoved(): void
}

export function GraphCamera({ boxes, active, focused, isMoved, onMoved }: Props) {
  const flow = useReactFlow()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  useEffect(() => {
    if (!isMoved && width > 0 && height > 0) void flow.setViewport(startView(boxes, { width, height }, active))
  }, [flow, boxes, active, isMoved, width, height])
  useEffect(() => {
    if (focused === null || isInView(focused, flow.getViewport(), { width, height })) return
    void flow.setCenter(focused.x + focused.width / 2, focused.y + Math.min(focused.height, height / flow.getZoom()) / 2, {
      zoom: flow.getZoom(),
    })
  }, [flow, focused, width, height])
  const move = (how: () => void) => {
    onMoved()
    how()
  }
  const fit = () => void flow.fitView({ minZoom: 0.05, maxZoom: 1, padding: 0.05 })
  return (
    <div className="mt-2 flex justify-end gap-1.5">
      <Button aria-label={told.zoomOut} title={told.zoomOut} onClick={() => move(flow.zoomOut)}>
        −
      </Button>
      <Button aria-label={told.zoomIn} title={told.zoomIn} onClick={() => move(flow.zoomIn)}>
        +
      </Button>
      <Button onClick={() => move(fit)}>{told.fit}</Button>
    </div>
  )
}
