// The relationship graph as a picture that can be moved, zoomed and clicked.
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { Button } from '../../part/form/button.tsx'
import { isShortcut } from '../../part/shortcuts.ts'
import { memoryWords } from '../../strings/memory.ts'
import { entityName } from './entity-name.ts'
import { type Camera, fitted, nameLength, type PictureSize, panned, pointAt, zoomedAt } from './graph-camera.ts'
import { entityColors, pictureColors } from './graph-colors.ts'
import { type NodePair, openLayout } from './graph-layout.ts'
import { nodeAt, type PaintedGraph, type PictureColors, paint } from './graph-painter.ts'
import type { WholeGraph } from './read-graph.ts'

const told = memoryWords.graph
/** How long the layout may compute before the first picture, and within a frame. */
const first_ms = 150
const [leastInFrame_ms, mostInFrame_ms] = [8, 100]
/** How much more than the picture is painted on each side, as a part of its size. */
const around = 0.4

interface Props {
  readonly graph: WholeGraph
  readonly selected: string | null
  onSelect(entity_id: string | null): void
}

export function GraphPicture({ graph, selected, onSelect }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const swatches = useRef<HTMLDivElement>(null)
  const scene = useMemo(() => sceneOf(graph), [graph])
  const view = useRef<View | null>(null)
  const picked = useRef(onSelect)
  picked.current = onSelect
  useEffect(() => {
    if (!canvas.current || !swatches.current) return
    const opened = openView(canvas.current, swatches.current, scene)
    view.current = opened
    return () => opened.close()
  }, [scene])
  useEffect(() => view.current?.select(selected), [selected])

  const drag = useRef<{ x: number; y: number; moved: number } | null>(null)
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, moved: 0 }
    view.current?.hold(true)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current
    if (!from) return
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
    drag.current = { x: event.clientX, y: event.clientY, moved: from.moved + Math.hypot(dx, dy) }
    view.current?.change((camera) => panned(camera, dx, dy))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const from = drag.current
    drag.current = null
    view.current?.hold(false)
    // A click, not the end of a drag.
    if (from && from.moved < 4) picked.current(view.current?.nodeAt(event.clientX, event.clientY) ?? null)
  }
  const zoom = (factor: number) => view.current?.zoom(factor)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const way = arrows[event.key]
    if (way) view.current?.change((camera) => panned(camera, way[0], way[1]))
    else if (isShortcut(event, 'zoomIn')) zoom(1.3)
    else if (isShortcut(event, 'zoomOut')) zoom(1 / 1.3)
    else if (isShortcut(event, 'fit')) view.current?.fit()
    else return
    event.preventDefault()
  }
  return (
    <div className="relative">
      <div ref={swatches} aria-hidden="true" className="hidden">
        {Object.entries(entityColors).map(([kind, color]) => (
          <span key={kind} data-color={kind} style={{ color }} />
        ))}
        <span data-color="line" style={{ color: 'var(--faint)' }} />
        <span data-color="ink" style={{ color: 'var(--ink)' }} />
        <span data-color="halo" style={{ color: 'var(--surface)' }} />
      </div>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={told.picture}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null
          view.current?.hold(false)
        }}
        className="block h-[min(60vh,34rem)] min-h-72 w-full cursor-grab touch-none rounded-xl border border-line bg-surface active:cursor-grabbing"
      />
      <div className="absolute top-2 right-2 flex gap-1.5">
        <Button aria-label={told.zoomOut} onClick={() => zoom(1 / 1.3)}>
          −
        </Button>
        <Button aria-label={told.zoomIn} onClick={() => zoom(1.3)}>
          +
        </Button>
        <Button onClick={() => view.current?.fit()}>{told.fit}</Button>
      </div>
    </div>
  )
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
}

type Scene = Omit<PaintedGraph, 'x' | 'y'>

