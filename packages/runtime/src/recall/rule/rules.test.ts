import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frequency, rarity } from './bm25.ts'
import { dateWords } from './date-words.ts'
import { excerptOf } from './excerpt.ts'
import { picked, tokensOf } from './pick.ts'
import { characterParts, namedSpeakers, telling } from './query.ts'
import { type Candidate, type Ranked, ranked, weights } from './rank.ts'

const none = { group: null, before: null, after: null, isNamedSpeaker: false }
const candidate = (no: number, rest: Partial<Candidate>): Candidate => ({ no, ...none, ...rest })
const idOf = (no: number) => `t${no}`

describe('the ranking', () => {
  test('each signal adds its share, scaled over the candidates', () => {
    const [first, second, third] = ranked(
      [
        candidate(1, { text: 8, group: 7, after: 2 }),
        candidate(2, { text: 4, group: 7, before: 1, after: 3, isNamedSpeaker: true }),
        candidate(3, { text: 2, group: 9, before: 2, characters: 5, meaning: 0.4 }),
      ],
      new Map([
        [7, 10],
        [9, 2],
      ]),
      idOf,
    )
    expect(third?.no).toBe(2)
    expect(first).toMatchObject({
      no: 3,
      shares: { text: 0, group: 0, characters: weights.characters, meaning: weights.meaning, speaker: 0 },
    })
    expect(first?.shares.neighbors).toBeCloseTo(weights.neighbors / 3)
    expect(second?.shares).toMatchObject({ text: weights.text, group: weights.group })
    expect(third?.shares.speaker).toBe(weights.speaker)
    expect(third?.shares.neighbors).toBeCloseTo(weights.neighbors)
  })

  test('the least match of characters counts too', () => {
    const some = [candidate(1, { characters: 5 }), candidate(2, { characters: 4 }), candidate(3, { text: 1 })]
    expect(ranked(some, new Map(), idOf).map(({ no, shares }) => [no, shares.characters])).toEqual([
      [1, weights.characters],
      [3, 0],
      [2, 0.8 * weights.characters],
    ])
  })

  const score = fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: undefined })
  const anyCandidate = fc.record({
    text: score,
    characters: score,
    meaning: score,
    isNamedSpeaker: fc.boolean(),
    group: fc.option(fc.nat(4)),
  })

  test('is the same for the same candidates in any order, and every score is the sum of its shares', () => {
    fc.assert(
      fc.property(
        fc.array(anyCandidate, { maxLength: 12 }),
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { maxLength: 5 }),
        (some, groups) => {
          const all = some.map(({ text, characters, meaning, ...rest }, no) =>
            candidate(no, {
              ...rest,
              ...(text === undefined ? {} : { text }),
              ...(characters === undefined ? {} : { characters }),
              ...(meaning === undefined ? {} : { meaning }),
            }),
          )
          const scores = new Map(groups.map((value, no) => [no, value]))
          const best = ranked(all, scores, idOf)
          expect(ranked(all.toReversed(), scores, idOf)).toEqual(best)
          for (const { score: total, shares } of best) {
            expect(total).toBeCloseTo(Object.values(shares).reduce((sum, share) => sum + share, 0))
          }
        },
      ),
    )
  })
})

test('a word says more the rarer it is, the more often it occurs, and the shorter the text is', () => {
  expect(rarity(1, 100)).toBeGreaterThan(rarity(10, 100))
  expect(rarity(90, 100)).toBe(1e-6)
  expect(frequency(1, 1)).toBe(1)
  expect(frequency(2, 1)).toBeGreaterThan(frequency(1, 1))
  expect(frequency(1, 0.5)).toBeGreaterThan(frequency(1, 2))
  expect(frequency(1e6, 1)).toBeCloseTo(2.2, 4)
})

