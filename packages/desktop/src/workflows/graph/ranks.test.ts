import { expect, test } from 'vitest'
import { ranksOf } from './ranks.ts'

const edgesOf = (text: string) => text.split(' ').map((edge) => ({ from: edge[0] ?? '', to: edge[1] ?? '' }))

test('a node is below all nodes that lead to it', () => {
  expect(Object.fromEntries(ranksOf(['a', 'b', 'c', 'd', 'e'], edgesOf('ab bd ad ac')))).toEqual({ a: 0, b: 1, c: 1, d: 2, e: 0 })
})

test('a circle and unknown nodes are no problem', () => {
  expect(Object.fromEntries(ranksOf(['a', 'b', 'c'], edgesOf('ab bc ca aa xa ax')))).toEqual({ a: 0, b: 1, c: 2 })
})

test('a long chain does not overflow the stack', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => String(at))
  const ranks = ranksOf(
    ids,
    ids.slice(1).map((to, at) => ({ from: String(at), to })),
  )
  expect(ranks.get('19999')).toBe(19_999)
})
