import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slotThreshold } from '../resolve/slot-assignment.ts'
import { rarestWords, similarity } from './similar-words.ts'
import { wordsOf } from './terms.ts'

const word = fc.constantFrom(
  ...'I use two screens don’t do not 2 my editor is Zed never again at work c++ "quoted" the blue-green shelf holds'.split(' '),
)
const statement = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' '))

test('whatever is similar to a statement has one of its rarest words', () => {
  fc.assert(
    fc.property(statement, statement, fc.nat(9), (one, other, place) => {
      // Two random statements are seldom similar: the second is mostly the first with one word changed.
      const words = one.split(' ')
      const changed = place < words.length ? words.with(place, other.split(' ')[0] ?? '').join(' ') : other
      const rarest = rarestWords(one, (stem) => stem.length)
      if (rarest === null || similarity(one, changed) < slotThreshold) return
      expect(rarest.some((stem) => wordsOf(changed).has(stem))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a statement of which nothing carries a meaning is similar to none', () => {
  expect(rarestWords('it is my', () => 1)).toBe(null)
  expect(rarestWords('??', () => 1)).toBe(null)
  expect(similarity('??', '!!')).toBe(0)
})

test('the rarest words come first', () => {
  const counts: Record<string, number> = { editor: 50, zed: 2, terminal: 9 }
  expect(rarestWords('Zed editor terminal', (stem) => counts[stem] ?? 0)).toEqual(['zed'])
})