function sceneOf({ entities, edges }: WholeGraph): Scene {
  const places = new Map(entities.map(({ id }, place) => [id, place]))
  const pairs: NodePair[] = []
  const degrees = new Map<number, number>()
  for (const { subject_entity_id, object_entity_id } of edges) {
    const [from, to] = [places.get(subject_entity_id), places.get(object_entity_id)]
    if (from === undefined || to === undefined) continue
    pairs.push([from, to])
    for (const end of [from, to]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  }
  const nodes = entities.map((entity, place) => ({
    ...{ id: entity.id, kind: entity.entity_kind, name: entityName(entity) },
    radius: Math.min(13, 4 + Math.sqrt(degrees.get(place) ?? 0) * 1.4),
  }))
  return { nodes, pairs }
}

interface View {
  change(next: (camera: Camera) => Camera): void
  zoom(factor: number): void
  fit(): void
  select(entity_id: string | null): void
  nodeAt(clientX: number, clientY: number): string | null
  /** While the user drags, the layout rests: each frame is for the movement. */
  hold(held: boolean): void
  close(): void
}

function openView(canvas: HTMLCanvasElement, swatches: HTMLElement, scene: Scene): View {
  const pen = canvas.getContext('2d')
  // More than is seen is painted beside the window, and moved as a bitmap: painting thousands of nodes in each frame would be too slow.
  const bitmap = document.createElement('canvas')
  const brush = bitmap.getContext('2d')
  let painted: Camera | null = null
  const layout = openLayout(scene.nodes.length, scene.pairs)
  const graph: PaintedGraph = { ...scene, x: layout.x, y: layout.y }
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  let colors: PictureColors = pictureColors(swatches)
  let camera: Camera = { x: 0, y: 0, scale: 1 }
  let [isFitted, isHeld, isMoving, asked] = [true, false, true, 0]
  let selected: string | null = null
  let lastFrame = 0
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight })

  function advance(budget_ms: number): void {
    const until = performance.now() + budget_ms
    while (isMoving && performance.now() < until) isMoving = layout.step()
  }

  /**
   * Where painting takes longer than computing, the layout gets half of the time. Otherwise a busy machine would paint hundreds of slow
   * frames before the picture settles.
   */
  function frameBudget(): number {
    const [before, now] = [lastFrame, performance.now()]
    lastFrame = now
    return Math.min(mostInFrame_ms, Math.max(leastInFrame_ms, (now - before) / 2))
  }

  function draw(): void {
    asked = 0
    if (isMoving && !isHeld) {
      advance(frameBudget())
      painted = null
    }
    if (isFitted) camera = fitted(layout.x, layout.y, size())
    const ratio = devicePixelRatio
    const { width, height } = size()
    const whole = { width: Math.ceil(width * (1 + 2 * around)), height: Math.ceil(height * (1 + 2 * around)), ratio }
    if (resize(bitmap, whole) || !painted || !isInside(painted, camera, { width, height })) painted = null
    resize(canvas, { width, height, ratio })
    if (!painted && brush) {
      paint(brush, graph, camera, { ...whole, nameLength: nameLength({ width }) }, colors, selected)
      painted = camera
    }
    if (pen && painted) {
      const left = (painted.x - camera.x) * camera.scale - (whole.width - width) / 2
      const top = (painted.y - camera.y) * camera.scale - (whole.height - height) / 2
      pen.clearRect(0, 0, canvas.width, canvas.height)
      pen.drawImage(bitmap, Math.round(left * ratio), Math.round(top * ratio))
    }
    canvas.dataset.painted = isMoving ? 'moving' : 'settled'
    if (isMoving && !isHeld) ask()
  }
  function ask(): void {
    if (asked === 0) asked = requestAnimationFrame(draw)
  }

  const recolor = () => {
    colors = pictureColors(swatches)
    painted = null
    ask()
  }
  const themes = matchMedia('(prefers-color-scheme: dark)')
  themes.addEventListener('change', recolor)
  const themed = new MutationObserver(recolor)
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const sized = new ResizeObserver(ask)
  sized.observe(canvas)
  const onWheel = (event: WheelEvent) => {
    // Without a key the wheel scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const box = canvas.getBoundingClientRect()
    const at = { x: event.clientX - box.left, y: event.clientY - box.top }
    change((before) => zoomedAt(before, size(), at, Math.exp(-event.deltaY / 300)))
  }
  canvas.addEventListener('wheel', onWheel, { passive: false })
  advance(isStill ? 1_000 : first_ms)
  lastFrame = performance.now()
  draw()

  function change(next: (camera: Camera) => Camera): void {
    isFitted = false
    camera = next(camera)
    ask()
  }

  return {
    change,
    zoom(factor) {
      const { width, height } = size()
      change((before) => zoomedAt(before, { width, height }, { x: width / 2, y: height / 2 }, factor))
    },
    fit() {
      isFitted = true
      ask()
    },
    select(entity_id) {
      selected = entity_id
      painted = null
      ask()
    },
    nodeAt(clientX, clientY) {
      const box = canvas.getBoundingClientRect()
      return nodeAt(graph, pointAt(camera, size(), { x: clientX - box.left, y: clientY - box.top }), camera.scale)
    },
    hold(held) {
      isHeld = held
      ask()
    },
    close() {
      cancelAnimationFrame(asked)
      themes.removeEventListener('change', recolor)
      themed.disconnect()
      sized.disconnect()
      canvas.removeEventListener('wheel', onWheel)
    },
  }
}

/** Whether what was painted for one view has everything that the other shows. */
function isInside(painted: Camera, camera: Camera, { width, height }: PictureSize): boolean {
  const [dx, dy] = [Math.abs(painted.x - camera.x) * camera.scale, Math.abs(painted.y - camera.y) * camera.scale]
  return painted.scale === camera.scale && dx <= width * around && dy <= height * around
}

/** Setting the size of a canvas clears it, and is slow. */
function resize(canvas: HTMLCanvasElement, { width, height, ratio }: PictureSize & { readonly ratio: number }): boolean {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width === wide && canvas.height === high) return false
  canvas.width = wide
  canvas.height = high
  return true
}
