import { expect, test } from 'vitest'
import { conflictsIn, pathsOf } from './seen-changes.ts'

const seen = (paths: readonly string[], conflicts: readonly string[], count = conflicts.length) => ({
  paths,
  conflicts,
  count,
  ofMembers: 0,
})

test('what a newer run changed is no conflict for older ones', () => {
  expect(conflictsIn([seen(['a', 'b'], ['a']), seen(['b', 'c'], ['b', 'c'])])).toBe(2)
})

test('conflicts after the pages that are loaded count as well', () => {
  expect(conflictsIn([seen(['a'], [], 3)])).toBe(3)
})

test('only paths of members that can be restored are counted', () => {
  const members = [
    { checkpoint_id: 'p', changed_paths: 2 },
    { checkpoint_id: null, changed_paths: 5 },
    { checkpoint_id: 'q', changed_paths: 0 },
  ]
  expect(pathsOf(members)).toBe(2)
})
