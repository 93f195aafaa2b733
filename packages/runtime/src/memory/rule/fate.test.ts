import type { Memory } from '@tandem/contract/memory'
import { expect, test } from 'vitest'
import { fateOf } from './fate.ts'

const memory = {
  ...{ id: '01920000-0000-7000-8000-000000000001', version: 1, agent_id: null, conversation_id: null, only_in_conversation: false },
  ...{ memory_kind: 'preference', subject: 'user', slot: null, content: 'I prefer pnpm.', quotes: [], procedure: null, state: 'active' },
  ...{ state_reason: null, confidence: 1, source_type: 'user_statement', source_run_id: null, authority: 'person' },
  ...{ confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: [], last_used_at: null, use_count: 0, tags: [] },
  ...{ created_at: '2026-11-01T10:00:00.000Z', updated_at: '2026-11-01T10:00:00.000Z' },
} satisfies Memory as Memory
const superseded: Memory = { ...memory, state: 'superseded', state_reason: 'replaced', version: 2 }
const newer: Memory = { ...memory, id: '01920000-0000-7000-8000-000000000002', content: 'I prefer yarn.', supersedes: [memory.id] }
const correction: Memory = { ...newer, source_type: 'user_correction' }
const then = { content: memory.content }

test('a memory that says the same is active, also in a later version', () => {
  const later: Memory = { ...memory, version: 4, confirmed_by_user: true }
  expect(fateOf(then, { memory: later, successor: undefined })).toEqual({ fate: 'active', memory: later })
  expect(fateOf({ content: null }, { memory, successor: undefined })).toEqual({ fate: 'active', memory })
})

test('one whose text changed, or that a correction superseded, is corrected and shows what is right', () => {
  const edited: Memory = { ...memory, version: 2, content: 'I prefer yarn.' }
  expect(fateOf(then, { memory: edited, successor: undefined })).toEqual({ fate: 'corrected', memory: edited })
  expect(fateOf(then, { memory: superseded, successor: correction })).toEqual({ fate: 'corrected', memory: correction })
})

test('one that another memory superseded is replaced, or active if both say the same', () => {
  expect(fateOf(then, { memory: superseded, successor: newer })).toEqual({ fate: 'replaced', memory: newer })
  expect(fateOf(then, { memory: superseded, successor: undefined })).toEqual({ fate: 'replaced', memory: superseded })
  const equal: Memory = { ...newer, content: memory.content }
  expect(fateOf(then, { memory: superseded, successor: equal })).toEqual({ fate: 'active', memory: equal })
})

test('an archived memory is archived, and a forgotten one has no text', () => {
  const archived: Memory = { ...memory, state: 'archived', state_reason: 'expired', version: 2 }
  expect(fateOf(then, { memory: archived, successor: undefined })).toEqual({ fate: 'archived', memory: archived })
  expect(fateOf(then, { memory: undefined, successor: correction })).toEqual({ fate: 'forgotten', memory: null })
})
