import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoized } from './memoized.ts'
import { similarPairs } from './similar.ts'

const word = fc.constantFrom('tea', 'coffee', 'milk', 'in', 'morning', 'likes', 'Ana', 'hot')
const statements = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })
const memoriesOf = (texts: readonly (readonly string[])[]) => texts.map((words, index) => ({ id: `m${index}`, content: words.join(' ') }))
const named = (pairs: ReturnType<typeof similarPairs>) =>
  pairs.map(({ left, right, score }) => `${[left, right].toSorted().join(' ')} ${score.toFixed(6)}`).toSorted()

test('the pairs of some memories are exactly those pairs of all in which one of them is', () => {
  fc.assert(
    fc.property(statements, fc.infiniteStream(fc.boolean()), (texts, isAmong) => {
      const memories = memoriesOf(texts)
      const all = new Set(memories.map(({ id }) => id))
      const among = new Set(memories.map(({ id }) => id).filter(() => isAmong.next().value))
      const wanted = similarPairs(memories, all).filter(({ left, right }) => among.has(left) || among.has(right))
      expect(named(similarPairs(memories, among))).toEqual(named(wanted))
    }),
  )
})

test('each pair occurs once, with the share of the words that both have', () => {
  const memories = memoriesOf([['Ana', 'likes', 'tea'], ['Ana', 'likes', 'coffee'], ['milk'], ['Ana', 'likes', 'tea']])
  expect(named(similarPairs(memories, new Set(['m3', 'm0'])))).toEqual(['m0 m1 0.500000', 'm0 m3 1.000000', 'm1 m3 0.500000'])
  expect(similarPairs(memories, new Set())).toEqual([])
})

test('a memoized function is computed once for each text, also where it has no result', () => {
  const computed: string[] = []
  const half = memoized((text) => {
    computed.push(text)
    return text === '' ? undefined : text.slice(0, text.length / 2)
  })
  expect(['abcd', '', 'abcd', ''].map(half)).toEqual(['ab', undefined, 'ab', undefined])
  expect(computed).toEqual(['abcd', ''])
})

test('of a few texts more than there is room for, most are known when they are asked for again', () => {
  let computed = 0
  const length = memoized((text) => {
    computed += 1
    return text.length
  }, 100)
  const texts = Array.from({ length: 110 }, (_, no) => 'x'.repeat(no))
  for (let round = 0; round < 10; round += 1) expect(texts.map(length)).toEqual(texts.map((text) => text.length))
  expect(computed).toBeLessThan(3 * texts.length)
})
