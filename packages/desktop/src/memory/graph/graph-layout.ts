// Places the nodes of a graph: nodes repel each other, edges pull. Computed in steps, so that the window stays responsive. Pure: the same graph
// gets the same picture.

export interface GraphLayout {
  readonly x: Float64Array
  readonly y: Float64Array
  /** One step; false when it has settled. */
  step(): boolean
}

export type NodePair = readonly [from: number, to: number]

/** The distance at which two connected nodes rest. */
const rest = 34
/** Nodes farther apart than this do not affect each other, so that a step does not compare every node with every other. */
const reach = 90
const repulsion = 900
const spring = 0.09
const gravity = 0.012
const mostSteps = 260
const mostSpeed = 24

export function openLayout(count: number, pairs: readonly NodePair[]): GraphLayout {
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  const [forceX, forceY] = [new Float64Array(count), new Float64Array(count)]
  const degree = new Float64Array(count)
  for (const [from, to] of pairs) {
    degree[from] = (degree[from] ?? 0) + 1
    degree[to] = (degree[to] ?? 0) + 1
  }
  // A sunflower in the order of a walk through the graph: neighbors start near each other.
  for (const [place, node] of walk(count, pairs).entries()) {
    const radius = rest * 0.62 * Math.sqrt(place)
    const angle = place * 2.399963
    x[node] = radius * Math.cos(angle)
    y[node] = radius * Math.sin(angle)
  }
  let steps = 0

  function repel(): void {
    const cells = new Map<number, number[]>()
    for (let node = 0; node < count; node += 1) {
      const key = cellOf(x[node] ?? 0, y[node] ?? 0)
      const cell = cells.get(key)
      if (cell) cell.push(node)
      else cells.set(key, [node])
    }
    for (const [key, cell] of cells) {
      for (const offset of halfAround) {
        const other = offset === 0 ? cell : cells.get(key + offset)
        if (other) for (const [at, node] of cell.entries()) push(node, other, offset === 0 ? at + 1 : 0)
      }
    }
  }

  /** `node` and the nodes of `others` from `begin` on repel each other. */
  function push(node: number, others: readonly number[], begin: number): void {
    for (let at = begin; at < others.length; at += 1) {
      const other = others[at] ?? 0
      let [dx, dy] = [(x[node] ?? 0) - (x[other] ?? 0), (y[node] ?? 0) - (y[other] ?? 0)]
      let squared = dx * dx + dy * dy
      if (squared > reach * reach) continue
      if (squared < 1) {
        // On the same place: apart in a direction that differs per pair.
        dx = Math.cos(node + other * 0.7)
        dy = Math.sin(node + other * 0.7)
        squared = 1
      }
      const strength = repulsion / squared / Math.sqrt(squared)
      forceX[node] = (forceX[node] ?? 0) + dx * strength
      forceY[node] = (forceY[node] ?? 0) + dy * strength
      forceX[other] = (forceX[other] ?? 0) - dx * strength
      forceY[other] = (forceY[other] ?? 0) - dy * strength
    }
  }

  function pull(): void {
    for (const [from, to] of pairs) {
      const [dx, dy] = [(x[to] ?? 0) - (x[from] ?? 0), (y[to] ?? 0) - (y[from] ?? 0)]
      const distance = Math.max(1, Math.hypot(dx, dy))
      // A node with many edges is not torn apart by them.
      const strength = (spring * (distance - rest)) / distance / Math.sqrt(Math.min(degree[from] ?? 1, degree[to] ?? 1))
      forceX[from] = (forceX[from] ?? 0) + dx * strength
      forceY[from] = (forceY[from] ?? 0) + dy * strength
      forceX[to] = (forceX[to] ?? 0) - dx * strength
      forceY[to] = (forceY[to] ?? 0) - dy * strength
    }
  }

  return {
    x,
    y,
    step() {
      if (steps >= mostSteps || count < 2) return false
      const heat = 1 - steps / mostSteps
      steps += 1
      forceX.fill(0)
      forceY.fill(0)
      repel()
      pull()
      for (let node = 0; node < count; node += 1) {
        const [fx, fy] = [(forceX[node] ?? 0) - (x[node] ?? 0) * gravity, (forceY[node] ?? 0) - (y[node] ?? 0) * gravity]
        const speed = Math.hypot(fx, fy)
        const limit = speed > mostSpeed * heat ? (mostSpeed * heat) / speed : 1
        x[node] = (x[node] ?? 0) + fx * limit
        y[node] = (y[node] ?? 0) + fy * limit
      }
      return steps < mostSteps
    },
  }
}

/** Cells are as large as the reach, so that only neighboring cells matter. The key is unique within ±100,000 cells. */
const wide = 200_003
const halfAround = [0, 1, wide - 1, wide, wide + 1]

function cellOf(x: number, y: number): number {
  return Math.floor(x / reach) + Math.floor(y / reach) * wide
}

/** All nodes, each component from its most connected node on, breadth first. */
function walk(count: number, pairs: readonly NodePair[]): readonly number[] {
  const neighbors = Array.from({ length: count }, (): number[] => [])
  for (const [from, to] of pairs) {
    neighbors[from]?.push(to)
    neighbors[to]?.push(from)
  }
  const begin = [...neighbors.keys()].sort(
    (left, right) => (neighbors[right]?.length ?? 0) - (neighbors[left]?.length ?? 0) || left - right,
  )
  const seen = new Set<number>()
  const order: number[] = []
  for (const first of begin) {
    if (seen.has(first)) continue
    seen.add(first)
    const queue = [first]
    for (let at = 0; at < queue.length; at += 1) {
      const node = queue[at] ?? 0
      order.push(node)
      for (const next of neighbors[node] ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        queue.push(next)
      }
    }
  }
  return order
}
