import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findFingerprint, fingerprintOf } from './fingerprint.ts'

const passage = 'one line\n\nanother line\nthe third line'
const found = (text: string, of = passage) => {
  const place = findFingerprint(text, fingerprintOf(of))
  return place && text.slice(place.from, place.to)
}

describe('a passage is recognized', () => {
  test.each([
    ['moved down', `a new line\n\n${passage}\nmore`, passage],
    ['moved up', passage, passage],
    ['with one line changed', `x\n${passage.replace('another line', 'a changed line')}`, 'one line\n\na changed line\nthe third line'],
    ['with its last line gone', 'one line\n\nanother line\n', 'one line\n\nanother line'],
    ['with other indentation', '  one line\n\n\tanother line\n    the third line', '  one line\n\n\tanother line\n    the third line'],
    ['not, when most of it is gone', 'the third line', null],
    ['not in an empty text', '', null],
  ])('%s', (_name, text, expected) => {
    expect(found(text)).toBe(expected)
  })

  test('an empty passage is nowhere', () => {
    expect(found('text', '')).toBe(null)
  })

  test('wherever it is', () => {
    const line = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text.replace(/\s/g, '-')}`)
    const lines = fc.uniqueArray(line, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, lines, (before, inside, after) => {
        const isIn = new Set(inside)
        const around = (some: readonly string[]) => some.filter((one) => !isIn.has(one))
        const text = [...around(before), ...inside, ...around(after)].join('\n')
        expect(found(text, inside.join('\n'))).toBe(inside.join('\n'))
      }),
    )
  })
})
