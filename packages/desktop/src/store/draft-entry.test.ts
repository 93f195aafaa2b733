import { expect, test } from 'vitest'
import { formatDraft, outdated, parseDraft } from './draft-entry.ts'

test('a draft is stored with its time, and anything else is no draft', () => {
  for (const entry of [
    { at: 0, text: '' },
    { at: 1_700_000_000_000, text: '12\nlines\n' },
  ])
    expect(parseDraft(formatDraft(entry))).toEqual(entry)
  expect([null, '', 'text', 'x\ntext'].map(parseDraft)).toEqual([null, null, null, null])
})

test('old drafts are deleted first, then the oldest ones until the others fit', () => {
  const all = [
    { key: 'newest', at: 100, size: 6 },
    { key: 'old', at: 10, size: 1 },
    { key: 'middle', at: 90, size: 5 },
    { key: 'fits', at: 80, size: 1 },
  ]
  expect(outdated(all, 100, { age_ms: 50, characters: 100 })).toEqual(['old'])
  expect(outdated(all, 100, { age_ms: 1_000, characters: 12 })).toEqual(['old'])
  expect(outdated(all, 100, { age_ms: 1_000, characters: 11 })).toEqual(['fits', 'old'])
  expect(outdated([], 100, { age_ms: 50, characters: 0 })).toEqual([])
})
