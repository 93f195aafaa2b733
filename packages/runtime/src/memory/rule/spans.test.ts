import { expect, test } from 'vitest'
import { overlap, spansOf, wholeOf } from './spans.ts'

const text = 'I prefer tea.\nI like teapots; “I prefer TEA”!'

test('words are found wherever they are, as whole words', () => {
  expect(spansOf('i prefer tea', text)).toEqual([
    { start: 0, length: 14 },
    { start: 28, length: 14 },
  ])
  expect(spansOf('I like tea', text)).toEqual([])
  expect(spansOf('…', text)).toEqual([])
  expect(wholeOf(text)).toEqual({ start: 0, length: 42 })
})

test('places overlap if they have a word in common', () => {
  const [first] = spansOf('I prefer tea', text)
  const of = (words: string) => spansOf(words, text).map((span) => first !== undefined && overlap(first, span))
  expect([of('tea I like'), of('I like teapots'), of('prefer')]).toEqual([[true], [false], [true, false]])
  expect(first && overlap(wholeOf(text), first)).toBe(true)
})
