import { expect, test } from 'vitest'
import { judge, type Said } from './candidate.ts'

const text = 'I prefer short mails. Send them from mail.example.com, please.'
const quotes = [{ message_id: 'm-1', excerpt: 'I prefer short mails' }]
const candidate = { memory_kind: 'preference', subject: 'user', content: 'I prefer short mails.', quotes } as const

/** Counts how often the whole conversation is read. */
function saidIn(...person: readonly string[]) {
  const read = { times: 0 }
  const said: Said = {
    persons: (id) => (id === 'm-1' ? text : undefined),
    get person() {
      read.times += 1
      return person
    },
    workspace: null,
  }
  return { said, read }
}

test('the conversation is read only for a statement that names something sensitive', () => {
  const { said, read } = saidIn(text)
  expect(judge(candidate, said)).toEqual({ ok: true, authority: 'person', quotes })
  expect(read.times).toBe(0)
  const host = { ...candidate, content: 'I prefer short mails from mail.example.com.' }
  expect(judge(host, said)).toEqual({ ok: true, authority: 'person', quotes })
  expect(read.times).toBe(1)
})

test('a statement with a host that the user never named is not trusted', () => {
  const { said } = saidIn('I prefer short mails.')
  expect(judge({ ...candidate, content: 'I prefer short mails from mail.example.com.' }, said)).toMatchObject({ authority: 'untrusted' })
})
