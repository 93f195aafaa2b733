import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostCharacters } from './extract-with-model.ts'
import { inParts } from './transcript-parts.ts'
import type { ReadMessage } from './unread.ts'

const message = (text: string, at: number): ReadMessage => ({ message_id: `m${at}`, author: 'person', text, at, run_id: 'r' })
const words = fc.array(fc.constantFrom('tea', 'boat', 'harbour', 'x'.repeat(30_000), 'y '.repeat(9_000)), { maxLength: 8 })

test('every message is read, in its order, and no part is too long for one call', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 6 }), (texts) => {
      const messages = texts.map((list, at) => message(list.join(' '), at))
      const parts = inParts(messages)
      for (const { message_id, text } of messages)
        expect(
          parts
            .flat()
            .filter((one) => one.message_id === message_id)
            .map((one) => one.text)
            .join(''),
        ).toBe(text)
      expect(parts.flat().map(({ at }) => at)).toEqual(
        parts
          .flat()
          .map(({ at }) => at)
          .toSorted((left, right) => left - right),
      )
      for (const part of parts) {
        const length = part.reduce((sum, { text }) => sum + text.length + '[m1] user: '.length + 2, 0)
        expect(length).toBeLessThanOrEqual(mostCharacters)
      }
    }),
  )
})

test('a secret is masked before a long message is cut', () => {
  const text = `${'word '.repeat(4_790)}ghp_0123456789abcdefghijABCDEFGHIJ012345 ${'word '.repeat(100)}`
  const parts = inParts([message(text, 0)]).flat()
  expect(parts.length).toBe(2)
  expect(parts.map((one) => one.text).join('')).toContain('[secret]')
})
