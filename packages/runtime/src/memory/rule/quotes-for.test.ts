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

test.each([
  ['The user likes tabs.', "I don't like tabs."],
  ['The user wants emails on Sundays.', 'Please, no emails on Sundays.'],
  ['The user does not want emails on Sundays.', 'I want emails on Sundays.'],
  ['The user prefers tabs.', 'I prefer spaces, not tabs.'],
  ['The user wants tabs, never spaces.', 'Spaces, never tabs.'],
  ['The user wants semicolons.', "I don't want tabs, semicolons, or trailing commas."],
  ['The user wants semicolons.', 'I want no tabs and semicolons.'],
  ['The user deploys on Fridays.', 'We avoid deploys on Fridays.'],
  ['Releases happen without tests.', 'Never release without tests.'],
  ['The user drinks coffee with sugar.', 'No coffee with sugar, please.'],
])('%s: "%s" states the opposite', (content, text) => {
  expect(quoted(content, text)).toEqual([])
})

test.each([
  ['The user dislikes tabs.', "I don't like tabs."],
  ['The user prefers spaces.', "I don't like tabs, I prefer spaces."],
  ['The user uses spaces.', "I don't use tabs and use spaces."],
  ['The user prefers spaces, not tabs.', 'I prefer spaces, not tabs.'],
  ['Commits always have tests.', 'Never commit without tests.'],
  ['The user wants the tests run before a release.', "Don't forget to run the tests before a release."],
  ['The user drinks oat milk in the morning without sugar.', 'I drink oat milk in the morning.'],
  ['The user drinks coffee without sugar.', 'I drink my coffee without sugar.'],
  ['The user wants dark mode.', 'No, I want dark mode.'],
  ['The user never wants emails on Sundays.', 'Please, no emails on Sundays.'],
  ['Deploys are never on Fridays.', 'We avoid deploys on Fridays.'],
  ['The report has not only charts but tables.', 'The report needs not only charts but tables.'],
])('%s: "%s" states it', (content, text) => {
  expect(quoted(content, text)).toEqual([text])
})
