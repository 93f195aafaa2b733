// The shapes of the graph, one for each kind of entity: colors are not needed to tell them apart.
import type { RelationshipEntityKind } from '@tandem/contract/memory'

type Point = readonly [x: number, y: number]

/** The corners on a circle around (0, 0) with the radius 1. None: the circle itself. */
export const entityShapes: Readonly<Record<RelationshipEntityKind, readonly Point[]>> = {
  stakeholder: [],
  workflow: corners(4, 1 / 8),
  preference: corners(3, 0),
  channel: corners(4, 0),
  resource: corners(6, 0),
  constraint: corners(3, 1 / 2),
}

/** For an element of the legend. */
export function shapeInLegend(kind: RelationshipEntityKind): string {
  const points = entityShapes[kind].map(([x, y]) => `${50 + 50 * x}% ${50 + 50 * y}%`)
  return points.length === 0 ? 'none' : `polygon(${points.join(', ')})`
}

/** `turn`: by which part of a full turn the first corner is right of the top. */
function corners(count: number, turn: number): readonly Point[] {
  return Array.from({ length: count }, (_, at) => {
    const angle = 2 * Math.PI * (at / count + turn)
    return [Math.sin(angle), -Math.cos(angle)]
  })
}
