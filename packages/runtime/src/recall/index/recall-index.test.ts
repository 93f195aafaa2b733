import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecallFilters } from '../answer.ts'
import type { RecallText } from '../text.ts'
import { RecallIndex } from './recall-index.ts'
import { cosine } from './vectors.ts'

let folder: string
let open: RecallIndex[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recall-'))
  open = []
})
afterEach(() => {
  for (const index of open) index.close()
  rmSync(folder, { recursive: true })
})

function openIndex(name = 'recall.db'): RecallIndex {
  const index = new RecallIndex(join(folder, name))
  open.push(index)
  return index
}

let made = 0
const fresh = () => openIndex(`${made++}.db`)

function text(id: string, said: string, rest: Partial<RecallText> = {}): RecallText {
  return { id, scope: 'notes/a', text: said, at: null, speaker: null, group: null, ...rest }
}

const put = (index: RecallIndex, texts: readonly RecallText[], removed: readonly string[] = []) =>
  index.apply({ space: 'notes', texts, removed })
const ids = (index: RecallIndex, query: string, rest: object = {}) =>
  index.search({ scope: ['notes/a'], query, k: 50, ...rest }, null).hits.map(({ id }) => id)

test('a text is found by its words in any form, with the words and the part that matched', () => {
  const index = openIndex()
  put(index, [text('1', 'The dentist moved both appointments to Friday'), text('2', 'Rui likes crème brûlée')])
  const [hit] = index.search({ scope: ['notes/a'], query: 'When is my appointment with the dentist?' }, null).hits
  expect(hit).toMatchObject({ id: '1', scope: 'notes/a', excerpt: 'The dentist moved both appointments to Friday', duplicates: [] })
  expect(hit?.words).toEqual(expect.arrayContaining(['dentist', 'appointments']))
  expect(hit?.coverage).toBeGreaterThan(0.2)
  expect(ids(index, 'creme brulee')).toEqual(['2'])
})

test('a text is found by its neighbors and by its group as well, and each says so', () => {
  const index = openIndex()
  const talk = (id: string, at: number, said: string, group: string) => text(id, said, { at, group })
  put(index, [
    talk('1', 1, 'Which paint shall we use for the hull?', 's1'),
    talk('2', 2, 'Take the blue one.', 's1'),
    talk('3', 3, 'Fine, and good night.', 's1'),
    talk('4', 4, 'Take the tram.', 's2'),
  ])
  const hits = index.search({ scope: ['notes/a'], query: 'painting hulls' }, null).hits
  expect(hits.map(({ id }) => id).slice(0, 2)).toEqual(['1', '2'])
  expect(hits[1]?.shares).toMatchObject({ group: 0.7, neighbors: 0.3 })
  expect(hits.map(({ id }) => id)).not.toContain('4')
})

test('a question about a time finds what was said then', () => {
  const index = openIndex()
  put(index, [text('1', 'We went sailing', { at: Date.UTC(2026, 4, 9) }), text('2', 'We went sailing again', { at: Date.UTC(2026, 6, 9) })])
  expect(ids(index, 'Where did we go in May?')[0]).toBe('1')
})

test('filters hold in every channel', () => {
  const index = openIndex()
  const vector = (value: number) => Float32Array.from([1, value])
  put(index, [
    text('1', 'green boat', { at: 10, speaker: 'Ann', group: 'g1' }),
    text('2', 'green boat two', { at: 20, speaker: 'Bob', group: 'g2' }),
    text('3', 'green boat three', { at: 30, speaker: 'Ann', group: 'g2' }),
  ])
  index.putVectors(
    'm 2',
    index.unembedded('m 2', ['notes'], 9).map((one) => ({ ...one, vector: vector(one.no) })),
  )
  for (const meant of [null, { model: 'm 2', vector: vector(2) }]) {
    const found = (filters: object) =>
      index
        .search({ scope: ['notes/a'], query: 'green boats', filters }, meant)
        .hits.map(({ id }) => id)
        .sort()
    expect(found({})).toEqual(['1', '2', '3'])
    expect(found({ after: 20 })).toEqual(['2', '3'])
    expect(found({ before: 20 })).toEqual(['1'])
    expect(found({ speaker: 'Ann' })).toEqual(['1', '3'])
    expect(found({ groups: ['g1'] })).toEqual(['1'])
    expect(found({ without_groups: ['g1'] })).toEqual(['2', '3'])
  }
})

