import type { Memory } from '@tandem/contract/memory'
import { expect, test } from 'vitest'
import { type MemoryFound, mergeFound } from './merge-found.ts'

const why = { signals: [], words: [], similarity: null }
const memory = (id: string): Memory => ({
  ...{ id, agent_id: null, conversation_id: null, only_in_conversation: false, memory_kind: 'semantic', subject: 'user', slot: null },
  ...{ content: id, quotes: [], procedure: null, state: 'active', state_reason: null, confidence: 1, source_type: 'user_statement' },
  ...{ source_run_id: null, authority: 'person', confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: [] },
  ...{ last_used_at: null, use_count: 0, tags: [], created_at: '', updated_at: '', version: 1 },
})
const hit = (id: string, score: number) => ({ memory: memory(id), is_used: true, score, why })
const quote = (id: string, ts: string) => ({
  ...{ evidence: { source: 'message' as const, id, excerpt: id }, memory_id: null, matched: ['x'], ts, why },
})
const found = (part: Partial<MemoryFound>): MemoryFound => ({
  semantic_recall: [],
  exact_evidence: [],
  semantic: 'used',
  late: false,
  ...part,
})

test('what several agents share appears once, with its best score', () => {
  const merged = mergeFound([
    found({ semantic_recall: [hit('shared', 0.4), hit('first', 0.2)], exact_evidence: [quote('m1', '2026-01-01')] }),
    found({
      semantic_recall: [hit('shared', 0.9), hit('second', 0.5)],
      exact_evidence: [quote('m1', '2026-01-01'), quote('m2', '2026-02-01')],
    }),
  ])
  expect(merged.semantic_recall.map((one) => [one.memory.id, one.score])).toEqual([
    ['shared', 0.9],
    ['second', 0.5],
    ['first', 0.2],
  ])
  expect(merged.exact_evidence.map(({ evidence }) => evidence.id)).toEqual(['m2', 'm1'])
})

test('it is reported if meanings were not compared for one of them', () => {
  expect([mergeFound([found({}), found({ semantic: 'off' })]).semantic, mergeFound([found({})]).semantic, mergeFound([]).semantic]).toEqual(
    ['off', 'used', 'not_asked'],
  )
})