describe('what becomes a hit', () => {
  const ranking = (groups: readonly (number | null)[]): Ranked[] =>
    groups.map((group, no) => ({ no, group, score: 10 - no, shares: { ...weights } }))
  const plain = { k: 10, max_tokens: Number.POSITIVE_INFINITY, diverse: false }

  test('groups take turns when that is asked', () => {
    const texts = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
    const nos = (diverse: boolean) =>
      picked(ranking([1, 1, 2, null, 2]), (no) => texts[no] ?? '', { ...plain, diverse }).map(({ no }) => no)
    expect(nos(false)).toEqual([0, 1, 2, 3, 4])
    expect(nos(true)).toEqual([0, 2, 3, 1, 4])
  })

  test('near-duplicates are one hit that names the others', () => {
    const texts = [
      'The rent is due on the first of May, please',
      'the rent is due on the first of may please!',
      'The rent is due on the tenth',
    ]
    expect(picked(ranking([null, null, null]), (no) => texts[no] ?? '', plain).map(({ no, duplicates }) => [no, duplicates])).toEqual([
      [0, [1]],
      [2, []],
    ])
    const facts = [
      'Ann paid Bob',
      'Bob paid Ann',
      'the rent of the new flat in the old town is 450',
      'the rent of the new flat in the old town is 460',
    ]
    expect(picked(ranking([null, null, null, null]), (no) => facts[no] ?? '', plain)).toHaveLength(4)
    // Of short texts every word counts.
    expect(picked(ranking([null, null]), (no) => ['rent due', 'rent paid'][no] ?? '', plain)).toHaveLength(2)
  })

  test('a token budget is never exceeded, and a long text does not keep shorter ones out', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 20 }), fc.nat(300), (texts, max_tokens) => {
        const hits = picked(ranking(texts.map(() => null)), (no) => texts[no] ?? '', { ...plain, k: 50, max_tokens })
        expect(hits.reduce((sum, { no }) => sum + tokensOf(texts[no] ?? ''), 0)).toBeLessThanOrEqual(max_tokens)
      }),
    )
    const texts = ['long '.repeat(100), 'short']
    expect(picked(ranking([null, null]), (no) => texts[no] ?? '', { ...plain, max_tokens: 20 }).map(({ no }) => no)).toEqual([1])
  })
})

describe('a query', () => {
  test('leaves out words that are in many texts, unless nothing else is left', () => {
    const word = (term: string, texts: number) => ({ term, texts })
    expect(telling([word('the', 900), word('red', 20), word('boat', 12), word('mast', 0)], 1000)).toEqual({
      finding: [word('boat', 12), word('red', 20)],
      ordering: [],
    })
    expect(telling([word('the', 900), word('is', 800), word('of', 850)], 1000)).toEqual({ finding: [word('is', 800)], ordering: [] })
    expect(telling([word('the', 40), word('boat', 1)], 40).finding).toHaveLength(2)
  })

  test('finds texts by its rarest words, and orders them by some of the others', () => {
    const word = (term: string, texts: number) => ({ term, texts })
    expect(telling([word('a', 700), word('b', 300), word('c', 400), word('d', 100), word('e', 20_000)], 50_000)).toEqual({
      finding: [word('d', 100), word('b', 300), word('c', 400)],
      ordering: [word('a', 700)],
    })
    const many = Array.from({ length: 40 }, (_, no) => word(`w${no}`, 2_000 + no))
    expect(telling(many, 50_000)).toEqual({ finding: many.slice(0, 1), ordering: many.slice(1, 16) })
    const rare = Array.from({ length: 40 }, (_, no) => word(`w${no}`, 1 + no))
    expect(telling([...rare, word('x', 900)], 50_000)).toEqual({ finding: rare, ordering: [] })
  })

  test('names speakers by whole words', () => {
    expect([...namedSpeakers('What did Ann tell Mary-Lou?', ['Ann', 'Anna', 'Mary Lou', 'Lou', ''])]).toEqual(['Ann', 'Mary Lou', 'Lou'])
  })

  test.each([
    ['where is src/app.ts', ['src/app.ts'], []],
    ['the error in parseUserInput()', ['parseUserInput'], []],
    ['which version, v2.4.1 or 2.5?', ['v2.4.1', '2.5'], []],
    ['what about room 12b at 17:30', ['17:30'], []],
    ['max_retries and --no-color', ['max_retries'], []],
    ['When do we meet?', [], []],
    ['明日の会議', ['明日の', '日の会', 'の会議'], []],
    ['会議 room', [], ['会議']],
  ])('%s is also looked for by the characters %j', (query, parts, short) => {
    expect(characterParts(query)).toEqual({ parts, short })
  })
})

test('a date is written as people name it', () => {
  expect(dateWords(Date.UTC(2026, 2, 2, 8))).toBe('2 March 2026 Monday')
  expect(dateWords(Number.NaN)).toBe('')
})

describe('an excerpt', () => {
  test('shows the matched part of a long text', () => {
    const text = `${'start '.repeat(80)}the boat is called Merle ${'end '.repeat(80)}`
    const at = text.indexOf('boat')
    const shown = excerptOf(text, [[at, at + 4]])
    expect(shown).toContain('the boat is called Merle')
    expect([shown.startsWith('…'), shown.endsWith('…'), shown.length < 300]).toEqual([true, true, true])
  })

  test('is never longer than it may be and never halves a character', () => {
    const anyText = fc.array(fc.constantFrom('word ', '😀', 'é', '会議', ' \n'), { maxLength: 400 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(2000), { maxLength: 8 }), (text, starts) => {
        const marks = starts.filter((at) => at + 2 <= text.length).sort((left, right) => left - right)
        const shown = excerptOf(
          text,
          marks.map((at) => [at, at + 2] as const),
        )
        expect(shown.length).toBeLessThanOrEqual(285)
        expect(shown.isWellFormed()).toBe(true)
      }),
    )
  })
})
