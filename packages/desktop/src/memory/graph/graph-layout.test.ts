import { expect, test } from 'vitest'
import { type NodePair, openLayout } from './graph-layout.ts'

const settled = (count: number, pairs: readonly NodePair[]) => {
  const layout = openLayout(count, pairs)
  while (layout.step());
  return layout
}

test('the same graph gets the same picture, without two nodes on one place', () => {
  const pairs = Array.from({ length: 60 }, (_, at): NodePair => [at, (at * 7 + 3) % 60])
  const [one, two] = [settled(60, pairs), settled(60, pairs)]
  expect([...one.x, ...one.y]).toEqual([...two.x, ...two.y])
  expect([...one.x, ...one.y].every(Number.isFinite)).toBe(true)
  for (let left = 0; left < 60; left += 1) {
    for (let right = left + 1; right < 60; right += 1) {
      const distance = Math.hypot((one.x[left] ?? 0) - (one.x[right] ?? 0), (one.y[left] ?? 0) - (one.y[right] ?? 0))
      expect(distance).toBeGreaterThan(3)
    }
  }
})

test('connected nodes end nearer to each other than others', () => {
  // Two groups without an edge between them.
  const group = (from: number) => Array.from({ length: 10 }, (_, at): NodePair => [from, from + at + 1])
  const { x, y } = settled(22, [...group(0), ...group(11)])
  const distance = (left: number, right: number) => Math.hypot((x[left] ?? 0) - (x[right] ?? 0), (y[left] ?? 0) - (y[right] ?? 0))
  const near = Array.from({ length: 10 }, (_, at) => distance(0, at + 1))
  const far = Array.from({ length: 10 }, (_, at) => distance(0, at + 12))
  expect(Math.max(...near)).toBeLessThan(Math.min(...far))
})

test('edges pull their ends together', () => {
  const pairs = Array.from({ length: 199 }, (_, at): NodePair => [at, at + 1])
  const length = ({ x, y }: ReturnType<typeof openLayout>) =>
    pairs.reduce((sum, [from, to]) => sum + Math.hypot((x[from] ?? 0) - (x[to] ?? 0), (y[from] ?? 0) - (y[to] ?? 0)), 0) / pairs.length
  expect(length(settled(200, pairs))).toBeLessThan(length(openLayout(200, pairs)) / 2)
})

test('nothing, one node, and a node with an edge to itself can be placed', () => {
  expect([settled(0, []).x.length, [...settled(1, []).x], [...settled(1, [[0, 0]]).x]]).toEqual([0, [0], [0]])
})
