import type { Memory } from '@tandem/contract/memory'
import { expect, test } from 'vitest'
import type { RecallAnswer, RecallHit } from '../recall/answer.ts'
import type { Recall } from '../recall/recall.ts'
import type { Memories } from './record/memories.ts'
import { openMemorySearch } from './search.ts'

const shares = { text: 1, group: 0, neighbors: 0, speaker: 0, characters: 0, meaning: 0 }
const hit = (id: string, scope: string): RecallHit => ({
  ...{ id, scope, group: null, speaker: 'user', at: 0, score: 1, shares, coverage: 1, similarity: null },
  ...{ words: ['boat'], excerpt: `the boat of ${id}`, duplicates: [] },
})
const answer = (hits: readonly RecallHit[], isLate = false): RecallAnswer => ({ hits, semantic: 'off', isLate })

/** An index that is behind the records: it still has what was hidden or removed since. */
function searchWith(
  answers: Readonly<Record<'messages' | 'memories', RecallAnswer>>,
  there: readonly string[],
  known: readonly Partial<Memory>[] = [],
) {
  const recall = {
    search: async ({ scope }) => (scope[0]?.startsWith('messages/') ? answers.messages : answers.memories),
  } as Recall
  const messages = {
    read: (ids: readonly string[]) =>
      ids.filter((id) => there.includes(id)).map((id) => ({ id, scope: '', text: '', at: null, speaker: null, group: null })),
  }
  const memories = { all: (ids: readonly string[]) => known.filter(({ id = '' }) => ids.includes(id)) } as unknown as Memories
  return openMemorySearch({ recall, memories, messages, isRecallable: () => true, continues: (id) => [id] }).search({
    ...{ agent_id: 'a', conversation_id: null, query: 'boat', limit: 10, patience_ms: 0 },
  })
}

test('a message that was hidden since it was indexed is not shown, nor is a memory that was deleted', async () => {
  const { exact_evidence, semantic_recall } = await searchWith(
    {
      messages: answer([hit('hidden', 'messages/agent:a'), hit('shown', 'messages/agent:a')]),
      memories: answer([hit('gone', 'memories/all')]),
    },
    ['shown'],
  )
  expect([exact_evidence.map(({ evidence }) => evidence.id), semantic_recall]).toEqual([['shown'], []])
})

test('a result is marked as late if any part of it is', async () => {
  const late = async (memories: boolean, messages: boolean) =>
    (await searchWith({ memories: answer([], memories), messages: answer([], messages) }, [])).late
  expect([await late(false, false), await late(true, false), await late(false, true)]).toEqual([false, true, true])
})

test('the same words about two subjects are two memories, and one that is not active hides no other', async () => {
  const memory = (id: string, subject: string, state: Memory['state'] = 'active'): Partial<Memory> => ({
    ...{ id, subject, state, content: `a boat of ${subject}`, agent_id: null, only_in_conversation: false, created_at: id },
  })
  const found = { ...hit('1', 'memories/shared'), words: ['boat', 'the'], duplicates: ['2', '3', '4'] }
  const { exact_evidence, semantic_recall } = await searchWith(
    { messages: answer([]), memories: answer([found]) },
    [],
    [memory('1', 'workspace:harbor', 'archived'), memory('2', 'workspace:harbor'), memory('3', 'workspace:harbor'), memory('4', 'user')],
  )
  expect(semantic_recall.map(({ memory }) => memory.id)).toEqual(['2', '4'])
  expect(exact_evidence.map(({ memory_id, matched, evidence }) => [memory_id, matched, evidence.excerpt])).toEqual([
    ['4', ['boat'], 'a boat of user'],
    ['2', ['boat'], 'a boat of workspace:harbor'],
  ])
})