test('code, paths and scripts without spaces are found by their characters', () => {
  const index = openIndex()
  put(index, [
    text('1', 'It fails in packages/app/src/readConfig.ts, line 4'),
    text('2', '明日の会議は三時からです'),
    text('3', 'Nothing to see'),
  ])
  expect(ids(index, 'what about src/readConfig?')).toEqual(['1'])
  expect(ids(index, '会議は何時から')).toEqual(['2'])
  expect(ids(index, '会議')).toEqual(['2'])
})

test('a query of any characters is answered, not parsed', () => {
  const index = openIndex()
  put(index, [text('1', 'plain words'), text('2', 'a "quoted" AND (bracketed) NEAR* text')])
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('"', '*', '(', ')', ' ', 'OR', ':', '{', '^', '-', 'a') })),
      (query) => {
        expect(Array.isArray(index.search({ scope: ['notes/a'], query }, null).hits)).toBe(true)
      },
    ),
  )
})

const word = fc.constantFrom('boat', 'rent', 'paint', 'hull', 'dentist', 'friday', 'green', 'ann', 'bob', 'sails', 'sailing', 'café')
const anyText = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
  scope: fc.constantFrom('notes/a', 'notes/b', 'notes/a b', 'notes/A', 'notes/scope1'),
  group: fc.option(fc.constantFrom('g1', 'g2')),
  at: fc.option(fc.integer({ min: 0, max: 5 })),
  speaker: fc.option(fc.constantFrom('Ann', 'Bob')),
})
const anyTexts = fc.array(anyText, { maxLength: 14 }).map((all) => all.map((one, index) => ({ id: `t${index}`, ...one })))
const anyQuery = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const scopes = ['notes/a', 'notes/b', 'notes/a b', 'notes/A', 'notes/scope1']

test('a search finds texts of its scopes only, and every text that has a word of the query', () => {
  fc.assert(
    fc.property(anyTexts, anyQuery, fc.subarray(scopes, { minLength: 1 }), (texts, query, scope) => {
      const index = fresh()
      put(index, texts)
      const hits = index.search({ scope, query, k: 50 }, null).hits
      for (const hit of hits) expect(scope).toContain(hit.scope)
      const found = new Set(hits.flatMap(({ id, duplicates }) => [id, ...duplicates]))
      const asked = query.split(' ')
      for (const one of texts) {
        if (scope.includes(one.scope) && one.text.split(' ').some((said) => asked.includes(said))) expect(found).toContain(one.id)
      }
    }),
    { numRuns: 30 },
  )
})

test('neither meaning nor filters find a text of another scope, or one that a filter leaves out', () => {
  const anyFilters = fc.record(
    {
      after: fc.integer({ min: 0, max: 5 }),
      before: fc.integer({ min: 0, max: 5 }),
      speaker: fc.constantFrom('Ann', 'Bob', 'Zoe'),
      groups: fc.subarray(['g1', 'g2', 'g3']),
      without_groups: fc.subarray(['g1', 'g2', 'g3']),
    },
    { requiredKeys: [] },
  )
  const vectorOf = (said: string) => Float32Array.from(['boat', 'rent', 'paint', 'ann'], (topic) => (said.includes(topic) ? 1 : 0.1))
  fc.assert(
    fc.property(
      anyTexts,
      anyQuery,
      fc.subarray(scopes, { minLength: 1 }),
      anyFilters,
      fc.boolean(),
      (texts, query, scope, filters, moved) => {
        const index = fresh()
        put(index, texts)
        const embed = () =>
          index.putVectors(
            'm',
            index.unembedded('m', ['notes'], 99).map((one) => ({ ...one, vector: vectorOf(one.text) })),
          )
        embed()
        // What was in one scope and is now in another is found only there, although its vector was in memory.
        const now = moved
          ? texts.map((one, at) => ({ ...one, scope: scopes[(at + scopes.indexOf(one.scope)) % scopes.length] as string }))
          : texts
        if (moved) index.search({ scope: scopes, query }, { model: 'm', vector: vectorOf(query) })
        if (moved) put(index, now)
        embed()
        const { hits } = index.search({ scope, query, filters, k: 50, channels: ['semantic'] }, { model: 'm', vector: vectorOf(query) })
        const found = hits.flatMap(({ id, duplicates }) => [id, ...duplicates]).toSorted()
        const wanted = now
          .filter((one) => scope.includes(one.scope) && isWithin(one, filters))
          .map(({ id }) => id)
          .toSorted()
        expect(found).toEqual(wanted)
      },
    ),
    { numRuns: 60 },
  )
})

