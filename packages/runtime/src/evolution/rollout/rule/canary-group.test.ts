import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupOf, summarize } from './canary-group.ts'

test('the group is the first bit of the hash of both ids', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (recommendation, run) => {
      const bits = createHash('sha256')
        .update(recommendation + run)
        .digest('hex')
      expect(groupOf(recommendation, run)).toBe(Number.parseInt(bits[0] ?? '', 16) >= 8 ? 'with' : 'without')
    }),
  )
  const all = Array.from({ length: 2_000 }, (_, n) => groupOf('one', String(n)))
  expect(all.filter((group) => group === 'with').length).toBeGreaterThan(900)
  expect(all.filter((group) => group === 'without').length).toBeGreaterThan(900)
})

test('means are of the runs that have ended', () => {
  expect(summarize([])).toEqual({ runs: 0, open_runs: 0, score: null, safety: null, turns: null })
  expect(summarize([null, { score: 1, safety: null, turns: 4 }, { score: 0.5, safety: 0.5, turns: 2 }])).toEqual({
    ...{ runs: 2, open_runs: 1, score: 0.75, safety: 0.5, turns: 3 },
  })
})
