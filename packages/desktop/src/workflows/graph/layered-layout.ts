// Places nodes in rows from top to bottom, so that edges lead downward and few of them cross. The libraries for this need many seconds for
// the largest definitions, and the window would not respond meanwhile.
import { type GraphEdge, ranksOf } from './ranks.ts'
import { type SpreadItem, spread } from './spread.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface LayoutNode {
  readonly id: string
  readonly width: number
  readonly height: number
}

export interface LayoutEdge extends GraphEdge {
  /** Rows with such an edge below them have room for its label. */
  readonly hasLabel: boolean
}

export interface LayeredLayout {
  readonly width: number
  readonly height: number
  /** The upper left corner of each node. */
  readonly corners: ReadonlyMap<string, Point>
  /** One per edge, from its start to its end. Between two points of the same x it is straight. */
  readonly paths: readonly (readonly Point[])[]
}

const gaps = { beside: 28, below: 36, label: 60 }
const [laneWidth, laneWeight] = [12, 8]
/** An edge that passes very many rows is drawn straight: it would need too much time. */
const mostLanes = 5_000
const [sweeps, alignments] = [6, 8]

/** A place in a row: a node, or where an edge passes the row. */
interface Slot {
  readonly node: LayoutNode | null
  readonly width: number
  readonly rank: number
  readonly above: Slot[]
  readonly below: Slot[]
  x: number
}

export function layeredLayout(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): LayeredLayout {
  const ids = nodes.map(({ id }) => id)
  const ranks = ranksOf(ids, edges)
  const slots = new Map(nodes.map((node) => [node.id, slotOf(ranks.get(node.id) ?? 0, node)]))
  const rows: Slot[][] = []
  const add = (slot: Slot) => {
    for (let row = rows.length; row <= slot.rank; row += 1) rows.push([])
    rows[slot.rank]?.push(slot)
    return slot
  }
  for (const slot of slots.values()) add(slot)
  let lanes = 0
  const routes = edges.map(({ from, to }) => {
    const [start, end] = [slots.get(from), slots.get(to)]
    if (!start || !end || start === end) return []
    const passed = end.rank - start.rank - 1
    const route = [start]
    if (passed > 0 && lanes + passed <= mostLanes) {
      lanes += passed
      for (let rank = start.rank + 1; rank < end.rank; rank += 1) route.push(add(slotOf(rank, null)))
    }
    route.push(end)
    for (const [at, slot] of route.entries()) {
      const next = route[at + 1]
      if (next === undefined || next.rank <= slot.rank) continue
      slot.below.push(next)
      next.above.push(slot)
    }
    return route
  })

  order(rows)
  align(rows)
  const tops = topsOf(rows, edges, ranks)
  const left = Math.min(...rows.flat().map(({ x, width }) => x - width / 2))
  const right = Math.max(...rows.flat().map(({ x, width }) => x + width / 2))
  const heightOf = (rank: number) => Math.max(0, ...(rows[rank] ?? []).map(({ node }) => node?.height ?? 0))
  const top = (rank: number) => tops[rank] ?? 0
  const corners = new Map(
    [...slots].map(([id, { x, width, rank }]) => [id, { x: Math.round(x - width / 2 - left), y: Math.round(top(rank)) }]),
  )
  const paths = routes.map((route) =>
    route.flatMap(({ node, x, rank }, at) => {
      const middle = Math.round(x - left)
      if (node === null) return [top(rank), top(rank) + heightOf(rank)].map((y) => ({ x: middle, y }))
      return [{ x: middle, y: at === 0 ? top(rank) + node.height : top(rank) }]
    }),
  )
  const height = Math.max(0, ...rows.map((_, rank) => top(rank) + heightOf(rank)))
  return { width: rows.length === 0 ? 0 : Math.round(right - left), height, corners, paths }
}

function slotOf(rank: number, node: LayoutNode | null): Slot {
  return { node, width: node?.width ?? laneWidth, rank, above: [], below: [], x: 0 }
}

/** Orders each row by the mean place of its neighbors in the row above, then below, and so on. */
function order(rows: Slot[][]): void {
  const places = new Map(rows.flatMap((row) => row.map((slot, place) => [slot, place / row.length] as const)))
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0
    for (const row of isDown ? rows : rows.toReversed()) {
      const means = new Map(row.map((slot) => [slot, mean(isDown ? slot.above : slot.below, places) ?? places.get(slot) ?? 0]))
      row.sort((one, other) => (means.get(one) ?? 0) - (means.get(other) ?? 0))
      for (const [place, slot] of row.entries()) places.set(slot, place / row.length)
    }
  }
}

function mean(slots: readonly Slot[], places: ReadonlyMap<Slot, number>): number | null {
  return slots.length === 0 ? null : slots.reduce((sum, slot) => sum + (places.get(slot) ?? 0), 0) / slots.length
}

/** Moves the slots of each row toward their neighbors above, then below, and so on. */
function align(rows: readonly Slot[][]): void {
  for (const row of rows) move(row, ({ x }) => [x])
  for (let turn = 0; turn < alignments; turn += 1) {
    const isDown = turn % 2 === 0
    for (const row of isDown ? rows : rows.toReversed()) move(row, (slot) => (isDown ? slot.above : slot.below).map(({ x }) => x))
  }
}

function move(row: readonly Slot[], wishes: (slot: Slot) => readonly number[]): void {
  const items: SpreadItem[] = row.map((slot) => {
    const wished = wishes(slot)
    const wish = wished.length === 0 ? slot.x : wished.reduce((sum, x) => sum + x, 0) / wished.length
    return { width: slot.width, wish, weight: slot.node === null ? laneWeight : 1 }
  })
  for (const [at, x] of spread(items, gaps.beside).entries()) {
    const slot = row[at]
    if (slot) slot.x = x
  }
}

function topsOf(rows: readonly Slot[][], edges: readonly LayoutEdge[], ranks: ReadonlyMap<string, number>): readonly number[] {
  const labeled = new Set(edges.filter(({ hasLabel }) => hasLabel).map(({ from }) => ranks.get(from)))
  const tops: number[] = []
  let top = 0
  for (const [rank, row] of rows.entries()) {
    tops.push(top)
    top += Math.max(0, ...row.map(({ node }) => node?.height ?? 0)) + (labeled.has(rank) ? gaps.label : gaps.below)
  }
  return tops
}