function isWithin({ at, speaker, group }: RecallText, filters: RecallFilters): boolean {
  const { after, before, speaker: wanted, groups, without_groups: without } = filters
  return (
    (after === undefined || (at !== null && at >= after)) &&
    (before === undefined || (at !== null && at < before)) &&
    (wanted === undefined || speaker === wanted) &&
    (groups === undefined || (group !== null && groups.includes(group))) &&
    (without === undefined || group === null || !without.includes(group))
  )
}

test('the order of indexing, indexing twice and detours do not change an answer', () => {
  fc.assert(
    fc.property(anyTexts, fc.infiniteStream(fc.nat(1000)), anyQuery, (texts, order, query) => {
      const [straight, detour] = [fresh(), fresh()]
      put(straight, texts)
      const answer = (index: RecallIndex) => index.search({ scope: scopes.slice(0, 2), query, k: 50 }, null).hits
      const shuffled = texts.map((one) => ({ one, at: order.next().value })).sort((left, right) => left.at - right.at)
      for (const { one, at } of shuffled) {
        // From the first search on, what is in memory has to follow every change.
        if (at % 2 === 0) answer(detour)
        if (at % 3 === 0) put(detour, [{ ...one, text: 'boat rent paint', group: 'g1', at: 3, scope: 'notes/b' }])
        put(detour, [one])
        if (at % 5 === 0) put(detour, [], [one.id])
        if (at % 5 === 0) put(detour, [one])
      }
      put(detour, texts)
      expect(answer(detour)).toEqual(answer(straight))
    }),
    { numRuns: 30 },
  )
})

test('of a removed or changed text no byte is left in the file or beside it', () => {
  const secret = 'Xylophonequartz'
  const index = openIndex()
  const around = Array.from({ length: 200 }, (_, no) => text(`n${no}`, `ordinary words number ${no}`, { group: 'g', at: no }))
  put(index, [
    ...around.slice(0, 100),
    text('s', `the ${secret} is under the stone ${secret}`, { group: 'g', at: 100 }),
    ...around.slice(101),
  ])
  index.putVectors(
    'm 2',
    index.unembedded('m 2', ['notes'], 999).map((one) => ({ ...one, vector: Float32Array.from([1, 2]) })),
  )
  expect(ids(index, secret)).toContain('s')
  expect(bytes(secret)).toBeGreaterThan(0)
  put(index, [text('s', 'nothing at all', { group: 'g', at: 100 })])
  expect(ids(index, secret)).toEqual([])
  expect(bytes(secret)).toBe(0)
  put(index, [text('s', `the ${secret} again`, { group: 'g', at: 100 })])
  put(index, [], ['s'])
  expect([ids(index, secret), bytes(secret)]).toEqual([[], 0])
  expect(ids(index, 'ordinary words').length).toBeGreaterThan(10)
})

/** How often any part of the secret that identifies it is in the files, in any case. */
function bytes(secret: string): number {
  const parts = [secret, secret.slice(0, 8), secret.slice(-8)].map((part) => part.toLowerCase())
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1').toLowerCase())
    .flatMap((content) => parts.map((part) => content.split(part).length - 1))
    .reduce((sum, count) => sum + count, 0)
}

