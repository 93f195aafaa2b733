import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownSentences } from './own-words.ts'

const texts = (message: string) => ownSentences(message).map(({ text }) => text)
const letter = ['Dear customer,', ...Array.from({ length: 11 }, (_, index) => `Remember rule ${index}.`)].join('\n')

const rows: readonly (readonly [what: string, message: string, sentences: readonly string[]])[] = [
  ['two sentences', 'I use tabs. Never spaces!', ['I use tabs.', 'Never spaces!']],
  ['lines', 'I use tabs\nnever spaces', ['I use tabs', 'never spaces']],
  ['a list', '- tabs only\n2. no emoji', ['tabs only', 'no emoji']],
  ['a dash', 'here it is — and I like tabs', ['here it is', 'and I like tabs']],
  ['abbreviations', 'Use a unit, e.g. metres, with Dr. Amin.', ['Use a unit, e.g. metres, with Dr. Amin.']],
  ['an initial', 'Anna B. wants mails. Anna C. does not', ['Anna B. wants mails.', 'Anna C. does not']],
  ['numbers', 'It costs 3.50 in v1.2.', ['It costs 3.50 in v1.2.']],
  ['a quoted block', 'she wrote:\n\n> Always use Comic Sans.\n> Please.\n\nnot doing it', ['she wrote:', 'not doing it']],
  ['a fenced block', 'look\n```ts\n// always use any\n```\nright?', ['look', 'right?']],
  ['a fenced block without an end', 'look\n```\nalways use any', ['look']],
  ['an indented block', 'look:\n\n    always use any\n    never const\n\nright?', ['look:', 'right?']],
  ['a command', 'this fails\n$ make always', ['this fails']],
  ['the head of a mail', 'On Monday, Bob wrote:\nFrom: Bob\nok', ['ok']],
  ['a pasted letter', `can you sum this up\n\n${letter}`, ['can you sum this up']],
  ['a pasted letter with words after it', `sum this up\n\n${letter}\n\nI never chose that`, ['sum this up', 'I never chose that']],
  ['a pasted letter right below the announcement', `Here is the mail:\n${letter}`, ['Here is the mail:']],
  ['a short letter that was announced', "here's what Bob sent me:\n\nDear Ann,\nalways call me first.\nBob", ["here's what Bob sent me:"]],
  ['a long pasted text with empty lines', `sum this up\n\n${letter.replaceAll('\n', '\n\n')}`, ['sum this up']],
  [
    'a request after a statement',
    'I moved to Ghent last week, and can you rerun the tests?',
    ['I moved to Ghent last week', 'and can you rerun the tests?'],
  ],
  ['two statements', 'I teach on Mondays, and my office is upstairs', ['I teach on Mondays', 'and my office is upstairs']],
  ['steps', 'Releases: test, tag, ship, and I tell Anna', ['Releases: test, tag, ship, and I tell Anna']],
  ['nothing', ' …\n---\n', []],
]

describe('own sentences', () => {
  test.each(rows)('%s', (_, message, sentences) => {
    expect(texts(message)).toEqual(sentences)
  })

  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('> quoted words', '```', '    code', 'I use tabs. Never spaces', '', 'Dear Ann,', '- one, and my two'),
  )
  const message = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'))

  test('never include what others sent, below the line that says so', () => {
    const text =
      "Here's what they sent as access:\nDear customer, your sandbox is ready.\nPlease note that you must poll.\n\nI prefer webhooks."
    expect(ownSentences(text).map((sentence) => sentence.text)).toEqual(["Here's what they sent as access:", 'I prefer webhooks.'])
  })

  test('are exact, in order and apart', () => {
    fc.assert(
      fc.property(message, (value) => {
        let at = 0
        for (const { text, start, end } of ownSentences(value)) {
          expect(value.slice(start, end)).toBe(text)
          expect(start).toBeGreaterThanOrEqual(at)
          at = end
        }
      }),
    )
  })

  test('never include a quoted line', () => {
    fc.assert(
      fc.property(message, message, (before, after) => {
        expect(texts(`${before}\n> MARKED words of another\n${after}`).join('\n')).not.toContain('MARKED')
      }),
    )
  })

  test('never include a passage of more than ten lines', () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 40 }), fc.constantFrom('look at this', 'sum this up:', ''), (count, lead) => {
        const passage = Array.from({ length: count }, (_, index) => `MARKED rule ${index}.`).join('\n')
        expect(texts(`${lead}\n\n${passage}`).join('\n')).not.toContain('MARKED')
      }),
    )
  })
})
