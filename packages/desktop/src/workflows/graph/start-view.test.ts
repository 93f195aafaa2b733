import { expect, test } from 'vitest'
import { isInView, startView } from './start-view.ts'
import type { NodeBox } from './workflow-layout.ts'

const box = (y: number): NodeBox => ({ node: { id: `n${y}`, kind: 'wait', seconds: 1 }, x: 0, y, width: 200, height: 60, depth: 0 })

test('a small graph is in the middle, not enlarged', () => {
  expect(startView([box(0)], { width: 640, height: 300 }, null)).toEqual({ zoom: 1, x: 220, y: 120 })
})

test('a larger graph is made smaller as long as it can be read', () => {
  expect(startView([box(0), box(300)], { width: 640, height: 360 }, null)).toEqual({ zoom: 0.9, x: 230, y: 18 })
})

test('a long graph begins at its start, or where the run is', () => {
  const boxes = Array.from({ length: 100 }, (_, at) => box(at * 100))
  const size = { width: 640, height: 400 }
  expect(startView(boxes, size, null)).toMatchObject({ zoom: 0.75, y: 15 })
  const view = startView(boxes, size, box(5_000))
  expect(isInView(box(5_000), view, size)).toBe(true)
  expect(isInView(box(0), view, size)).toBe(false)
  const end = startView(boxes, size, box(9_900))
  expect(end.y).toBeCloseTo(400 - (9_960 + 20) * 0.75)
})