test('a space that is dropped leaves nothing of its own, and nothing of others goes', () => {
  const index = openIndex()
  put(index, [text('1', 'Quetzalcoatl feathers', { group: 'g' })])
  index.apply({ space: 'other', texts: [{ ...text('1', 'other words'), scope: 'other/a' }], removed: [] })
  index.drop('notes')
  expect(bytes('Quetzalcoatl')).toBe(0)
  expect(index.search({ scope: ['other/a'], query: 'words' }, null).hits).toHaveLength(1)
  expect([index.state('notes').is_whole, index.figures().texts]).toEqual([false, 1])
})

/** Texts are about topics: vectors of one topic are near each other, as those of real embedders are. */
const clusters = {
  // Each topic has more texts than are compared exactly.
  topics: { centers: 20, parts: 1, spread: 1.5 },
  'topics with parts': { centers: 20, parts: 25, spread: 1 },
}

test.each(Object.entries(clusters))(
  'of the 20 nearest of 10,000 vectors, %s, at least 98 %% are found',
  { timeout: 120_000 },
  (_shape, shape) => {
    const [count, rounds, seeds] = [10_000, 10, [1, 2, 3]]
    const index = openIndex()
    put(
      index,
      Array.from({ length: count }, (_, no) => text(`t${no}`, `text number ${no}`)),
    )
    let found = 0
    for (const seed of seeds) {
      const random = seeded(seed)
      const near = (vector: Float32Array, spread: number) => vector.map((value) => value + (random() - 0.5) * spread)
      const topics = Array.from({ length: shape.centers }, () => near(new Float32Array(512), 1))
      const centers = shape.parts === 1 ? topics : topics.flatMap((topic) => Array.from({ length: shape.parts }, () => near(topic, 1)))
      const center = (no: number) => centers[no % centers.length] as Float32Array
      const vectors = new Map<string, Float32Array>()
      const model = `m${seed}`
      index.putVectors(
        model,
        index.unembedded(model, ['notes'], count).map((one) => {
          const vector = near(center(one.no), shape.spread)
          vectors.set(one.text, vector)
          return { ...one, vector }
        }),
      )
      for (let round = 0; round < rounds; round += 1) {
        const query = near(center(round * 7), shape.spread)
        const exact = [...vectors].map(([said, vector]) => ({ said, similarity: cosine(query, vector) }))
        exact.sort((left, right) => right.similarity - left.similarity)
        const { hits } = index.search({ scope: ['notes/a'], query: '', k: 20, channels: ['semantic'] }, { model, vector: query })
        const best = new Set(hits.map(({ excerpt }) => excerpt))
        found += exact.slice(0, 20).filter(({ said }) => best.has(said)).length
      }
    }
    expect(found / (20 * rounds * seeds.length)).toBeGreaterThanOrEqual(0.98)
  },
)

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test('vectors of another model are never compared, and a changed text has none', () => {
  const index = openIndex()
  put(index, [text('1', 'one'), text('2', 'two')])
  const embed = (model: string, vector: Float32Array) =>
    index.putVectors(
      model,
      index.unembedded(model, ['notes'], 9).map((one) => ({ ...one, vector })),
    )
  const near = (model: string, vector: Float32Array) =>
    index.search({ scope: ['notes/a'], query: '', channels: ['semantic'] }, { model, vector }).hits.map(({ id }) => id)
  embed('a 2', Float32Array.from([1, 1]))
  expect(near('a 2', Float32Array.from([1, 1])).sort()).toEqual(['1', '2'])
  expect(near('b 3', Float32Array.from([1, 1, 1]))).toEqual([])
  expect(near('a 3', Float32Array.from([1, 1, 1]))).toEqual([])
  const [stale] = index.unembedded('b 3', ['notes'], 1)
  put(index, [text('2', 'two, but changed')])
  if (stale) index.putVectors('b 3', [{ ...stale, vector: Float32Array.from([1, 1, 1]) }])
  expect(near('b 3', Float32Array.from([1, 1, 1]))).toEqual([])
  // While texts of the scope have no vector, none is compared: those that have one would win against all others.
  expect(near('a 2', Float32Array.from([1, 1]))).toEqual([])
  expect(index.unembedded('a 2', ['notes'], 9).map(({ text: said }) => said)).toEqual(['two, but changed'])
  embed('a 2', Float32Array.from([1, 1]))
  expect(near('a 2', Float32Array.from([1, 1])).sort()).toEqual(['1', '2'])
  // Another place in the group or another time does not change the meaning.
  put(index, [text('2', 'two, but changed', { at: 5, group: 'g' })])
  expect(near('a 2', Float32Array.from([1, 1])).sort()).toEqual(['1', '2'])
})

