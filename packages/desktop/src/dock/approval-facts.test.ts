import type { ApprovalPrompt } from '@tandem/contract/run'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApprovalFacts, Details } from './approval-facts.tsx'
import { PathList } from './path-list.tsx'
import { Preview } from './preview.tsx'

const prompt: ApprovalPrompt = {
  approval_id: '01900000-0000-7000-8000-000000000000',
  call_id: 'c',
  tool: 'fs.mkdir',
  arguments: '{"path":"a"}',
  working_directory: null,
  fingerprint: 'f'.repeat(64),
  touches: ['write a'],
  protected: [],
  unprotected: [],
  remembers: [],
  warnings: [],
  choices: ['once', 'no'],
}
const drawn = (approval: ApprovalPrompt) =>
  [ApprovalFacts, Details].map((part) => renderToStaticMarkup(createElement(part, { approval }))).join('')

test.each([
  ['without a preview', prompt],
  ['with a preview', { ...prompt, preview: { kind: 'folder' as const, path: 'a' } }],
])('what a call affects appears once: %s', (_, approval) => {
  expect(drawn(approval).split('write a')).toHaveLength(2)
})

test('arguments appear if there are any', () => {
  expect(drawn(prompt)).toContain('aria-label="Arguments"')
  expect(drawn({ ...prompt, arguments: '{}' })).not.toMatch(/aria-label="Arguments"|\{\}/)
})

test('names and texts that differ only in a character without a glyph look different', () => {
  const [plain, emoji] = ['❤.md', '❤\ufe0f.md']
  const facts = (path: string) =>
    drawn({ ...prompt, touches: [path], warnings: [`Deletes ${path}.`], arguments: JSON.stringify({ [path]: path }) })
  const change = { kind: 'change' as const, creates: false, diff_truncated: false, lines_added: 1, lines_removed: 0, notes: [] }
  const diffOf = (text: string) => `@@ -0,0 +1,1 @@\n+${text}\n`
  const drawings = (path: string) => [
    facts(path),
    renderToStaticMarkup(createElement(PathList, { paths: [path], more: 0 })),
    renderToStaticMarkup(createElement(Preview, { preview: { ...change, path, diff: '' } })),
    renderToStaticMarkup(createElement(Preview, { preview: { ...change, path: 'a', diff: diffOf(path) } })),
  ]
  expect(drawings(emoji).filter((text) => text.includes('\ufe0f'))).toEqual([])
  expect(drawings(emoji).filter((text) => !text.includes('❤⟨U+FE0F⟩.md'))).toEqual([])
  expect(drawings(plain).filter((text) => text.includes('⟨'))).toEqual([])
})
