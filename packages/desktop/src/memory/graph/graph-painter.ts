// Paints the graph on a canvas. Nodes of the same size and kind are copies of one bitmap, which is faster than thousands of circles.
import type { RelationshipEntityKind } from '@tandem/contract/memory'
import type { Camera, PictureSize } from './graph-camera.ts'
import type { NodePair } from './graph-layout.ts'
import { entityShapes } from './graph-shapes.ts'

export interface PaintedNode {
  readonly id: string
  readonly name: string
  readonly kind: RelationshipEntityKind
  readonly radius: number
}

export interface PictureColors {
  readonly line: string
  readonly ink: string
  readonly halo: string
  readonly kinds: Readonly<Record<RelationshipEntityKind, string>>
}

export interface PaintedGraph {
  readonly nodes: readonly PaintedNode[]
  readonly pairs: readonly NodePair[]
  readonly x: Float64Array
  readonly y: Float64Array
}

const mostLabels = 60
const full = 2 * Math.PI

export function paint(
  pen: CanvasRenderingContext2D,
  graph: PaintedGraph,
  camera: Camera,
  size: PictureSize & { readonly ratio: number; readonly nameLength: number },
  colors: PictureColors,
  selected: string | null,
): void {
  const { width, height, ratio } = size
  const { nodes, pairs, x, y } = graph
  pen.setTransform(ratio, 0, 0, ratio, 0, 0)
  pen.clearRect(0, 0, width, height)
  const left = (node: number) => ((x[node] ?? 0) - camera.x) * camera.scale + width / 2
  const top = (node: number) => ((y[node] ?? 0) - camera.y) * camera.scale + height / 2
  const isSeen = (node: number, margin: number) => {
    const [at, down] = [left(node), top(node)]
    return at > -margin && at < width + margin && down > -margin && down < height + margin
  }

  pen.lineWidth = 1
  pen.strokeStyle = colors.line
  pen.beginPath()
  for (const [from, to] of pairs) {
    if (!isSeen(from, width) && !isSeen(to, width)) continue
    pen.moveTo(left(from), top(from))
    pen.lineTo(left(to), top(to))
  }
  pen.stroke()

  const grown = Math.max(0.45, Math.min(1.6, camera.scale))
  const stamps = new Map<string, HTMLCanvasElement>()
  const seen: number[] = []
  for (const [node, { kind, radius }] of nodes.entries()) {
    if (!isSeen(node, 20)) continue
    seen.push(node)
    const size = Math.max(1.5, Math.round(radius * grown * 2) / 2)
    const key = `${kind} ${size}`
    const stamp = stamps.get(key) ?? stampOf(kind, size, ratio, colors.kinds[kind] ?? colors.ink)
    stamps.set(key, stamp)
    const side = stamp.width / ratio
    pen.drawImage(stamp, left(node) - side / 2, top(node) - side / 2, side, side)
  }
  const chosen = nodes.findIndex(({ id }) => id === selected)
  if (chosen >= 0) {
    pen.strokeStyle = colors.ink
    pen.lineWidth = 2
    pen.beginPath()
    pen.arc(left(chosen), top(chosen), Math.max(1.5, (nodes[chosen]?.radius ?? 4) * grown) + 4, 0, full)
    pen.stroke()
  }
  label(
    pen,
    labeled(seen, nodes, camera, chosen),
    (node) => ({
      name: shortened(nodes[node]?.name ?? '', size.nameLength),
      x: left(node),
      y: top(node) + (nodes[node]?.radius ?? 4) * grown + 14,
    }),
    colors,
  )
}

/** A node of this kind and size, drawn once. */
function stampOf(kind: RelationshipEntityKind, size: number, ratio: number, color: string): HTMLCanvasElement {
  const stamp = document.createElement('canvas')
  stamp.width = Math.ceil((2 * size + 2) * ratio)
  stamp.height = stamp.width
  const pen = stamp.getContext('2d')
  if (!pen) return stamp
  pen.fillStyle = color
  pen.beginPath()
  const [middle, radius] = [stamp.width / 2, size * ratio]
  const shape = entityShapes[kind] ?? []
  if (shape.length === 0) pen.arc(middle, middle, radius, 0, full)
  for (const [x, y] of shape) pen.lineTo(middle + x * radius, middle + y * radius)
  pen.fill()
  return stamp
}

/** The largest nodes have names; more of them the closer the view is. */
function labeled(seen: readonly number[], nodes: readonly PaintedNode[], camera: Camera, chosen: number): readonly number[] {
  const room = seen.length <= 40 ? seen.length : Math.min(mostLabels, Math.round(10 + 30 * camera.scale))
  const largest = seen.toSorted((one, other) => (nodes[other]?.radius ?? 0) - (nodes[one]?.radius ?? 0) || one - other).slice(0, room)
  return chosen >= 0 && seen.includes(chosen) && !largest.includes(chosen) ? [...largest, chosen] : largest
}

function label(
  pen: CanvasRenderingContext2D,
  nodes: readonly number[],
  placeOf: (node: number) => { readonly name: string; readonly x: number; readonly y: number },
  { ink, halo }: PictureColors,
): void {
  pen.font = '12px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.lineWidth = 4
  pen.lineJoin = 'round'
  pen.strokeStyle = halo
  pen.fillStyle = ink
  for (const node of nodes) {
    const { name, x, y } = placeOf(node)
    pen.strokeText(name, x, y)
    pen.fillText(name, x, y)
  }
}

function shortened(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name
}

/** The node at a point of the graph, or the nearest within a few pixels. */
export function nodeAt({ nodes, x, y }: PaintedGraph, at: { readonly x: number; readonly y: number }, scale: number): string | null {
  const grown = Math.max(0.45, Math.min(1.6, scale))
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY]
  for (let node = 0; node < nodes.length; node += 1) {
    const distance = Math.hypot((x[node] ?? 0) - at.x, (y[node] ?? 0) - at.y) * scale - (nodes[node]?.radius ?? 4) * grown
    if (distance < 8 && distance < least) [nearest, least] = [node, distance]
  }
  return nodes[nearest]?.id ?? null
}
