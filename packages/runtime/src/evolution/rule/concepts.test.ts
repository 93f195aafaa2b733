import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { belongs, conceptsOf } from './concepts.ts'

const namesIn = (text: string) => conceptsOf(text).map(({ name }) => name)

describe('the telling words of a sentence', () => {
  test.each([
    ['Do not change anything in vendor/.', ['chang', 'vendor']],
    ['Bitte die Änderung nicht in vendor/ ablegen.', ['chang', 'stor', 'vendor']],
    ['The answer is due on 2026-05-31.', ['answ', 'date', 'due']],
    ['Port 8443, not 8080.', ['8080', '8443', 'port']],
  ])('%s', (text, expected) => expect(namesIn(text)).toEqual(expected))

  const groupOf = (text: string) => ({ size: 1, counts: new Map(conceptsOf(text).map(({ name }) => [name, 1])) })

  test('a sentence belongs to a group of itself, however its words are ordered', () => {
    const words = fc.constantFrom('uv', 'pip', 'short', 'network', 'vendor/', 'branch', 'emoji', '8443')
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
