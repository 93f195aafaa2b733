import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pluralForm } from './plural.ts'
import { accented, accentedText } from './pseudo-locale.ts'
import { fromCatalog, isTranslated, translateAll } from './translate.ts'

const texts = () => ({
  title: 'Files',
  states: { good: 'Good', bad: 'Bad' },
  steps: ['First', 'Second'],
  left: (name: string, number: number) => `${name} has ${number} left`,
  limit: 7,
})

const german = fromCatalog({
  files: {
    title: 'Dateien',
    states: { bad: 'Schlecht' },
    steps: ['Zuerst'],
    left: (name: string, number: number) => `${name}: noch ${number}`,
    limit: { not: 'a text' },
  },
})

test('texts of a catalog replace the English ones, and a missing one stays English', () => {
  const found = translateAll(texts(), ['files'], german)
  expect({ ...found, left: found.left('a.txt', 3) }).toEqual({
    title: 'Dateien',
    states: { good: 'Good', bad: 'Schlecht' },
    steps: ['Zuerst', 'Second'],
    left: 'a.txt: noch 3',
    limit: 7,
  })
})

test('a catalog that has something else in the place of a text does not replace it', () => {
  const broken = fromCatalog({ files: { title: { nested: 'x' }, states: 'x', left: 'x' } })
  expect(JSON.stringify(translateAll(texts(), ['files'], broken))).toBe(JSON.stringify(texts()))
})

test('English is not copied', () => {
  const english = texts()
  expect(translateAll(english, ['files'], null)).toBe(english)
  expect(isTranslated(english)).toBe(true)
})

test('texts of another module are translated only once', () => {
  const inner = translateAll(texts(), ['files'], accented)
  const outer = translateAll({ ...inner, inner }, ['outer'], accented)
  expect({ title: outer.title, inner: outer.inner, left: outer.left === inner.left }).toEqual({ title: inner.title, inner, left: true })
})

test.each([
  ['Settings', [], '⟦Šééţţîîñĝš⟧'],
  ['1,200 · ↑', [], '1,200 · ↑'],
  ['Remove notes.md?', ['notes.md'], '⟦Ŕéémööṽéé notes.md?⟧'.replace('m', 'ɱ')],
  ['notes.md', ['notes.md'], 'notes.md'],
  ['Use {{name}} here', [], '⟦Ûûšéé {{name}} ĥééŕéé⟧'],
  ['Open ⟦Šééţţîîñĝš⟧', [], '⟦Ööþééñ ⟦Šééţţîîñĝš⟧⟧'],
])('%j with %j becomes %s', (text, given, expected) => {
  expect(accentedText(text, given)).toBe(expected)
})

test('what a function was given stays as it is, and lists and objects are changed inside', () => {
  const found = translateAll(
    { list: (name: string) => [`no ${name}`, name], pair: ({ host }: { host: string }) => ({ message: `${host} is down`, count: 1 }) },
    ['x'],
    accented,
  )
  expect([found.list('a.txt'), found.pair({ host: 'x.example' })]).toEqual([
    ['⟦ñöö a.txt⟧', 'a.txt'],
    { message: '⟦x.example îîš ðööŵñ⟧', count: 1 },
  ])
})

test('every text with a letter is in brackets, keeps its placeholders and is not shorter', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }), (text, given) => {
      const changed = accentedText(text, given)
      for (const part of given) if (text === part) expect(changed).toBe(text)
      if (changed !== text) expect([changed.at(0), changed.at(-1), changed.length > text.length]).toEqual(['⟦', '⟧', true])
      expect(accentedText(accentedText('Save', []), [])).toBe('⟦Šááṽéé⟧')
    }),
  )
})

test('plural forms are those of the language of the text', () => {
  const polish = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' }
  expect([1, 2, 5, 22, 1.5].map((number) => pluralForm('pl', number, polish))).toEqual(['plik', 'pliki', 'plików', 'pliki', 'pliku'])
  expect([0, 1, 2].map((number) => pluralForm('en', number, { one: 'file', other: 'files' }))).toEqual(['files', 'file', 'files'])
})
