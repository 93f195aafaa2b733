// Which part of the graph the picture shows: a point of the graph in the middle, and pixels per unit. Pure.

export interface Camera {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}

const smallest = 0.02
const largest = 8
const largestFitted = 3
const margin = 40
/** The width of a letter, roughly. */
const letter = 6.5
const [shortestName, longestName] = [12, 28]

/** How many letters of a name are shown: fewer in a narrow picture, which names must not leave. */
export function nameLength({ width }: Pick<PictureSize, 'width'>): number {
  return Math.min(longestName, Math.max(shortestName, Math.floor(width / 16)))
}

/** All of the graph and its names; a small one is enlarged so that its names have room. */
export function fitted(xs: Float64Array, ys: Float64Array, { width, height }: PictureSize): Camera {
  if (xs.length === 0) return { x: 0, y: 0, scale: 1 }
  const [left, right] = bounds(xs)
  const [top, bottom] = bounds(ys)
  const beside = Math.max(margin, (nameLength({ width }) * letter) / 2)
  const wide = Math.max(1, width - 2 * beside) / Math.max(1, right - left)
  const high = Math.max(1, height - 2 * margin) / Math.max(1, bottom - top)
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: limited(Math.min(wide, high, largestFitted)) }
}

/** What is at the point of the picture stays there. */
export function zoomedAt(camera: Camera, size: PictureSize, at: { readonly x: number; readonly y: number }, factor: number): Camera {
  const scale = limited(camera.scale * factor)
  const [dx, dy] = [at.x - size.width / 2, at.y - size.height / 2]
  return { x: camera.x + dx / camera.scale - dx / scale, y: camera.y + dy / camera.scale - dy / scale, scale }
}

/** By pixels of the picture. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }
}

export function pointAt(camera: Camera, { width, height }: PictureSize, at: { readonly x: number; readonly y: number }) {
  return { x: camera.x + (at.x - width / 2) / camera.scale, y: camera.y + (at.y - height / 2) / camera.scale }
}

function limited(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale))
}

function bounds(values: Float64Array): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return [least, most]
}
