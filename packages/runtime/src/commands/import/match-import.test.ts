import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ImportMessage, matchImport } from './match-import.ts'

const said = (text: string): ImportMessage[] => [...text].map((one, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text: one }))
const earlier = (...all: readonly string[]) => all.map((text, index) => ({ conversation_id: `c${index}`, messages: said(text) }))

test.each([
  ['nothing was imported', 'abcd', [], { kind: 'new' }],
  ['the same', 'abcd', ['abcd'], { kind: 'known', conversation_id: 'c0' }],
  ['an older export', 'ab', ['abcd'], { kind: 'known', conversation_id: 'c0' }],
  ['a newer export', 'abcd', ['ab'], { kind: 'grown', conversation_id: 'c0', from: 2 }],
  ['another branch', 'abx', ['abcd'], { kind: 'new' }],
  ['a branch that has grown', 'abxy', ['abcd', 'abx'], { kind: 'grown', conversation_id: 'c1', from: 3 }],
  ['a copy of one that has grown', 'abcdef', ['ab', 'abcd'], { kind: 'grown', conversation_id: 'c1', from: 4 }],
  ['one that is known and one that has grown', 'abcd', ['ab', 'abcd'], { kind: 'known', conversation_id: 'c1' }],
] as const)('%s', (_name, given, all, expected) => {
  expect(matchImport(said(given), earlier(...all))).toEqual(expected)
})

test('lone surrogates, which the database replaces, do not make a message another one', () => {
  const stored = [{ conversation_id: 'c', messages: [{ role: 'user', text: 'a\uFFFD' }] }] as const
  expect(matchImport([{ role: 'user', text: 'a\uD800' }], stored)).toEqual({ kind: 'known', conversation_id: 'c' })
})

test('importing the paths of any export, in any order, and again, loses and doubles nothing', () => {
  const paths = fc.array(
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }).map((one) => one.join('')),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(paths, (all) => {
      const kept: { conversation_id: string; messages: ImportMessage[] }[] = []
      const take = (text: string) => {
        const match = matchImport(said(text), kept)
        if (match.kind === 'new') kept.push({ conversation_id: String(kept.length), messages: said(text) })
        if (match.kind !== 'grown') return match.kind
        const found = kept.find(({ conversation_id }) => conversation_id === match.conversation_id)
        found?.messages.push(...said(text).slice(match.from))
        return match.kind
      }
      for (const text of all) take(text)
      expect(all.map(take)).toEqual(all.map(() => 'known'))
      const whole = kept.map(({ messages }) => messages.map(({ text }) => text).join(''))
      // Each conversation is one of the paths, and each path is in one of them.
      for (const text of whole) expect(all).toContain(text)
    }),
  )
})
