import type { NodeBox } from './workflow-layout.ts'

export const directions = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] } as const
export type Direction = keyof typeof directions

export function isDirection(key: string): key is Direction {
  return Object.hasOwn(directions, key)
}

/** How much farther a node seems that is not straight ahead. Downward and upward, the next row comes first. */
const sideways = { across: 3, along: 0.5 }

/** The node that an arrow key leads to; null at the edge of the graph. */
export function nearestNode(boxes: readonly NodeBox[], from: NodeBox, direction: Direction): NodeBox | null {
  const [right, down] = directions[direction]
  let [nearest, shortest]: [NodeBox | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const box of boxes) {
    const [x, y] = [box.x + box.width / 2 - from.x - from.width / 2, box.y - from.y]
    const ahead = x * right + y * down
    const distance = ahead + (right === 0 ? sideways.along : sideways.across) * Math.abs(x * down + y * right)
    if (ahead > 0 && distance < shortest) [nearest, shortest] = [box, distance]
  }
  return nearest
}
