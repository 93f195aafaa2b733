import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  completedRounds,
  type EndedCall,
  failAtRound,
  longestRepetition,
  predictedResult,
  warnAtRound,
  withEndedCall,
} from './repetition.ts'

const made = fc.record({ call: fc.constantFrom('a', 'b', 'c', 'd', 'e'), end: fc.constantFrom('1', '2') })
type Made = { readonly call: string; readonly end: string }

function historyOf(calls: readonly Made[]): readonly EndedCall[] {
  return calls.reduce<readonly EndedCall[]>((history, call, seq) => withEndedCall(history, { ...call, seq }), [])
}

const repeated = (round: readonly Made[], times: number) => Array.from({ length: times }, () => round).flat()

test.each([
  ['the same call', 'aaa', 'a', 3],
  ['two in turn', 'ababab', 'a', 3],
  ['two in turn, interrupted in the middle', 'bababa', 'b', 3],
  ['three in turn', 'abcabcabc', 'a', 3],
  ['four in turn', 'abcdabcdabcd', 'a', 3],
  ['two in turn, after other work', 'cdeababab', 'a', 3],
  ['two in turn, but now a third', 'ababab', 'c', 0],
  ['once', 'a', 'a', 1],
  ['nothing yet', '', 'a', 0],
])('%s', (_name, calls, next, rounds) => {
  expect(completedRounds(historyOf([...calls].map((call) => ({ call, end: '1' }))), next)).toBe(rounds)
})

test('a different result breaks the loop: reading a file again after it changed is not a repetition', () => {
  const calls = ['1', '2', '3'].flatMap((end) => [
    { call: 'edit', end: 'done' },
    { call: 'read', end },
  ])
  expect(completedRounds(historyOf(calls), 'edit')).toBe(1)
})

test('detects any few calls that are repeated, whatever came before', () => {
  const round = fc.array(made, { minLength: 1, maxLength: longestRepetition })
  fc.assert(
    fc.property(fc.array(made, { maxLength: 30 }), round, fc.integer({ min: warnAtRound, max: failAtRound }), (before, circle, times) => {
      const history = historyOf([...before, ...repeated(circle, times)])
      expect(completedRounds(history, circle[0]?.call ?? '')).toBeGreaterThanOrEqual(times)
    }),
  )
})

test('what is reported as a loop is one: the history contains its rounds, all the same', () => {
  fc.assert(
    fc.property(fc.array(made, { maxLength: 40 }), made, (calls, { call }) => {
      const history = historyOf(calls)
      const rounds = completedRounds(history, call)
      const shown = history.map((one) => `${one.call}${one.end}`)
      const found = Array.from({ length: longestRepetition }, (_, index) => index + 1).some((period) => {
        const tail = shown.slice(shown.length - rounds * period)
        return history.at(-period)?.call === call && tail.length === rounds * period && tail.every((one, at) => one === tail[at % period])
      })
      expect(rounds === 0 ? history.slice(-longestRepetition).every((one) => one.call !== call) : found).toBe(true)
    }),
  )
})

test('a warning counts as the predicted result: continuing anyway leads to the sixth round', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }), (circle) => {
      let history = historyOf(
        repeated(
          circle.map((call) => ({ call, end: '1' })),
          warnAtRound,
        ),
      )
      for (let seq = history.length; seq < circle.length * failAtRound; seq += 1) {
        const call = circle[seq % circle.length] ?? ''
        const rounds = completedRounds(history, call)
        expect(rounds >= warnAtRound && rounds < failAtRound).toBe(true)
        history = withEndedCall(history, { seq, call, end: predictedResult(history, call) ?? 'told' })
      }
      expect(completedRounds(history, circle[0] ?? '')).toBe(failAtRound)
    }),
  )
})

test('parallel calls end in any order, and are stored in the model’s; no more than needed', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), { minLength: 30, maxLength: 40 }), (turns) => {
      let begun = 0
      let history: readonly EndedCall[] = []
      for (const weights of turns) {
        const seqs = weights.map((weight, index) => ({ weight, seq: begun + index }))
        for (const { seq } of seqs.toSorted((left, right) => left.weight - right.weight))
          history = withEndedCall(history, { seq, call: '', end: '' })
        begun += weights.length
      }
      expect(history.map(({ seq }) => seq)).toEqual([...Array(begun).keys()].slice(-longestRepetition * failAtRound))
    }),
  )
})
