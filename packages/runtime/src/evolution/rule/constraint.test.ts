import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { belongs, conceptsOf } from './concepts.ts'
import { constraintsIn } from './constraint.ts'

const texts = (text: string, starts = true) => constraintsIn({ text, starts }).map((one) => one.text)

describe('an instruction that holds beyond the request', () => {
  test.each([
    ['Add a dark theme. Use ISO dates.', ['Use ISO dates.']],
    ['Der Fremdcode unter vendor/ bleibt, wie er ist. Add a shortcut.', ['Der Fremdcode unter vendor/ bleibt, wie er ist.']],
    ['Bitte den Wochenbericht für 2026-W29, aber ohne vendor/ anzufassen.', ['aber ohne vendor/ anzufassen.']],
    ['Cache the shapes. Bei mir läuft alles über uv.', ['Bei mir läuft alles über uv.']],
    ['Build it. We install with uv here.', ['We install with uv here.']],
    ['Can the table be empty, in two lines if you can?', ['in two lines if you can']],
    // One sentence is the request itself.
    ['Translate docs/imprint.md into German.', []],
    ['Which of our German customers have no postal code?', []],
    ['Change the label. Does it still work?', []],
  ])('%s', (text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  test('a message during a run is read as a whole', () => {
    expect(texts('vendor/ ist tabu.', false)).toEqual(['vendor/ ist tabu.'])
  })

  test.each([
    ['Do not change anything in vendor/.', true],
    ['Finger weg von vendor/.', true],
    ['Never push to the main branch.', true],
    ['Answer in German.', false],
    ['Schreib jedes Datum nach ISO.', false],
  ])('%s forbids something: %s', (text, expected) => {
    expect(constraintsIn({ text, starts: false }).map(({ forbids }) => forbids)).toEqual([expected])
  })
})

describe('the same in other words, in both languages', () => {
  const groupOf = (text: string) => ({ size: 1, counts: new Map(conceptsOf(text).map(({ name }) => [name, 1])) })
  test.each([
    ['Please reply in German.', 'Antworte bitte auf Deutsch.', true],
    ['Keep your hands off the vendor folder.', 'vendor/ ist tabu.', true],
    ['Use ISO dates.', 'Kein 31.5., sondern 2026-05-31.', true],
    ['Keep the answer short.', 'Three sentences at most, please.', true],
    ['No long explanations.', 'Fass dich kurz.', true],
    ['Work without network access.', 'Keine Verbindungen nach außen.', true],
    ['Ask before you delete anything.', 'Vor dem Löschen bitte Rücksprache halten.', true],
    ['Push nothing to the main branch.', 'Auf den Hauptzweig wird nichts gepusht.', true],
    ['Version 0.3.0 is out.', 'Use ISO dates.', false],
    ['Please reply in German.', 'Use ISO dates.', false],
    ['Do not change anything in vendor/.', 'Do not change anything in assets/.', false],
  ])('%s / %s: %s', (left, right, expected) => {
    expect(belongs(conceptsOf(left), groupOf(right)) > 0).toBe(expected)
    expect(belongs(conceptsOf(right), groupOf(left)) > 0).toBe(expected)
  })

  test('a sentence belongs to a group of itself, if it says anything strong, however its words are ordered', () => {
    const words = fc.constantFrom('uv', 'pip', 'short', 'kurz', 'network', 'Internet', 'vendor/', 'Zweig', 'emoji', '8443', 'Hauptzweig')
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), (said) => {
        const concepts = conceptsOf(said.join(' '))
        expect(conceptsOf(said.toReversed().join(' '))).toEqual(concepts)
        expect(belongs(concepts, groupOf(said.join(' '))) > 0).toBe(true)
      }),
    )
  })

  test('nothing belongs to an empty group', () => {
    expect(belongs(conceptsOf('Use ISO dates.'), { size: 0, counts: new Map() })).toBe(0)
  })
})
