import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bash, openCheckpointTest } from '../../test/support/checkpoint/test-checkpoints.ts'
import { WorkCells } from '../thread/worker-calls.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('work is reported after half a second, then every quarter, and no more once it has ended', () => {
  const [cells, counts] = [new WorkCells(), [] as [number, number][]]
  const unfollow = cells.follow(7, (files, total) => counts.push([files, total]))
  cells.begin(7)
  cells.count(10, 0)
  vi.advanceTimersByTime(499)
  expect(counts).toEqual([])
  vi.advanceTimersByTime(1)
  cells.count(3, 20)
  vi.advanceTimersByTime(250)
  expect(counts).toEqual([
    [10, 0],
    [3, 20],
  ])
  unfollow()
  vi.advanceTimersByTime(5000)
  expect(counts).toHaveLength(2)
})

test('work that is queued behind other work is not reported with the count of the other', () => {
  const [cells, counts] = [new WorkCells(), [] as number[]]
  const unfollow = cells.follow(8, (files) => counts.push(files))
  cells.begin(7)
  cells.count(10, 0)
  vi.advanceTimersByTime(1000)
  expect(counts).toEqual([])
  cells.begin(8)
  vi.advanceTimersByTime(250)
  expect(counts).toEqual([])
  cells.count(1, 0)
  vi.advanceTimersByTime(250)
  expect(counts).toEqual([1])
  unfollow()
})

test('only the work that was canceled is canceled, also before it begins', () => {
  const cells = new WorkCells()
  cells.begin(1)
  cells.cancel(2)
  expect(cells.isCanceled()).toBe(false)
  cells.begin(2)
  expect(cells.isCanceled()).toBe(true)
  cells.begin(3)
  expect(cells.isCanceled()).toBe(false)
})

test('a walk counts what it has found, and a taking every file out of all of them, kept before or not', async () => {
  vi.useRealTimers()
  const counts: [number, number][] = []
  const bench = openCheckpointTest({ counted: (files, total) => counts.push([files, total]) })
  try {
    bash('mkdir a b c && seq 5 | split -l 1 - a/ && seq 4 | split -l 1 - b/ && touch top', bench.work)
    await bench.shell('true')
    expect(counts.some(([files, total]) => files > 0 && total === 0)).toBe(true)
    const taken = counts.filter(([, total]) => total > 0)
    expect(new Set(taken.map(([files]) => files))).toEqual(new Set(Array.from({ length: 11 }, (_, index) => index)))
    expect(taken.every(([, total]) => total === 10)).toBe(true)
    counts.length = 0
    bash('echo more > b/more', bench.work)
    await bench.shell('true')
    expect(counts.findLast(([, total]) => total > 0)).toEqual([11, 11])
  } finally {
    await bench.close()
  }
})
