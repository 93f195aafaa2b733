import type { ApprovalPrompt } from '@tandem/contract/run'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApprovalFacts, Details } from './approval-facts.tsx'

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
