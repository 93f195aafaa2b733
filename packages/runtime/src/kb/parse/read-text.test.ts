import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ParsedDocument } from './parsed.ts'
import { readTextDocument } from './read-document.ts'

async function read(name: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const document = await readTextDocument(name, typeof content === 'string' ? Buffer.from(content) : content)
  if ('problem' in document) throw new Error(`${document.problem}: ${document.detail}`)
  return document
}

/** The blocks with their text. */
async function blocksOf(name: string, content: string) {
  const { text, blocks } = await read(name, content)
  return blocks.map(({ from, to, ...rest }) => ({ ...rest, text: text.slice(from, to) }))
}

describe('Markdown', () => {
  test('has headings with their names, paragraphs, lists, tables, code and front matter', async () => {
    const text = [
      '---\ntitle: "The boats"\n---\n',
      '# The *green* [boat](x.md)\n\nFirst line\nsecond line.\n',
      'Setext\n------\n',
      '- one\n  - inner\n\n- two\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '```js\n# not a heading\n```\n',
      '> quoted\n\n    indented\n\n[ref]: https://example.com\n',
    ].join('\n')
    expect((await read('a.md', text)).title).toBe('The boats')
    expect(await blocksOf('a.md', text)).toEqual([
      { kind: 'code', text: '---\ntitle: "The boats"\n---' },
      { kind: 'heading', level: 1, name: 'The green boat', text: '# The *green* [boat](x.md)' },
      { kind: 'paragraph', text: 'First line\nsecond line.' },
      { kind: 'heading', level: 2, name: 'Setext', text: 'Setext\n------' },
      { kind: 'list', text: '- one\n  - inner\n\n- two' },
      { kind: 'table', header_to: text.indexOf('|---|---|') + 9, text: '| a | b |\n|---|---|\n| 1 | 2 |' },
      { kind: 'code', text: '```js\n# not a heading\n```' },
      { kind: 'paragraph', text: '> quoted' },
      { kind: 'code', text: '    indented' },
      { kind: 'paragraph', text: '[ref]: https://example.com' },
    ])
  })

  test('has the same blocks with any line breaks', async () => {
    const lines = ['# One', '', 'text', 'more', '', '## Two', 'end']
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      expect(await blocksOf('a.md', lines.join(lineBreak))).toEqual([
        { kind: 'heading', level: 1, name: 'One', text: '# One' },
        { kind: 'paragraph', text: `text${lineBreak}more` },
        { kind: 'heading', level: 2, name: 'Two', text: '## Two' },
        { kind: 'paragraph', text: 'end' },
      ])
    }
  })
})

test('plain text has paragraphs', async () => {
  expect(await blocksOf('a.txt', '\n\nOne\nline.\r\n \t\r\n  Two.\n\n\n')).toEqual([
    { kind: 'paragraph', text: 'One\nline.' },
    { kind: 'paragraph', text: '  Two.' },
  ])
})

test('code has declarations with their comments', async () => {
  const text =
    "import a from 'a'\nimport b from 'b'\n\n/** Why. */\nfunction one() {\n  a()\n\n  b()\n}\nconst two = 2\n\nclass Three {\n\n}\n"
  expect((await blocksOf('a.ts', text)).map((block) => block.text)).toEqual([
    "import a from 'a'\nimport b from 'b'",
    '/** Why. */\nfunction one() {\n  a()\n\n  b()\n}',
    'const two = 2',
    'class Three {\n\n}',
  ])
})

test('CSV is a table with a header, if its first row is one', async () => {
  expect(await blocksOf('a.csv', 'name,"no\nte"\nx,1\n')).toEqual([
    { kind: 'table', header_to: 'name,"no\nte"'.length, text: 'name,"no\nte"\nx,1' },
  ])
  expect(await blocksOf('a.csv', '1,2\n3,4\n')).toEqual([{ kind: 'table', text: '1,2\n3,4' }])
  expect(await blocksOf('a.csv', 'a,"never closed\nx,1\ny,2')).toMatchObject([{ header_to: 'a,"never closed'.length }])
})

test('JSON is divided at its elements, JSON Lines at its lines', async () => {
  const long = 'x'.repeat(900)
  const value = { a: [1, { b: '],{"' }], c: [long, { d: long }, [long, 5]] }
  const blocks = await blocksOf('a.json', JSON.stringify(value, null, 2))
  expect(blocks.map(({ text }) => text.replaceAll(long, 'LONG').replaceAll(/\s+/g, ' ').trim())).toEqual([
    '{',
    '"a": [ 1, { "b": "],{\\"" } ],',
    '"c": [',
    '"LONG",',
    '{ "d": "LONG" },',
    '[ "LONG", 5 ]',
    '] }',
  ])
  expect(await blocksOf('a.jsonl', '{"a":1}\n\n[2]\n')).toEqual([
    { kind: 'code', text: '{"a":1}' },
    { kind: 'code', text: '[2]' },
  ])
})

test('the blocks contain everything except white space, in order, whatever the file contains', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\n\n',
      '# ',
      '- ',
      '> ',
      '```\n',
      '|',
      '---',
      '| a |\n|---|\n',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      '\t',
      '  ',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('a.md', 'a.txt', 'a.ts', 'a.csv', 'a.json'),
      fc.array(piece, { maxLength: 60 }),
      async (name, pieces) => {
        const { text, blocks } = await read(name, pieces.join(''))
        expect(text).toBe(pieces.join('').replace(/^\uFEFF/, ''))
        let end = 0
        for (const { from, to, header_to = from } of blocks) {
          expect(text.slice(end, from).trim()).toBe('')
          expect([from < to, header_to >= from && header_to <= to]).toEqual([true, true])
          end = to
        }
        expect(text.slice(end).trim()).toBe('')
      },
    ),
    { numRuns: 300 },
  )
})

test('the sources of this repository are covered', async () => {
  const text = readFileSync(new URL('./detect.ts', import.meta.url), 'utf8')
  const { format, blocks } = await read('detect.ts', text)
  expect([
    format,
    blocks
      .map(({ from, to }) => text.slice(from, to))
      .join('')
      .replaceAll(/\s/g, '') === text.replaceAll(/\s/g, ''),
  ]).toEqual(['code', true])
})
