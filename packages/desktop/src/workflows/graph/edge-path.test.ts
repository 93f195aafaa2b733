import { expect, test } from 'vitest'
import { edgePath, labelPoint } from './edge-path.ts'

test('a path is straight between points of the same x, and curved otherwise', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 20, y: 40 },
    { x: 20, y: 80 },
  ]
  expect(edgePath(points)).toBe('M0 0C0 20 20 20 20 40L20 80')
  expect(labelPoint(points)).toEqual({ x: 10, y: 20 })
  expect(edgePath([])).toBe('')
})
