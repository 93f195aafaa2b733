import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerptOf, lineOfMarks } from './excerpt.ts'

const marked = (text: string, words: readonly string[]) => {
  const { from, to, marks } = excerptOf(text, words)
  const excerpt = text.slice(from, to)
  return { excerpt, words: marks.map((mark) => excerpt.slice(mark.from, mark.to)) }
}

describe('an excerpt', () => {
  test('of a short text is the text', () => {
    expect(marked('The boat is called Merle.', ['boat', 'Merle'])).toEqual({
      excerpt: 'The boat is called Merle.',
      words: ['boat', 'Merle'],
    })
  })

  test('of a long text is where most words are', () => {
    const text = `${'start '.repeat(100)}one boat ${'between '.repeat(100)}the boat is called Merle ${'end '.repeat(100)}`
    expect(marked(text, ['boat', 'Merle'])).toEqual({
      excerpt: expect.stringContaining('the boat is called Merle'),
      words: ['boat', 'Merle'],
    })
  })

  test.each([
    ['the boathouse of the boat', ['boat'], ['boat']],
    ['Boats and boats', ['boats'], ['Boats', 'boats']],
    ['明日の会議は十時です', ['会議'], ['会議']],
    ['a.b*c (x)', ['a.b*c', '(x)'], ['a.b*c', '(x)']],
    ['nothing here', ['boat', ''], []],
    ['', ['boat'], []],
  ])('of %j for %j marks %j', (text, words, expected) => {
    expect(marked(text, words).words).toEqual(expected)
  })

  test('is part of the text, whole characters only, and its marks are the words', () => {
    const piece = fc.constantFrom('word ', 'boat ', '😀', 'é', 'e\u0301', '会議', '\n', 'מילה ', '-')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join('')),
        fc.subarray(['word', 'boat', '会議', '😀', 'מילה']),
        (text, words) => {
          const { from, to, marks } = excerptOf(text, words)
          const excerpt = text.slice(from, to)
          expect(excerpt.isWellFormed()).toBe(true)
          expect(excerpt.length).toBeLessThanOrEqual(321)
          for (const mark of marks) expect(words).toContain(excerpt.slice(mark.from, mark.to))
        },
      ),
    )
  })
})

test.each([
  ['the one\nthe motor needs oil\nthe end', ['the', 'motor', 'oil'], 1],
  ['oil\nmotor\noil', ['oil', 'motor'], 0],
  ['nothing', ['boat'], 0],
])('most words of %j for %j are in line %i', (text, words, line) => {
  expect(lineOfMarks(text, excerptOf(text, words))).toBe(line)
})
