import { expect, test } from 'vitest'
import { chooseLanguage, languageNames, languages } from './languages.ts'

test.each([
  [null, [], 'en'],
  [null, ['de-DE', 'en-US'], 'en'],
  [null, ['de-DE'], 'en'],
  [null, ['en-XA'], 'en'],
  ['en', ['de'], 'en'],
  ['en-XA', ['en'], 'en-XA'],
  ['klingon', ['en'], 'en'],
])('stored %s and preferred %j is %s', (stored, preferred, chosen) => {
  expect(chooseLanguage(stored, preferred)).toBe(chosen)
})

test.each(languageNames)('%s has a locale that this machine knows', (name) => {
  const { locale } = languages[name]
  expect(Intl.NumberFormat.supportedLocalesOf(locale)).toEqual([locale])
})
