import { describe, expect, test } from 'vitest'
import { constraintsIn, demandsIn } from './constraint.ts'

const texts = (text: string, starts = true) => constraintsIn({ text, starts }).map((one) => one.text)

describe('an instruction that holds beyond the request', () => {
  test.each([
    ['Der Fremdcode unter vendor/ bleibt, wie er ist. Add a shortcut.', ['Der Fremdcode unter vendor/ bleibt, wie er ist.']],
    ['Bitte den Wochenbericht für 2026-W29, aber ohne vendor/ anzufassen.', ['aber ohne vendor/ anzufassen.']],
    ['Cache the shapes. Bei mir läuft alles über uv.', ['Bei mir läuft alles über uv.']],
    ['Build it. We install with uv here.', ['We install with uv here.']],
    ['Add a dark theme. I only have a minute, so be brief.', ['I only have a minute, so be brief.']],
    // One sentence is the request itself.
    ['Translate docs/imprint.md into German.', []],
    ['Which of our German customers have no postal code?', []],
    ['Change the label. Does it still work?', []],
    ['Rechnung an das Museum, bitte.', []],
  ])('%s', (text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  test('a message during a run is read as a whole', () => {
    expect(texts('vendor/ ist tabu.', false)).toEqual(['vendor/ ist tabu.'])
  })

  test('what only may be one does not ask; what tells a fact is none', () => {
    expect(demandsIn({ text: 'Add a dark theme. Use ISO dates.', starts: true })).toEqual([
      { text: 'Add a dark theme.', asks: false, forbids: false },
      { text: 'Use ISO dates.', asks: true, forbids: false },
    ])
    expect(demandsIn({ text: 'The light in the photo is warm. What filter helps?', starts: true })).toEqual([])
    expect(demandsIn({ text: 'Can the table be empty, in two lines if you can?', starts: true }).map((one) => one.text)).toEqual([
      'in two lines if you can',
    ])
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
