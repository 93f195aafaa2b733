import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlocks, splitChunks } from './block.ts'
import { parseSpans } from './span.ts'

test('the blocks that agents write', () => {
  const text =
    '# Title\n\nOne\ntwo\n\n- a\n- b\n  - c\n\n1. x\n2. y\n\n> said\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\n---\n\n```ts\nconst a = 1\n```'
  const paragraph = (words: string) => ({ kind: 'paragraph', text: words })
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Title' },
    paragraph('One\ntwo'),
    { kind: 'list', start: null, items: [[paragraph('a')], [paragraph('b'), { kind: 'list', start: null, items: [[paragraph('c')]] }]] },
    { kind: 'list', start: 1, items: [[paragraph('x')], [paragraph('y')]] },
    { kind: 'quote', blocks: [paragraph('said')] },
    { kind: 'table', head: ['h', 'i'], rows: [['1', '2']] },
    { kind: 'rule' },
    { kind: 'code', language: 'ts', text: 'const a = 1' },
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

test('only web addresses become links; images and scripts are text', () => {
  expect(parseSpans('[ok](https://a.example/x) ![p](https://b.example/p.png) [no](javascript:alert) [d](data:text/html,x)')).toEqual([
    { kind: 'link', text: 'ok', address: 'https://a.example/x' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'p (https://b.example/p.png)', address: null },
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
