import { expect, test } from 'vitest'
import { type Camera, fitted, nameLength, panned, pointAt, zoomedAt } from './graph-camera.ts'

const size = { width: 400, height: 300 }
const camera: Camera = { x: 10, y: -20, scale: 2 }

test('a fitted picture shows every node and is not enlarged much', () => {
  const [xs, ys] = [new Float64Array([-500, 700]), new Float64Array([0, 90])]
  const fit = fitted(xs, ys, size)
  for (const [at, x] of xs.entries()) {
    const left = (x - fit.x) * fit.scale + size.width / 2
    const top = ((ys[at] ?? 0) - fit.y) * fit.scale + size.height / 2
    expect(left >= 0 && left <= size.width && top >= 0 && top <= size.height).toBe(true)
  }
  expect(fitted(new Float64Array([3]), new Float64Array([4]), size)).toEqual({ x: 3, y: 4, scale: 3 })
  expect(fitted(new Float64Array(), new Float64Array(), size)).toEqual({ x: 0, y: 0, scale: 1 })
})

test('names have room at the sides, and are shorter in a narrow picture', () => {
  for (const width of [280, 320, 560, 1_200]) {
    const { x, scale } = fitted(new Float64Array([-500, 700]), new Float64Array([0, 90]), { width, height: 400 })
    const room = (-500 - x) * scale + width / 2
    expect(room).toBeGreaterThanOrEqual((nameLength({ width }) * 6) / 2)
    expect(room).toBeLessThan(width / 3)
  }
  expect([280, 320, 560, 1_200].map((width) => nameLength({ width }))).toEqual([17, 20, 28, 28])
})

test('zooming keeps what is under the pointer', () => {
  const at = { x: 50, y: 280 }
  const before = pointAt(camera, size, at)
  const after = pointAt(zoomedAt(camera, size, at, 1.7), size, at)
  expect(after.x).toBeCloseTo(before.x)
  expect(after.y).toBeCloseTo(before.y)
  expect(zoomedAt(camera, size, at, 1e9).scale).toBe(8)
})

test('panning moves the picture with the pointer', () => {
  const before = pointAt(camera, size, { x: 100, y: 100 })
  const after = pointAt(panned(camera, 30, -12), size, { x: 130, y: 88 })
  expect(after).toEqual(before)
})
