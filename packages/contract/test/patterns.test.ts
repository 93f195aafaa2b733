// Every pattern and format of the contract has an explanation for users whose value does not match it.
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '../src/http/schema.ts'
import { formatTexts, patternTexts } from '../src/validation/expected.ts'

test('every pattern and format of the contract has an explanation, and no other has', async () => {
  const used = { pattern: new Set<string>(), format: new Set<string>() }
  const seen = new WeakSet<object>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const { type, pattern, format } = value as Record<string, unknown>
    if (type === 'string' && typeof pattern === 'string') used.pattern.add(pattern)
    if (type === 'string' && typeof format === 'string') used.format.add(format)
    for (const child of Object.values(value)) walk(child)
  }
  for (const file of globSync('packages/contract/src/**/schema.ts')) walk(await import(`${process.cwd()}/${file}`))
  walk(routes)
  expect([...used.pattern].toSorted()).toEqual(Object.keys(patternTexts).toSorted())
  expect([...used.format].filter((format) => !(format in formatTexts))).toEqual([])
})
