import type { Point } from './layered-layout.ts'
import type { NodeBox } from './workflow-layout.ts'

export interface GraphSize {
  readonly width: number
  readonly height: number
}

/** As the graph is moved: `x` and `y` in pixels of the window. */
export interface GraphView extends Point {
  readonly zoom: number
}

const margin = 20
/** Smaller texts cannot be read. */
const leastZoom = 0.75

export function sizeOfBoxes(boxes: readonly NodeBox[]): GraphSize {
  const width = Math.max(0, ...boxes.map((box) => box.x + box.width))
  return { width: width + 2 * margin, height: Math.max(0, ...boxes.map((box) => box.y + box.height)) + 2 * margin }
}

/** Everything, if it can be read then; otherwise the start of the workflow, or the node that matters now. */
export function startView(boxes: readonly NodeBox[], size: GraphSize, active: NodeBox | null): GraphView {
  const all = sizeOfBoxes(boxes)
  const zoom = Math.min(1, Math.max(leastZoom, Math.min(size.width / all.width, size.height / all.height)))
  const place = (whole: number, shown: number, center: number) => {
    if (whole * zoom <= shown) return (shown - whole * zoom) / 2 + margin * zoom
    const least = shown - (whole - margin) * zoom
    return Math.max(least, Math.min(margin * zoom, shown / 2 - center * zoom))
  }
  const first = active ?? boxes[0]
  const centerX = first ? first.x + first.width / 2 : 0
  const centerY = active ? active.y : 0
  return { zoom, x: place(all.width, size.width, centerX), y: place(all.height, size.height, centerY) }
}

export function isInView({ x, y, width, height }: NodeBox, view: GraphView, size: GraphSize): boolean {
  const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y]
  return left >= 0 && top >= 0 && left + width * view.zoom <= size.width && top + Math.min(height, 80) * view.zoom <= size.height
}
