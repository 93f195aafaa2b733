import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LayoutNode, layeredLayout } from './layered-layout.ts'

const node = (id: string): LayoutNode => ({ id, width: 100, height: 40 })
const edge = (from: string, to: string, hasLabel = false) => ({ from, to, hasLabel })

test('a chain is a straight line', () => {
  const layout = layeredLayout([node('a'), node('b'), node('c')], [edge('a', 'b', true), edge('b', 'c')])
  expect(layout).toEqual({
    width: 100,
    height: 216,
    corners: new Map([
      ['a', { x: 0, y: 0 }],
      ['b', { x: 0, y: 100 }],
      ['c', { x: 0, y: 176 }],
    ]),
    paths: [
      [
        { x: 50, y: 40 },
        { x: 50, y: 100 },
      ],
      [
        { x: 50, y: 140 },
        { x: 50, y: 176 },
      ],
    ],
  })
})

test('two branches are beside each other, below the middle of their start', () => {
  const { corners } = layeredLayout([node('a'), node('b'), node('c')], [edge('a', 'b'), edge('a', 'c')])
  expect(Object.fromEntries(corners)).toEqual({ a: { x: 64, y: 0 }, b: { x: 0, y: 76 }, c: { x: 128, y: 76 } })
})

test('an edge passes the nodes between its ends', () => {
  const { corners, paths } = layeredLayout([node('a'), node('b'), node('c')], [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')])
  const { x = 0 } = corners.get('b') ?? {}
  const beside = paths[2]?.filter(({ y }) => y >= 76 && y <= 116) ?? []
  expect(beside).toHaveLength(2)
  for (const point of beside) expect(point.x < x || point.x > x + 100).toBe(true)
})

test('a node that leads to itself, a circle, and no nodes at all', () => {
  expect(layeredLayout([], [])).toEqual({ width: 0, height: 0, corners: new Map(), paths: [] })
  const { corners, paths } = layeredLayout([node('a'), node('b')], [edge('a', 'a'), edge('a', 'b'), edge('b', 'a')])
  expect(corners.size).toBe(2)
  expect(paths.map((path) => path.length)).toEqual([0, 2, 2])
})

test('nodes never overlap', () => {
  const pair = fc.tuple(fc.nat(14), fc.nat(14))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), fc.array(pair, { maxLength: 40 }), (count, pairs) => {
      const nodes = Array.from({ length: count }, (_, at) => ({ id: String(at), width: 60 + at * 10, height: 30 + at }))
      const edges = pairs.map(([from, to]) => edge(String(from % count), String(to % count)))
      const { corners, width, height } = layeredLayout(nodes, edges)
      const boxes = nodes.map((one) => ({ ...one, ...(corners.get(one.id) ?? { x: Number.NaN, y: Number.NaN }) }))
      for (const [at, one] of boxes.entries()) {
        expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width + 1 && one.y + one.height <= height).toBe(true)
        for (const other of boxes.slice(at + 1)) {
          const isApart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y
          expect(isApart).toBe(true)
        }
      }
    }),
  )
})
