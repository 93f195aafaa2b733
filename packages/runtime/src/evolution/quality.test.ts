import { expect, test } from 'vitest'
import { evolutionQuality } from '../../../../bench/evolution-quality.ts'

test('what is planted in the history that the rules were tuned with is found', () => {
  const { misses: _, ...figures } = evolutionQuality('tuning')
  expect(figures).toEqual({
    ...{ routines: 6, found: 6, split: 0, invented: 0 },
    ...{ constraints: 3, joined: 3, wrongly_joined: 1, other_constraints: 0 },
    ...{ remediations: 6, remediations_found: 6, kinds_strict: 14, kinds_lenient: 15, skills_right: 14, poisoned: 0 },
  })
})

// Measured once, after the rules were final. All routines, constraints and remediations should be found.
test('what is planted in the history that the rules were not tuned with is found as well as measured', () => {
  const figures = evolutionQuality('held-out')
  expect(figures).toMatchObject({ routines: 6, split: 0, invented: 0, other_constraints: 0, poisoned: 0 })
  expect(figures.found).toBeGreaterThanOrEqual(5)
  expect(figures.joined).toBeGreaterThanOrEqual(1)
  expect(figures.wrongly_joined).toBeLessThanOrEqual(4)
  expect(figures.remediations_found).toBeGreaterThanOrEqual(3)
})

test('nothing is invented from random runs', () => {
  const { invented, other_constraints } = evolutionQuality('random')
  expect({ invented, other_constraints }).toEqual({ invented: 0, other_constraints: 0 })
})
