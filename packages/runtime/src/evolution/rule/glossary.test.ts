import fc from 'fast-check'
import { expect, test } from 'vitest'
import { glossOf, inEnglish, isGerman } from './glossary.ts'

test.each([
  ['Antworte bitte auf Deutsch.', 'answer please on german.'],
  ['Ändere nur diese Datei.', 'change only that file.'],
  ['Ohne vendor/ anzufassen.', 'without vendor/ touch.'],
  ['Nimm uv statt pip.', 'take uv instead pip.'],
  // Words that are not known are left out, names of programs are not.
  ['Das Schnabeltier mag kein git.', 'the like no git.'],
  ['Please reply in German.', 'Please reply in German.'],
])('%s', (text, expected) => expect(inEnglish(text)).toBe(expected))

test.each([
  ['Testserver', 'test server'],
  ['geändert', 'change'],
  ['hochgeladen', 'upload'],
  ['Schnabeltier', null],
])('%s: %s', (word, expected) => expect(glossOf(word)).toBe(expected))

test('the language is told by the frequent words of both', () => {
  expect(['Halte die Änderung klein.', 'Keep the diff small.', 'commit', ''].map(isGerman)).toEqual([true, false, false, false])
})

test('any text can be translated, and one that is not German stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(isGerman(text) || inEnglish(text) === text).toBe(true)
    }),
  )
})
