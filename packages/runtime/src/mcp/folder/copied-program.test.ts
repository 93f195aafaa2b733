import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFolder } from './copied-program.ts'

test.each([
  ['/work/shop', '/copies/1'],
  ['/work/shop/', '/copies/1/'],
  ['--root=/work/shop/a b', '--root=/copies/1/a b'],
  ['/work/shop:/work/shop/bin', '/copies/1:/copies/1/bin'],
  ['"/work/shop"', '"/copies/1"'],
  ['/work/shopping', '/work/shopping'],
  ['/work/shop-2/a', '/work/shop-2/a'],
  ['/work/shop.old', '/work/shop.old'],
  ['/backup/work/shop', '/backup/work/shop'],
  ['/work', '/work'],
  ['', ''],
])('%s is %s in the copy', (text, expected) => {
  expect(withFolder(text, '/work/shop', '/copies/1')).toBe(expected)
})

test('a text that does not name the folder stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(withFolder(text, '/work/shop', '/copies/1')).toBe(text)
    }),
  )
})
