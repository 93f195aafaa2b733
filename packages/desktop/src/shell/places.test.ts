import { expect, test } from 'vitest'
import { pageNames } from './pages.ts'
import { placeAddress, placeNames, placeOf, placePages } from './places.ts'

test('every page but the one of pending requests is in exactly one place, and every place opens one of its own pages', () => {
  const listed = Object.values(placePages).flat()
  expect(listed.toSorted()).toEqual(pageNames.filter((name) => name !== 'pending').toSorted())
  for (const name of placeNames) expect(placeOf(placeAddress(name))).toBe(name)
})

test.each([
  ['/', 'chat'],
  ['/c/some-id', 'chat'],
  ['/diagnostics/learning/candidates', 'settings'],
  ['/memory/memories/x', 'knowing'],
  ['/recovery/r/c', 'runs'],
  ['/skills/name', 'tools'],
  ['/pending', null],
  ['/nothing', null],
])('%s is in %s', (path, place) => {
  expect(placeOf(path)).toBe(place)
})
