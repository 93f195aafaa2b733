import { expect, test } from 'vitest'
import { type Direction, nearestNode } from './nearest-node.ts'
import type { NodeBox } from './workflow-layout.ts'

const box = (id: string, x: number, y: number): NodeBox => ({
  node: { id, kind: 'wait', seconds: 1 },
  x,
  y,
  width: 100,
  height: 40,
  depth: 0,
})
const [top, left, right, bottom] = [box('top', 60, 0), box('left', 0, 80), box('right', 120, 80), box('bottom', 60, 160)]

test.each<[NodeBox, Direction, string | null]>([
  [top, 'ArrowDown', 'left'],
  [left, 'ArrowRight', 'right'],
  [right, 'ArrowLeft', 'left'],
  [right, 'ArrowDown', 'bottom'],
  [right, 'ArrowUp', 'top'],
  [top, 'ArrowUp', null],
  [bottom, 'ArrowDown', null],
])('%o %s', (from, direction, expected) => {
  expect(nearestNode([top, left, right, bottom], from, direction)?.node.id ?? null).toBe(expected)
})
