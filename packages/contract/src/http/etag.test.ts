import fc from 'fast-check'
import { expect, test } from 'vitest'
import { etagOf, versionFromIfMatch } from './index.ts'

test('a version can be read back from its ETag', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (version) => {
      expect(versionFromIfMatch(etagOf(version))).toBe(version)
    }),
  )
})

test('an If-Match without a version is undefined', () => {
  const texts = ['*', '"0"', '"01"', '3', 'W/"3"', '"3", "4"', '"9999999999999999"', '', '"1e3"']
  expect(texts.map(versionFromIfMatch)).toEqual(['any', ...texts.slice(1).map(() => undefined)])
})
