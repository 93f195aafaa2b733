import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchPattern } from './text-search.ts'

test.each([
  ['ab1', '[Aa][Bb]1'],
  ['Ä', '[Ää]'],
  ['ς', '[Σςσ]'],
  ['ß', '[ßẞ]'],
  ['İ', '[İ]'],
  ['a.*b', '[Aa]\\.\\*[Bb]'],
  ['(?i)\\', '\\(\\?[Iiı]\\)\\\\'],
  ['日本 語', '日本\\ 語'],
  ['', ''],
])('%s becomes %s', (text, pattern) => {
  expect(searchPattern(text)).toBe(pattern)
})

test('finds the text itself, in either case, and nothing that differs in more than case', () => {
  const found = (text: string, inside: string) =>
    new RegExp(`^${searchPattern(text).replace(/\\([^!-/:-@[-`{-~])/g, '$1')}$`, 'u').test(inside)
  const word = fc.string({ unit: fc.constantFrom(...'aZäÖßéσΣя.*+?()[]{}|^$ 1') })
  fc.assert(
    fc.property(word, word, (text, other) => {
      expect(found(text, text)).toBe(true)
      expect(found(text, text.toLowerCase().replaceAll('ς', 'σ'))).toBe(true)
      const simple = (one: string) => one.replaceAll('ß', '\u0001').toUpperCase()
      expect(found(text, other)).toBe(simple(text) === simple(other))
    }),
  )
})
