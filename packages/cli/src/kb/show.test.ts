import { PassThrough } from 'node:stream'
import type { KnowledgePassage } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { passageText } from './show.ts'

const plain = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.WriteStream

const passage: KnowledgePassage = {
  ...{ passage_id: 'd.1', source_id: '01a00000-0000-7000-8000-000000000001', document_id: 'd', name: 'docs/tea.md', source_name: 'docs' },
  ...{ path: '/docs/tea.md', url: null, format: 'markdown', citation: '[docs/tea.md:9]' },
  position: {
    ...{ text: { from: 10, to: 30 }, text_sha256: '0'.repeat(64), bytes: { from: 10, to: 30 }, first_line: 9, last_line: 10, page: null },
    ...{ headings: ['Tea'], paragraph: null },
  },
  ...{
    before: '# Tea\r\n\r\n',
    text: 'Green\u001b[2J.\r\nBlack.\r\n',
    after: '\r\n## Coffee\r\n',
    from_line: 7,
    cited_line: null,
    outdated: false,
  },
}

test('a passage is marked within the text around it, with line numbers', () => {
  expect(passageText(passage, plain)).toBe(
    '[docs/tea.md:9]\n' +
      'source  docs\n' +
      'file    /docs/tea.md\n' +
      'format  Markdown\n' +
      'place   lines 9 to 10, Tea\n' +
      '\n' +
      '   7  # Tea\n' +
      '   8\n' +
      '>  9  Green\\u{1b}[2J.\n' +
      '> 10  Black.\n' +
      '  11\n' +
      '  12  ## Coffee',
  )
})

test('a format without lines has none, and part of a line can be the passage', () => {
  const page: KnowledgePassage = {
    ...passage,
    ...{ path: null, url: 'https://example.org/tea', format: 'html', citation: '[tea:#Tea]', outdated: true, from_line: null },
    position: { ...passage.position, bytes: null, first_line: null, last_line: null, headings: ['Drinks', 'Tea'], paragraph: 2 },
    ...{ before: 'Before.\nThe ', text: 'green one', after: ' is here.\nAfter.' },
  }
  expect(passageText(page, plain)).toBe(
    '[tea:#Tea]\n' +
      'source  docs\n' +
      'page    https://example.org/tea\n' +
      'format  HTML\n' +
      'place   Drinks > Tea, paragraph 2\n' +
      'The file has changed since it was read. To read it again: tandem kb reindex docs\n' +
      '\n' +
      '  Before.\n' +
      '> The green one is here.\n' +
      '  After.',
  )
  const pdf = { ...page, position: { ...page.position, headings: [], paragraph: null, page: 3 } }
  expect(passageText(pdf, plain)).toContain('place   page 3\n')
})
