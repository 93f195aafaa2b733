import type { BackgroundSelection } from '@tandem/contract/checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isIncluded, isSelected, toggleSelection } from './background-selection.ts'

const paths = ['/w/build', '/w/build/a', '/w/build/b', '/w/build.log', '/w/notes.md'] as const

test.each<[BackgroundSelection, readonly boolean[], readonly boolean[]]>([
  ['none', [false, false, false, false, false], [false, false, false, false, false]],
  ['all', [true, true, true, true, true], [true, true, true, true, true]],
  [['/w/build'], [true, true, true, false, false], [false, true, true, false, false]],
  [
    ['/w/build/a', '/w/notes.md'],
    [false, true, false, false, true],
    [false, false, false, false, false],
  ],
])('with %j paths are selected directly or by inclusion', (selection, selected, included) => {
  expect(paths.map((path) => isSelected(selection, path))).toEqual(selected)
  expect(paths.map((path) => isIncluded(selection, path))).toEqual(included)
})

test('a folder replaces the selected paths in it', () => {
  expect(toggleSelection(['/w/build/a', '/w/build.log'], '/w/build')).toEqual(['/w/build.log', '/w/build'])
})

test('a click selects or deselects a path; an empty selection is none', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...paths), { maxLength: 8 }), fc.constantFrom(...paths), (clicks, path) => {
      const before = clicks.reduce<BackgroundSelection>(toggleSelection, 'none')
      const after = toggleSelection(before, path)
      const was = typeof before !== 'string' && before.includes(path)
      expect({ selected: typeof after !== 'string' && after.includes(path), empty: after !== 'none' && after.length === 0 }).toEqual({
        selected: !was,
        empty: false,
      })
    }),
  )
})
