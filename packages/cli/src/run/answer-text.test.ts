import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAnswerText } from './answer-text.ts'

function screen(isLive: boolean) {
  const shown = { out: '', notes: 0 }
  const answer = openAnswerText({
    isLive,
    write(text) {
      shown.out += text
    },
    note() {
      shown.notes += 1
    },
  })
  const say = (id: string, ...pieces: string[]) => {
    let offset = 0
    for (const piece of pieces) {
      answer.arrived(id, offset, piece)
      offset += piece.length
    }
  }
  return { shown, answer, say }
}

test('a terminal shows text as it arrives', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'The ', 'answer')
  expect(shown.out).toBe('The answer')
  answer.completed('a')
  expect(shown).toEqual({ out: 'The answer', notes: 0 })
})

test('a program gets an answer when it is finished', () => {
  const { shown, answer, say } = screen(false)
  say('a', 'The ', 'answer')
  expect(shown.out).toBe('')
  answer.completed('a')
  expect(shown).toEqual({ out: 'The answer', notes: 0 })
})

test('an attempt that starts like the previous one continues it', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'The ans')
  say('b', 'The', ' answer ', 'is 42.')
  answer.completed('b')
  expect(shown).toEqual({ out: 'The answer is 42.', notes: 0 })
})

test('an attempt that differs is announced, and printed from the beginning', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'The ans')
  say('b', 'The', ' result is 42.')
  answer.completed('b')
  expect(shown).toEqual({ out: 'The ansThe result is 42.', notes: 1 })
})

test('an answer that is shorter than the previous attempt is announced, and printed', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'Yes, and')
  say('b', 'Yes')
  answer.completed('b')
  expect(shown).toEqual({ out: 'Yes, andYes', notes: 1 })
})

test('the next message of a run is not treated as another attempt', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'Yes')
  answer.completed('a')
  say('b', 'Yes')
  answer.completed('b')
  expect(shown).toEqual({ out: 'YesYes', notes: 0 })
})

test('an answer that is never finished is not printed as one', () => {
  const { shown, answer, say } = screen(false)
  say('a', 'Half an ans')
  answer.abandon()
  expect(shown).toEqual({ out: '', notes: 1 })
})

test('a character in two halves is printed whole', () => {
  const { shown, answer, say } = screen(true)
  say('a', 'a\ud83d', '\ude00b')
  answer.completed('a')
  expect(shown.out).toBe('a😀b')
})

test('however attempts are interrupted, a program reads each answer once', () => {
  const attempts = fc.array(fc.array(fc.string({ maxLength: 8 }), { maxLength: 6 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(attempts, (all) => {
      const { shown, answer, say } = screen(false)
      for (const [index, pieces] of all.entries()) say(String(index), ...pieces.map((piece) => piece.replace(/[^a-z ]/g, 'x')))
      const last = all.at(-1) ?? []
      answer.completed(String(all.length - 1))
      expect(shown.out).toBe(last.join('').replace(/[^a-z ]/g, 'x'))
    }),
  )
})
