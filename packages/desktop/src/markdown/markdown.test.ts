import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlocks, splitChunks } from './block.ts'
import { parseSpans } from './span.ts'

test('the blocks that agents write', () => {
  const text =
    '# Title\n\nOne\ntwo\n\n- a\n- b\n  - c\n\n1. x\n2. y\n\n> said\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\n---\n\n```ts\nconst a = 1\n```'
  const paragraph = (words: string) => ({ kind: 'paragraph', text: words })
  const list = (start: number | null, ...items: readonly unknown[][]) => ({
    ...{ kind: 'list', start, items: items.map((blocks) => ({ ticked: null, blocks })) },
  })
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Title' },
    paragraph('One\ntwo'),
    list(null, [paragraph('a')], [paragraph('b'), list(null, [paragraph('c')])]),
    list(1, [paragraph('x')], [paragraph('y')]),
    { kind: 'quote', blocks: [paragraph('said')] },
    { kind: 'table', head: ['h', 'i'], rows: [['1', '2']], align: [null, null] },
    { kind: 'rule' },
    { kind: 'code', language: 'ts', text: 'const a = 1' },
  ])
})

test('tasks, alignment, footnotes and formulas', () => {
  const text =
    '- [x] done\n- [ ] open\n- [link](https://a.example)\n\n| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |\n\n[^1]: The first\n  note.\n\n$$\na^2\n\n+ b\n$$\n\n\\[ x \\]'
  const [tasks, table, note, formula, other] = splitChunks(text).flatMap((chunk) => parseBlocks(chunk))
  expect(tasks).toMatchObject({ items: [{ ticked: true }, { ticked: false }, { ticked: null }] })
  expect(table).toMatchObject({ align: ['left', 'center', 'right', null] })
  expect(note).toEqual({ kind: 'footnote', label: '1', blocks: [{ kind: 'paragraph', text: 'The first\nnote.' }] })
  expect(formula).toEqual({ kind: 'math', text: 'a^2\n\n+ b' })
  expect(other).toEqual({ kind: 'math', text: 'x' })
})

test.each([
  ['the area $\\pi r^2$ of it', ['\\pi r^2']],
  ['either \\(a < b\\) or $x$.', ['a < b', 'x']],
  ['it costs $5, or $10 with tax', []],
  ['between $5 and$10', []],
  ['$ x $ and US$5 to US$6', []],
  ['`$a$` and \\$b$', []],
  ['$HOME/bin:$PATH', []],
])('formulas in a sentence: %s', (text, formulas) => {
  expect(parseSpans(text).flatMap((span) => (span.kind === 'math' ? [span.text] : []))).toEqual(formulas)
})

test('a footnote is a reference in the text, and nothing else in brackets is', () => {
  expect(parseSpans('so[^1] and [^ x] and [^2]:')).toEqual([
    { kind: 'text', text: 'so' },
    { kind: 'footnote', label: '1' },
    { kind: 'text', text: ' and [^ x] and [^2]:' },
  ])
})

test('an open fence contains everything that follows', () => {
  expect(parseBlocks('```sh\nls\n# no heading')).toEqual([{ kind: 'code', language: 'sh', text: 'ls\n# no heading' }])
})

test('spans', () => {
  const text = (words: string) => ({ kind: 'text', text: words })
  expect(parseSpans('a **b `c`** *d* ~~e~~ snake_case_name \\*f')).toEqual([
    text('a '),
    { kind: 'strong', spans: [text('b '), { kind: 'code', text: 'c' }] },
    text(' '),
    { kind: 'emphasis', spans: [text('d')] },
    text(' '),
    { kind: 'deleted', spans: [text('e')] },
    text(' snake_case_name '),
    text('*'),
    text('f'),
  ])
})

test('only web addresses become links; images are their own kind, and scripts are text', () => {
  expect(parseSpans('[ok](https://a.example/x) ![p](https://b.example/p.png) [no](javascript:alert) [d](data:text/html,x)')).toEqual([
    { kind: 'link', text: 'ok', address: 'https://a.example/x' },
    { kind: 'text', text: ' ' },
    { kind: 'image', text: 'p', target: 'https://b.example/p.png' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'no (javascript:alert)', address: null },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'd (data:text/html,x)', address: null },
  ])
})

test('any text is parsed completely and quickly, and no letter of plain text is lost', () => {
  const piece = fc.constantFrom(
    '`',
    '```',
    '*',
    '**',
    '_',
    '~~',
    '[',
    '](',
    ')',
    '|',
    '\n',
    '- ',
    '> ',
    '# ',
    '1. ',
    ' ',
    'word',
    '\\',
    '|-|',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const text = pieces.join('')
      const words = (value: unknown) => JSON.stringify(value).split('word').length
      expect(words(parseBlocks(text))).toBeGreaterThanOrEqual(1)
      parseSpans(text)
    }),
    { numRuns: 300 },
  )
  // Not within the time limit of the test, if any of them took exponential time.
  parseBlocks('> '.repeat(5_000))
  parseSpans('**a'.repeat(3_000))
  parseSpans('[a]('.repeat(3_000))
})

test('parsing piece by piece gives the same result for any text', () => {
  const line = fc.constantFrom(
    '',
    '',
    'words',
    '- item',
    '1. item',
    '  more',
    '    deep',
    '```ts',
    '```',
    '~~~',
    '  ```',
    '> said',
    '| a | b |',
    '|---|---|',
    '# head',
    '---',
    '\tx',
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = lines.join('\n')
      expect(splitChunks(text).join('\n')).toBe(text)
      expect(splitChunks(text).flatMap((chunk) => parseBlocks(chunk))).toEqual(parseBlocks(text))
    }),
    { numRuns: 2_000 },
  )
})
