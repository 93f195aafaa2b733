import { expect, test } from 'vitest'
import { type BenchRow, median, quantile } from './bench.ts'
import { table } from './table.ts'

const row: BenchRow = {
  metric: 'push',
  unit: 'changes/s',
  better: 'higher',
  ours: 42_000,
  peers: { peer: 4_200 },
  limit: 60_000,
  target: '≥ 3 × peer',
  met: true,
}

test('a row shows every figure and its ratio to the others', () => {
  expect(table([row]).split('\n')[2]).toBe(
    '| push | 42,000 changes/s | peer 4,200 | 60,000 | 10.00 × peer, 0.70 × limit | ≥ 3 × peer | yes |',
  )
})

test('a row without peer or limit shows that', () => {
  expect(table([{ ...row, peers: {}, limit: null, met: false }]).split('\n')[2]).toBe(
    '| push | 42,000 changes/s | – | – | – | ≥ 3 × peer | no |',
  )
})

test('a figure without a target neither meets nor misses it', () => {
  expect(table([{ ...row, target: null, met: null }]).split('\n')[2]).toBe(
    '| push | 42,000 changes/s | peer 4,200 | 60,000 | 10.00 × peer, 0.70 × limit | – | – |',
  )
})

test('quantiles are actual values', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99)).toBe(10)
})
