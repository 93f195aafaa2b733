import { relative, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInside, relativeInside } from './inside.ts'

test.each([
  ['/a', '/a', true, ''],
  ['/a/', '/a', true, ''],
  ['/a', '/a/', true, ''],
  ['/a/b', '/a', true, 'b'],
  ['/a/b', '/a/', true, 'b'],
  ['/a', '/', true, 'a'],
  ['/ab', '/a', false, null],
  ['/a', '/a/b', false, null],
  ['/b', '/a', false, null],
  ['/a/..x', '/a', true, '..x'],
  ['/a/..x/y', '/a', true, '..x/y'],
  ['/a/...', '/a', true, '...'],
  ['/a/../b', '/a', false, null],
  ['/a/b/..', '/a', true, ''],
])('%s in %s: %s', (path, folder, inside, way) => {
  expect([isInside(path, folder), relativeInside(path, folder)]).toEqual([inside, way])
})

const name = fc.constantFrom('a', 'b', '..', '.', '..x', 'ab', '')
const path = fc.array(name, { maxLength: 5 }).map((names) => `${sep}${names.join(sep)}`)

test('it agrees with walking up from the path', () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const folder = resolve(other)
      let at = resolve(one)
      while (at !== folder && at !== resolve(at, '..')) at = resolve(at, '..')
      expect(isInside(one, other)).toBe(at === folder)
      expect(relativeInside(one, other)).toBe(at === folder ? relative(folder, one) : null)
    }),
  )
})
