import type { Point } from './layered-layout.ts'

/** The path through the points of an edge, vertical at each of them. */
export function edgePath(points: readonly Point[]): string {
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1]
      if (!before) return `M${x} ${y}`
      if (before.x === x) return `L${x} ${y}`
      const middle = (before.y + y) / 2
      return `C${before.x} ${middle} ${x} ${middle} ${x} ${y}`
    })
    .join('')
}

/** Where the label of an edge is: in the middle of its first part. */
export function labelPoint([start, next]: readonly Point[]): Point {
  if (!start || !next) return start ?? { x: 0, y: 0 }
  return { x: (start.x + next.x) / 2, y: (start.y + next.y) / 2 }
}
