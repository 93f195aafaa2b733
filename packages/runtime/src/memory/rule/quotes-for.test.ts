import { expect, test } from 'vitest'
import { quotesFor } from './quotes-for.ts'

const quoted = (content: string, text: string) => quotesFor(content, [{ message_id: 'm', text }]).map(({ excerpt }) => excerpt)

test('what the user said is quoted, also if it was put as a request', () => {
  expect(quoted('The user wants answers in German.', 'Fine. Can you always give answers in German?')).toEqual([
    'Can you always give answers in German?',
  ])
  expect(quoted('The database is Postgres.', 'What a day! We use Postgres as the database.')).toEqual(['We use Postgres as the database.'])
})

test.each([
  ['The user does not want tabs in Go files.', 'Do not use tabs in Go files, ok?'],
  ['Code examples are always in TypeScript.', 'When you write code examples, always use TypeScript, okay?'],
  ['The user wants answers in German.', 'Do you mind answering in German from now on?'],
  ['Invoices are always sent as PDF.', 'How about you always send invoices as PDF?'],
])('%s: %s states it', (content, text) => {
  expect(quoted(content, text)).toEqual([text])
})

test('a question is not what the user said', () => {
  expect(quoted('The database is Postgres.', 'Should the database be Postgres?')).toEqual([])
  expect(quoted('The janitor feeds the parrots.', 'And who feeds the parrots?')).toEqual([])
  expect(quoted('The database is Postgres.', 'How about Postgres as the database?')).toEqual([])
  expect(quoted('The database is Postgres.', 'Should the database be Postgres, yes?')).toEqual([])
  expect(quoted('The billing service is maintained by Ana.', 'Is the billing service maintained by Ana, please?')).toEqual([])
  expect(quoted('The deploy command is make ship.', 'What is the deploy command, please?')).toEqual([])
  expect(quoted('The user prefers dark mode.', 'Hey, do I have to use the dark mode?')).toEqual([])
})
