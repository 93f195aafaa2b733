import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bucketOf,
  generalized,
  maskText,
  matches,
  mostSimilar,
  safeText,
  type Tokens,
  templateText,
  templateTokens,
  tokensOf,
} from './template.ts'

/** In memory, what the patterns of an agent are in the store. */
function mined(texts: readonly string[]): { readonly templates: readonly Tokens[]; readonly clusters: readonly number[] } {
  const templates: Tokens[] = []
  const clusters = texts.map((text) => {
    const tokens = tokensOf(text)
    const at = mostSimilar(templates, tokens)
    const found = templates[at]
    if (!found) return templates.push(tokens) - 1
    templates[at] = generalized(found, tokens)
    return at
  })
  return { templates, clusters }
}

test.each([
  ["Error: Cannot find module './lib/a.js'", 'Error: Cannot find module <*>'],
  ['npm error code E404', 'npm error code E404'],
  ['error TS2307: Cannot find module "left-pad" or its types', 'error TS2307: Cannot find module <*> or its types'],
  ['Error: listen EADDRINUSE: address already in use 127.0.0.1:8080', 'Error: listen EADDRINUSE: address already in use <*>'],
  ['at 2026-03-01T10:00:00.123Z after 1.5s (pid 4711)', 'at <*> after <*> (pid <*>)'],
  ['commit 3f2a9c1d0e of 550e8400-e29b-41d4-a716-446655440000', 'commit <*> of <*>'],
  ['tar: /home/ada/a.tgz: Cannot open: No such file', 'tar: <*>: Cannot open: No such file'],
  ['fatal: „origin/main“ ist kein Commit', 'fatal: <*> ist kein Commit'],
  ["it doesn't match and can't", "it doesn't match and can't"],
  ['requests.exceptions.ConnectionError: port=80', 'requests.exceptions.ConnectionError: port=<*>'],
  ['could not connect to registry.example.test', 'could not connect to <*>'],
  ['a.txt b.txt c.txt are missing', '<*> are missing'],
  ['', ''],
])('%j is masked', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

const word = fc.constantFrom(
  ...[
    'error',
    'Error:',
    "can't",
    "'a b'",
    '"x',
    '/a/b',
    'C:\\x',
    'a=1',
    'x:2:3',
    '10.0.0.1:80',
    '<*>',
    '<',
    '*>',
    'a.b',
    'e.g.',
    'E404',
    '„x“',
    '…',
    '=',
    '~/a',
    'ß',
    '[secret]',
    '@',
    "''",
    "'",
    '(1)',
  ],
)
const text = fc.oneof(
  fc.string({ maxLength: 200, unit: 'grapheme' }),
  fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
)

test('masking a masked text changes nothing', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(maskText(maskText(one))).toBe(maskText(one))
    }),
    { numRuns: 500 },
  )
})

test('a template matches every text it was made from, and is the same after it was stored', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const { templates, clusters } = mined(texts)
      for (const [at, one] of texts.entries()) expect(matches(templates[clusters[at] ?? -1] ?? [], tokensOf(one))).toBe(true)
      for (const template of templates) expect(templateTokens(templateText(template))).toEqual(template)
    }),
  )
})

const statements = [
  (value: string) => `cannot open file '${value}' for reading`,
  (value: string) => `listen on port ${value.length} refused by host`,
  (value: string) => `fatal: branch "${value}" ist nicht vorhanden`,
  (value: string) => `timeout after ${value.length * 7}ms while waiting`,
]

test('the order of texts that differ only in variable parts does not change which of them belong together', () => {
  const texts = fc.array(fc.tuple(fc.nat(statements.length - 1), fc.stringMatching(/^[a-z0-9./_-]{1,20}$/)), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, order) => {
      const shuffled = given
        .map((one) => ({ one, key: order.next().value ?? 0 }))
        .sort((left, right) => left.key - right.key)
        .map(({ one }) => one)
      for (const list of [given, shuffled]) {
        const { clusters } = mined(list.map(([kind, value]) => statements[kind]?.(value) ?? ''))
        const kinds = list.map(([kind]) => kind)
        for (const [at, kind] of kinds.entries())
          for (const [other, cluster] of clusters.entries()) expect(cluster === clusters[at]).toBe(kinds[other] === kind)
      }
    }),
  )
})

test('texts that differ in one word share a template with a variable part', () => {
  const { templates, clusters } = mined(['the branch main is already checked out', 'the branch topic is already checked out'])
  expect({ templates: templates.map(templateText), clusters }).toEqual({
    templates: ['the branch <*> is already checked out'],
    clusters: [0, 0],
  })
})

test('texts that differ in more, in length or at the beginning do not', () => {
  const { clusters } = mined([
    'the branch main is gone',
    'the branch has no upstream now',
    'one branch main is gone',
    'the branch main is gone now',
  ])
  expect(clusters).toEqual([0, 1, 2, 3])
})

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']
const random = (length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((letters) => letters.join(''))
const secret = fc.oneof(
  random(36).map((value) => `ghp_${value}`),
  random(40).map((value) => `sk-ant-${value}`),
  random(24).map((value) => `npm_${value}`),
  random(20).map((value) => `glpat-${value}`),
)

test('no secret is in a template or an excerpt', () => {
  fc.assert(
    fc.property(text, secret, text, fc.constantFrom(' ', ': ', '=', "'", ' token '), (before, value, after, between) => {
      const one = `${before}${between}${value} ${after}`
      expect(maskText(one)).not.toContain(value)
      expect(safeText(one)).not.toContain(value)
    }),
  )
})

test('a secret at the place where a text is cut is not kept in part', () => {
  for (let length = 960; length <= 1_000; length += 1) {
    const one = `${'a '.repeat(length / 2)}ghp_0123456789abcdefghijABCDEFGHIJ012345 ${'b '.repeat(100)}`
    expect(safeText(one)).not.toContain('ghp_')
  }
})

test('hostile texts give a bounded result', () => {
  const hostile = [
    'a'.repeat(10_000_000),
    '"'.repeat(1_000_000),
    "'a ".repeat(500_000),
    '<*>'.repeat(500_000),
    'a=1,'.repeat(500_000),
    `${'x '.repeat(5_000_000)}`,
    'password '.repeat(100_000),
    '1.'.repeat(1_000_000),
  ]
  for (const one of hostile) expect(maskText(one).length).toBeLessThan(6_000)
  const many = Array.from({ length: 1_000 }, (_, at) => `error ${at} in file ${at}.js at line ${at}`)
  expect(new Set(many.map((one) => bucketOf(tokensOf(one)))).size).toBe(1)
})