test('a word is found by its own stem, not by the stem of its stem', () => {
  const index = openIndex()
  const words = ['house', 'database', 'course', 'release', 'license', 'nurse', 'increase', 'agreed']
  put(
    index,
    words.map((word) => text(word, `about the ${word}`)),
  )
  for (const word of words) expect(ids(index, word)).toEqual([word])
})

test('what was replaced in between is not taken for an index that has the rest', () => {
  const index = openIndex()
  const scan = (from: string | null, through: string | null, whole = false) => ({ from, through, whole })
  index.apply({ space: 'notes', texts: [text('1', 'one')], removed: [], scan: scan(null, '1') })
  index.clear()
  expect(() => index.apply({ space: 'notes', texts: [text('2', 'two')], removed: [], scan: scan('1', '2', true) })).toThrow('replaced')
  expect([index.state('notes'), index.figures().texts]).toEqual([{ scanned_through: null, is_whole: false, changes_through: 0 }, 0])
  expect(() => index.apply({ space: 'notes', texts: [], removed: [], changes: { from: 7, through: 8 } })).toThrow('replaced')
})

test('of many texts with the same score the same ones are ranked, whatever the order of indexing', () => {
  const texts = Array.from({ length: 400 }, (_, no) => text(`t${String(no).padStart(3, '0')}`, `boat number ${no}`))
  const [one, other] = [fresh(), fresh()]
  put(one, texts)
  put(other, texts.toReversed())
  const found = (index: RecallIndex) => index.search({ scope: ['notes/a'], query: 'boat', k: 200 }, null).hits.map(({ id }) => id)
  expect(found(other)).toEqual(found(one))
})

test('of very many texts with one word of the query, one that has all of them comes first', () => {
  const index = openIndex()
  const [colors, things, places] = [
    ['red', 'blue', 'green', 'white', 'black', 'brown'],
    ['boat', 'house', 'database', 'lamp', 'table', 'kettle'],
    ['north', 'south', 'east', 'west', 'above', 'below'],
  ]
  const wanted = 'red database east'
  const combined = colors.flatMap((color) => things.flatMap((thing) => places.map((place) => `${color} ${thing} ${place}`)))
  const others = combined.filter((said) => said !== wanted)
  const texts = Array.from({ length: 4_000 }, (_, no) => text(String(no).padStart(4, '0'), `${others[no % others.length]} number ${no}`))
  put(index, [...texts, text('9999', `${wanted} number nine`)])
  const [hit] = index.search({ scope: ['notes/a'], query: wanted }, null).hits
  expect(hit).toMatchObject({ id: '9999', words: ['red', 'database', 'east'], coverage: 1 })
})

test('of very many texts with the same characters, one that also has the words comes first', () => {
  const index = openIndex()
  const texts = Array.from({ length: 400 }, (_, no) => text(String(no).padStart(4, '0'), `Job ${no} is written in DuckDB`))
  put(index, [...texts, text('9999', 'The payroll is exported with DuckDB, at 13:30.')])
  expect(ids(index, 'payroll exported with DuckDB')[0]).toBe('9999')
})

test.each([
  ['is no database', (path: string) => writeFileSync(path, 'not a database, but long enough to be looked at'.repeat(200))],
  ['is cut', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 9000))],
  ['is overwritten inside', (path: string) => writeFileSync(path, readFileSync(path).fill(0xa5, 4096))],
  ['is of another shape', (path: string) => rewriteVersion(path)],
])('a file that %s is replaced by an empty one, which can be filled again', (_what, harm) => {
  const texts = Array.from({ length: 300 }, (_, no) => text(`t${no}`, `green boat number ${no}`, { group: `g${no % 7}`, at: no }))
  const before = openIndex()
  put(before, texts)
  const answer = before.search({ scope: ['notes/a'], query: 'boat number 17' }, null).hits
  before.close()
  open.pop()
  harm(join(folder, 'recall.db'))
  const after = openIndex()
  const again = () => {
    put(after, texts)
    return after.search({ scope: ['notes/a'], query: 'boat number 17' }, null).hits
  }
  // The damage is seen when the file is opened, or by the first call that reads there.
  let result: unknown
  try {
    result = again()
  } catch (error) {
    expect((error as Error).name).toBe('IndexLost')
    expect(after.figures().texts).toBe(0)
    result = again()
  }
  expect(result).toEqual(answer)
})

