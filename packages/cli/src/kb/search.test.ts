import { PassThrough } from 'node:stream'
import type { KnowledgeHit } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { excerptText, foundText } from './search.ts'

const plain = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream
const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 }) as unknown as NodeJS.WriteStream

const hit: KnowledgeHit = {
  ...{
    passage_id: 'd.1',
    source_id: '01a00000-0000-7000-8000-000000000001',
    document_id: 'd',
    name: 'docs/tea.md',
    citation: '[docs/tea.md:3]',
  },
  position: {
    ...{ text: { from: 0, to: 19 }, text_sha256: '0'.repeat(64), bytes: { from: 0, to: 19 }, first_line: 3, last_line: 4, page: null },
    ...{ headings: ['Kitchen', 'Tea\u001b[2J'], paragraph: null },
  },
  ...{
    excerpt: 'The tea\n  is\u0007 green.',
    marks: [{ from: 4, to: 7 }],
    text: 'The tea\n  is\u0007 green.',
    score: 0.9,
    similarity: null,
  },
  signals: [
    { signal: 'text', share: 0.75 },
    { signal: 'new_one', share: 0.25 },
  ],
}

test('a passage is shown with its citation, its headings, its excerpt and why it was found', () => {
  expect(
    foundText({ hits: [hit, { ...hit, position: { ...hit.position, headings: [] }, signals: [] }], semantic: 'used', late: false }, plain),
  ).toBe(
    '[docs/tea.md:3]\n' +
      '  Kitchen > Tea\\u{1b}[2J\n' +
      '  The tea is\\u{7} green.\n' +
      '  score 90%: its words 75%, new_one 25%\n' +
      '  passage d.1\n' +
      '\n' +
      '[docs/tea.md:3]\n' +
      '  The tea is\\u{7} green.\n' +
      '  score 90%\n' +
      '  passage d.1',
  )
})

test('what was not searched is mentioned', () => {
  expect(foundText({ hits: [], semantic: 'used', late: false }, plain)).toBe('Nothing was found.')
  expect(foundText({ hits: [], semantic: 'not_asked', late: false }, plain)).toBe('Nothing was found.')
  expect(foundText({ hits: [], semantic: 'off', late: false }, plain)).toMatch(
    /^Nothing was found\.\nOnly words were compared, .*knowledge\.compare_meaning/,
  )
  expect(foundText({ hits: [hit], semantic: 'failed', late: false }, plain)).toMatch(/passage d\.1\n\nSearch by meaning failed\./)
  expect(foundText({ hits: [], semantic: 'not_asked', late: true }, plain)).toMatch(/^The search took too long/)
})

test('a terminal shows the matches in bold', () => {
  const marks = [
    { from: 0, to: 3 },
    { from: 4, to: 7 },
  ]
  expect(excerptText({ excerpt: 'tea tea.', marks }, terminal)).toBe('\u001b[1mtea\u001b[22m \u001b[1mtea\u001b[22m.')
})
