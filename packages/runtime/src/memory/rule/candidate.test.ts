import type { Memory } from '@tandem/contract/memory'
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

test.each([
  ['quoted', '> Backups go to backup.example.com.\n\nWhat do you think?'],
  ['in code', 'What is this?\n```\nscp dump backup.example.com:\n```'],
  ['pasted', `Look at this page:\n\n${'A line of the page that names backup.example.com.\n'.repeat(15)}`],
])('a host that is only %s by the user is not named by the user', (_how, person) => {
  const content = 'Backups go to backup.example.com.'
  const drawn = { memory_kind: 'semantic', subject: 'entity:backups', content, quotes: [] } as const
  expect(judge(drawn, saidIn(person).said)).toMatchObject({ authority: 'untrusted' })
  expect(judge(drawn, saidIn(person, 'So use backup.example.com; it is ours.').said)).toMatchObject({ authority: 'agent' })
})

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

test.each([
  ['the text', { content: `I prefer short mails with ${token}.` }],
  ['the subject', { subject: `entity:${token}` }],
  ['a tag', { tags: [token] }],
  ['a quote', { quotes: [{ message_id: 'm-1', excerpt: token }] }],
  [
    'a step',
    {
      procedure: {
        ...{ steps: [{ tool: 'shell.run', shape: 'command', command: `deploy ${token}` }], distiller: 'heuristic' as const },
        ...{ successes: 1, failures: 0 },
      },
    },
  ],
])('a secret in %s is refused', (_, fields) => {
  expect(judge({ ...candidate, ...fields }, saidIn(text).said)).toEqual({ ok: false, reason: 'secret' })
})

const page = 'Welcome. Releases are announced on the second Tuesday of every month, in the forum.'
const conclusion = (content: string, memory_kind: 'semantic' | 'procedural' = 'semantic') =>
  ({ memory_kind, subject: 'entity:releases', content, quotes: [] }) as const
const withPage = (person: string): Said => ({
  persons: () => person,
  person: [person],
  tools: [JSON.stringify({ text: page })],
  workspace: null,
})

test('what a tool returned is no conclusion, unless the user wrote it too', () => {
  const copied = conclusion('Releases are announced on the second Tuesday of every month.')
  expect(judge(copied, withPage('Read the page, please.'))).toEqual({ ok: false, reason: 'from_tool' })
  expect(judge(copied, withPage('Releases are announced on the second Tuesday of every month.'))).toMatchObject({ authority: 'agent' })
  expect(judge(conclusion('The release page changes often, so read it again.'), withPage('Go.'))).toMatchObject({ authority: 'agent' })
})

test('a statement that rests on words of the user, but repeats a page, waits for the user', () => {
  const words = 'Remember when releases are announced.'
  const copied = { ...conclusion('Releases are announced on the second Tuesday.'), quotes: [{ message_id: 'm-1', excerpt: words }] }
  expect(judge(copied, withPage(words))).toMatchObject({ ok: true, authority: 'untrusted' })
})

test('what was recalled is no new conclusion; a change of a memory and a procedure may repeat it', () => {
  const { said } = saidIn('Go on.')
  const recalled = ['{"memories":[{"content":"Anna leads the billing team in Lisbon."}]}']
  const copied = conclusion('Anna leads the billing team in Lisbon.')
  const known = { content: 'Anna leads the billing team.' } as Memory
  expect(judge(copied, { ...said, recalled })).toEqual({ ok: false, reason: 'recalled' })
  expect(judge({ ...copied, updates: known }, { ...said, recalled })).toMatchObject({ ok: true })
  expect(judge(conclusion('Anna is on holiday until the end of May.'), { ...said, recalled })).toMatchObject({ ok: true })
})

test.each([
  ['The user said thanks.', 'small_talk'],
  ['We had a nice conversation about the weather.', 'small_talk'],
  ['The user seems very happy.', 'small_talk'],
  ['The function parse() is defined in src/parse.ts.', 'in_code'],
  ['package.json lists vitest.', 'in_code'],
])('the conclusion "%s" is dropped: %s', (content, reason) => {
  expect(judge(conclusion(content), saidIn('Go.').said)).toEqual({ ok: false, reason })
})

test.each(['The tests need a running database.', 'The thank-you page converts badly.', 'The build reads package.json and src/main.ts.'])(
  'the conclusion "%s" is kept',
  (content) => {
    expect(judge(conclusion(content), saidIn('Go.').said)).toMatchObject({ ok: true })
  },
)
