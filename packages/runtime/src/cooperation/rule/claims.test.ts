import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimedPath, mayWrite, overlapOf } from './claims.ts'

test.each([
  ['src', 'src'],
  ['./src//a/', 'src/a'],
  ['src/../docs', 'docs'],
  ['', '.'],
  ['.', '.'],
  ['src/..', '.'],
  ['..', null],
  ['src/../../x', null],
  ['/etc', null],
  ['a\0b', null],
  ['a\\b', null],
])('%j is kept as %j', (given, kept) => {
  expect(claimedPath(given)).toBe(kept)
})

test.each([
  [['src'], ['docs'], null],
  [['src'], ['src-old'], null],
  [['src/a'], ['src/b'], null],
  [['src'], ['src'], 'src'],
  [['src/a.ts'], ['src'], 'src'],
  [['src'], ['docs', 'src/a.ts'], 'src/a.ts'],
  [['.'], ['src'], 'src'],
  [['src'], ['.'], '.'],
  // The same folder on some file systems.
  [['Src/a'], ['src'], 'src'],
  [['caf\u00e9'], ['cafe\u0301/a'], 'cafe\u0301/a'],
])('%j and %j', (paths, taken, theirs) => {
  expect(overlapOf(paths, [{ run_id: 'other', paths: taken }])?.theirs ?? null).toBe(theirs)
})

test('no path may be written by two members whose claims do not overlap', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const claim = fc.array(fc.oneof(path, fc.constant('.')), { maxLength: 3 })
  fc.assert(
    fc.property(claim, claim, path, (mine, theirs, written) => {
      if (overlapOf(mine, [{ run_id: 'other', paths: theirs }]) !== null) return
      expect(mayWrite(written, mine) && mayWrite(written, theirs)).toBe(false)
    }),
  )
})
