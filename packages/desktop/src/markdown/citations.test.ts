import { citationOf } from '@tandem/contract/knowledge'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CitationsContext, citationsOf } from './citations.ts'
import { Markdown } from './markdown.tsx'

const run_id = '0197a000-0000-7000-8000-000000000001'

/** The markup of a text in a run that found these citations; the id of each passage is its number. */
function drawn(text: string, found: readonly string[]): string {
  const passages = found.map((citation, index) => ({ citation, passage_id: String(index) }))
  return renderToStaticMarkup(createElement(CitationsContext, { value: citationsOf(passages, run_id) }, createElement(Markdown, { text })))
}

/** The texts of the links to passages, with the ids. */
function linksIn(markup: string): readonly (readonly [string, string])[] {
  return [...markup.matchAll(/<a href="\/knowledge\/passages\/([^"/]*)\/[^"]*"[^>]*><bdi>(.*?)<\/bdi><\/a>/g)].map(
    ([, id = '', text = '']) => [text, id] as const,
  )
}

function textIn(markup: string): string {
  const letters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' }
  return markup.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => letters[name] ?? '')
}

test('citations that the run found are links to their passages, with the run', () => {
  const text = 'See [Handbook/setup.md:12], **[paper.pdf:p3]** and [page:#Getting started].'
  const markup = drawn(text, ['[Handbook/setup.md:12]', '[paper.pdf:p3]', '[page:#Getting started]'])
  expect(linksIn(markup)).toEqual([
    ['[Handbook/setup.md:12]', '0'],
    ['[paper.pdf:p3]', '1'],
    ['[page:#Getting started]', '2'],
  ])
  expect(markup).toContain(`href="/knowledge/passages/0/${run_id}"`)
  expect(textIn(markup)).toBe('See [Handbook/setup.md:12], [paper.pdf:p3] and [page:#Getting started].')
})

test.each([
  ['in a list', '- one [a.md:1]\n- two'],
  ['in a table', '| what | where |\n|---|---|\n| one | [a.md:1] |'],
  ['in a quote', '> one [a.md:1]'],
  ['in a heading', '# One [a.md:1]'],
  ['twice in a line', '[a.md:1] [a.md:1]'],
  ['in more brackets', '[[a.md:1]]'],
])('a citation %s is a link', (_, text) => {
  expect(new Set(linksIn(drawn(text, ['[a.md:1]'])).map(([shown]) => shown))).toEqual(new Set(['[a.md:1]']))
})

test.each([
  ['inline code', 'See `[a.md:1]`.'],
  ['a block of code', '```\n[a.md:1]\n```'],
  ['an open block of code', '```\n[a.md:1]'],
  ['code that begins before it', '``x [a.md:1] y``'],
  ['another line', 'See [a.md:2].'],
  ['a longer number', 'See [a.md:11].'],
  ['another name', 'See [b.md:1].'],
  ['a part of a name', 'See [x/a.md:1].'],
  ['another case', 'See [A.md:1].'],
  ['several in one bracket', 'See [a.md:1, b.md:2] and [a.md:1; a.md:1].'],
  ['a page instead of a line', 'See [a.md:p1].'],
  ['round brackets', 'See (a.md:1).'],
  ['an escape', 'See \\[a.md:1\\].'],
  ['a letter that looks the same', 'See [а.md:1].'],
  ['a hidden character', 'See [a\u200b.md:1].'],
  ['a line break', 'See [a.md:\n1].'],
  ['the address of a link', '[here](/knowledge/passages/0)'],
])('%s is not a citation', (_, text) => {
  expect(linksIn(drawn(text, ['[a.md:1]']))).toEqual([])
})

test('without passages, everything stays text', () => {
  expect(linksIn(drawn('See [a.md:1].', []))).toEqual([])
})

test('a link whose text looks like a citation stays a link that shows its address', () => {
  const markup = drawn('See [a.md:1](https://other.example/).', ['[a.md:1]'])
  expect(linksIn(markup)).toEqual([])
  expect(textIn(markup)).toBe('See a.md:1 (https://other.example/).')
})

test.each([
  '_draft_.md',
  '**bold**.md',
  'a*b*c.md',
  '`code`.md',
  '~~old~~.md',
  'https://host.example/page',
  '<img src=x onerror=alert(1)>.md',
  '"><script>alert(1)</script>.md',
  'javascript:alert(1)',
  '../../etc/passwd',
  '文档 – ünïcode.md',
  'a & b.md',
  '![picture](x).md',
  'back\\slash.md',
  'bracket [1].md',
  'new\nline.md',
  'right\u202eto left.md',
])('the name %j is cited exactly, and is only text', (name) => {
  const position = { text: { from: 0, to: 1 }, text_sha256: 'a'.repeat(64), bytes: null, page: null, paragraph: null }
  const citation = citationOf(name, { ...position, first_line: 7, last_line: 7, headings: [] })
  const markup = drawn(`See ${citation}, and more.`, [citation])
  expect(linksIn(markup).map(([, id]) => id)).toEqual(['0'])
  expect(textIn(markup)).toBe(`See ${citation.replace('\u202e', '⟨U+202E⟩')}, and more.`)
  expect(markup).not.toMatch(/<(?:img|script|strong|em|code|del)/)
})

test('two passages that look the same when shown are not links', () => {
  expect(linksIn(drawn('See [a⟨U+202E⟩.md:1].', ['[a\u202e.md:1]', '[a⟨U+202E⟩.md:1]']))).toEqual([])
})

test('in any text, only what was found is a link', () => {
  const piece = fc.constantFrom(
    '[a.md:1]',
    '[b:p2]',
    '[',
    ']',
    '`',
    '**',
    '*',
    '_',
    '~~',
    '(',
    ')',
    ' ',
    'x',
    '\\',
    '!',
    '\n',
    '[a.md:1](u)',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const links = linksIn(drawn(text, ['[a.md:1]'])).map(([shown]) => shown)
      expect(links.every((shown) => shown === '[a.md:1]')).toBe(true)
      expect(links.length).toBeLessThanOrEqual(text.split('[a.md:1]').length - 1)
    }),
    { numRuns: 500 },
  )
})