test('one more text of a large group writes about as much as one of a small group', () => {
  const written = (texts: number) => {
    const index = openIndex(`${texts}.db`)
    const talk = (no: number) =>
      text(`t${String(no).padStart(5, '0')}`, `message ${no} about the boat and its ${no % 97} sails`, { group: 'g', at: no })
    put(
      index,
      Array.from({ length: texts }, (_, no) => talk(no)),
    )
    // Empties the log too.
    index.tidy(texts)
    put(index, [talk(texts)])
    return statSync(join(folder, `${texts}.db-wal`)).size
  }
  const [small, large] = [written(20), written(2_000)]
  expect(large).toBeLessThan(2 * small)
})

function rewriteVersion(path: string): void {
  const content = readFileSync(path)
  content.writeUInt32BE(99, 60)
  writeFileSync(path, content)
}

test('two connections see what each other writes', () => {
  const [one, other] = [openIndex(), openIndex()]
  put(one, [text('1', 'green boat')])
  expect(ids(other, 'boat')).toEqual(['1'])
  const vector = Float32Array.from([1, 1])
  const near = (index: RecallIndex) =>
    index.search({ scope: ['notes/a'], query: '', channels: ['semantic'] }, { model: 'm', vector }).hits.map(({ id }) => id)
  expect(near(other)).toEqual([])
  one.putVectors(
    'm',
    one.unembedded('m', ['notes'], 9).map((row) => ({ ...row, vector })),
  )
  expect(near(other)).toEqual(['1'])
  put(other, [], ['1'])
  expect([ids(one, 'boat'), near(one)]).toEqual([[], []])
})

test('two processes write and search at once: each finds what it has written, and nothing is lost', async () => {
  const count = 120
  const queries = ['the boat', 'changed', 'aword7', 'bword30 boat', 'aword118 bword119 changed']
  const program = fileURLToPath(new URL('../../../test/support/recall/pair-child.ts', import.meta.url))
  const args = (name: string) => [program, join(folder, 'recall.db'), name, String(count), ...queries]
  const children = ['a', 'b'].map((name) => spawn(process.execPath, args(name), { stdio: ['pipe', 'pipe', 'inherit'] }))
  const outputs = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]())
  const line = async (output: (typeof outputs)[number]) => String((await output.next()).value)
  for (const output of outputs) expect(await line(output)).toBe('ready')
  for (const child of children) child.stdin.write('go\n')
  for (const output of outputs) expect(JSON.parse(await line(output))).toEqual([])
  for (const child of children) child.stdin.end('answer\n')
  const answers = await Promise.all(outputs.map(async (output) => JSON.parse(await line(output))))
  // What both have written, in the order of one of them.
  const rebuilt = fresh()
  for (const name of ['a', 'b']) {
    for (let no = 0; no < count; no += 1) {
      put(rebuilt, [text(`${name}${no}`, `the ${name}word${no} is about the boat`, { group: `g${no % 3}`, at: no })])
      if (no % 5 === 4) put(rebuilt, [text(`${name}${no - 2}`, 'the boat was changed', { group: 'g0', at: no })])
      if (no % 7 === 6) put(rebuilt, [], [`${name}${no - 4}`])
    }
  }
  const shared = openIndex()
  expect(shared.figures().texts).toBe(rebuilt.figures().texts)
  const answer = (index: RecallIndex) => queries.map((query) => index.search({ scope: ['notes/a'], query, k: 200 }, null).hits)
  const expected = answer(rebuilt)
  expect([answer(shared), ...answers]).toEqual([expected, expected, expected])
})
