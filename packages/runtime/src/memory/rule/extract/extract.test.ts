import { memoryKinds } from '@tandem/contract/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasSecret } from '../secret/secrets.ts'
import { extractMemories, type SpokenMessage } from './extract.ts'

const spoken = (text: string, rest: Partial<SpokenMessage> = {}): SpokenMessage => ({
  text,
  workspace: 'garden',
  at: '2026-03-01T09:00:00.000Z',
  before: [],
  ...rest,
})
const contents = (text: string, rest?: Partial<SpokenMessage>) => extractMemories(spoken(text, rest)).map(({ content }) => content)

test('a memory has its kind, subject, words and signals', () => {
  const text = 'thanks! I prefer short answers. can you rerun it?'
  expect(extractMemories(spoken(text))).toEqual([
    {
      memory_kind: 'preference',
      subject: 'user',
      content: 'I prefer short answers.',
      quote: { start: 8, end: 31 },
      revokes: null,
      confidence: 0.6,
      isTentative: false,
      isHint: false,
      signals: ['states a liking'],
    },
  ])
})

const kindRows = [
  ['preference', 'user', 'I hate it when people write "utilize"'],
  ['preference', 'user', 'please stop adding summaries at the end'],
  ['preference', 'user', 'when you plan my week, leave Monday mornings empty'],
  ['decision', 'workspace:garden', 'we decided to use oak, since it lasts'],
  ['decision', 'workspace:garden', "we're dropping the hedge because of the frost"],
  ['semantic', 'user', 'I teach statistics at the evening school'],
  ['semantic', 'workspace:garden', 'the shed belongs to the neighbour'],
  ['relationship', 'entity:Jonas Berg', 'Jonas Berg is my gardener, he waters twice a week'],
  ['relationship', 'entity:Greta Holm', 'Greta Holm only answers by mail'],
  ['procedural', 'workspace:garden', 'to plant a tree: dig, water, set the tree, then fill and water again'],
  ['episodic', 'workspace:garden', 'the greenhouse collapsed on 3 March'],
] as const

describe('what becomes a memory', () => {
  test.each(kindRows)('%s about %s: %s', (memory_kind, subject, text) => {
    expect(extractMemories(spoken(text)).map((memory) => [memory.memory_kind, memory.subject])).toEqual([[memory_kind, subject]])
  })

  test('without a workspace, a decision is about the user', () => {
    expect(extractMemories(spoken('we decided to use oak', { workspace: null }))[0]?.subject).toBe('user')
  })
})

describe('what does not', () => {
  test.each([
    ['a question', 'do you always answer this fast?'],
    ['a question without a mark', 'what do people usually prefer'],
    ['a hypothetical', 'what if we always sorted by date'],
    ['a wish that is not decided', 'maybe we should move to Berlin'],
    ['a one-off request', 'rename the file and move it to docs'],
    ['a polite request', 'please send it to Anna'],
    ['small talk', 'what a week, the train was late'],
    ['thanks', 'thanks, that helps a lot'],
    ['a passing state', 'the build is broken again'],
    ['a remark about the agent', 'you always forget the alt text'],
    ['what someone asked', 'he asked if we could use the other one'],
    ['a choice of the moment', 'I prefer the second one'],
    ['a quote', 'he wrote:\n> from now on always use tabs'],
    ['code', '```\n// always use tabs\n```'],
    ['a quotation in the sentence', 'the sign says "always keep the door closed and never smoke here"'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(contents(text)).toEqual([])
  })
})

describe('a memory can be read alone', () => {
  test('a pronoun becomes the one name before it', () => {
    expect(contents('Helen Marsh coordinates the beds. She only reads letters')).toEqual([
      'Helen Marsh coordinates the beds.',
      'Helen Marsh only reads letters.',
    ])
  })

  test('a name from an earlier message of the person, never of the agent', () => {
    const before = [
      { author: 'person', text: 'I met Helen Marsh' },
      { author: 'agent', text: 'Peter Quinn is nicer.' },
    ] as const
    expect(contents('she only reads letters', { before })).toEqual(['Helen Marsh only reads letters.'])
  })

  test('with two names it takes the earlier sentence along', () => {
    expect(contents('I met Helen Marsh and Ruth Bell. She only reads letters')).toEqual([
      'I met Helen Marsh and Ruth Bell. She only reads letters.',
    ])
  })

  test('a sentence that leans on one that is no memory takes it along', () => {
    expect(contents('lose the exclamation mark. I never use them in mails')).toEqual([
      'Lose the exclamation mark. I never use them in mails.',
    ])
  })

  test('sentences that make one statement are one memory', () => {
    const text = 'The old mower was a mistake. We use the electric one from now on. No exceptions'
    expect(extractMemories(spoken(text)).map(({ content, quote }) => [content, text.slice(quote.start, quote.end)])).toEqual([
      [`${text}.`, text],
    ])
  })
})

describe('words that end an earlier memory', () => {
  test.each([
    ['scrap Trello, we use a shared list now', ['trello']],
    ['we no longer support Windows', ['support', 'windows']],
    ['instead of Trello we use a shared list now', ['trello']],
    ["we're back to semicolons, everywhere", ['semicolons']],
    ['joi out, ajv in', ['joi']],
    ["we're replacing oak with pine", ['oak']],
    ['I switched from Chrome to Firefox', ['chrome']],
    ["Pieter isn't the junior any more, he leads the team now", ['junior']],
    ['the rain barrel is dead, we take the well', ['rain', 'barrel']],
    ['the opening moves to 18 May', ['opening']],
    ['we decided that data goes to the archive, not Zenodo, from now on', ['zenodo']],
    ["we decided that the brunch isn't happening", ['decided', 'brunch']],
    ['we decided to drop that Friday thing', ['friday']],
    ['we decided to keep the hedge', null],
  ])('%s', (text, words) => {
    expect(extractMemories(spoken(text)).map(({ revokes }) => revokes)).toEqual([words === null ? null : { words }])
  })
})

describe('secrets', () => {
  test('what is said beside a secret is kept, the secret is not', () => {
    const text = 'the shed network is called Rosebud, passphrase: Tulip-9-fox. And we decided to keep the hedge'
    expect(contents(text)).toEqual(['The shed network is called Rosebud.', 'We decided to keep the hedge.'])
  })

  test('no quote contains one', () => {
    const text = 'I always use password: Tulip-9-fox. never with cash'
    for (const { quote } of extractMemories(spoken(text))) expect(text.slice(quote.start, quote.end)).not.toContain('Tulip')
  })
})

describe('any message', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      ...kindRows.map(([, , text]) => text),
      'password: Tulip-9-fox',
      '> always use tabs',
      'she never reads mail',
      'scrap that',
      '\n',
      'AKIA' + 'Q7WLZ2XNB5VKD9RM',
    ),
  )
  const message = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('. '))

  test('gives memories that rest on its words and contain no secret', () => {
    fc.assert(
      fc.property(message, fc.array(message, { maxLength: 3 }), (text, earlier) => {
        const before = earlier.map((one, index) => ({ author: index % 2 === 0 ? ('person' as const) : ('agent' as const), text: one }))
        for (const memory of extractMemories(spoken(text, { before }))) {
          expect(memoryKinds).toContain(memory.memory_kind)
          expect(memory.subject).toMatch(/^(?:user|(?:workspace|entity):.{1,200})$/s)
          expect(memory.content).not.toBe('')
          expect(hasSecret(memory.content)).toBe(false)
          const words = text.slice(memory.quote.start, memory.quote.end)
          expect(words.trim()).not.toBe('')
          expect(words).not.toContain('Tulip-9')
          expect(words).not.toContain('AKIA')
          expect(memory.confidence).toBeGreaterThan(0)
          expect(memory.confidence).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('gives the same memories every time', () => {
    fc.assert(
      fc.property(message, (text) => {
        expect(extractMemories(spoken(text))).toEqual(extractMemories(spoken(text)))
      }),
    )
  })

  test('what an agent said before never becomes content', () => {
    fc.assert(
      fc.property(message, (text) => {
        const before = [{ author: 'agent' as const, text: 'Anna MARKED only reads letters.' }]
        for (const { content } of extractMemories(spoken(text, { before }))) expect(content).not.toContain('MARKED')
      }),
    )
  })
})

test.each([
  ['So no skylight.', 'change'],
  ['bring the summary forward, 7:45', 'change'],
  ["I'm drinking coffee again", 'hint'],
  ["we're not going to the fair after all", 'hint'],
  ['put it back where it was, please', null],
  ['is the shop open again?', null],
])('what only changes something is tentative: %s', (text, strength) => {
  const tentative = extractMemories(spoken(text)).filter(({ isTentative }) => isTentative)
  expect(tentative.map(({ isHint }) => (isHint ? 'hint' : 'change'))).toEqual(strength === null ? [] : [strength])
})

test('what would end on a condition has not ended', () => {
  const revoked = (text: string) => extractMemories(spoken(text)).flatMap(({ revokes }) => revokes?.words ?? [])
  expect(revoked("We hold the table 20 minutes, and the deposit's gone")).toEqual(['deposit'])
  expect(revoked("We hold the table 20 minutes, and if nobody answers, the deposit's gone")).toEqual([])
})

test.each(['a,b ', 'first then ', 'I never ', 'Anna Bell ', 'no more ', 'is my ', 'x', ': a, ', 'and I ', '. '])(
  'a very long message of nothing but "%s" ends within the time limit of the test, which it would not in quadratic time',
  (unit) => {
    for (const length of [480, 20_000, 400_000]) expect(extractMemories(spoken(unit.repeat(length / unit.length)))).toBeDefined()
  },
)
