import type { Memory } from '@tandem/contract/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce } from '../../../scheduler/slices.ts'
import { stems } from '../resolve/revoke.ts'
import { byMeaning, comparedTexts } from './meaning.ts'

const memory = (content: string): Memory => ({
  ...{ id: content, agent_id: 'a', conversation_id: null, only_in_conversation: false, memory_kind: 'decision', subject: 'user', content },
  ...{ slot: null, quotes: [], procedure: null, state: 'active', state_reason: null, confidence: 1, source_type: 'memory_flush' },
  ...{ source_run_id: null, authority: 'person', confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: [] },
  ...{ last_used_at: null, use_count: 0, tags: [], created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  version: 1,
})

test('the most alike of those that share a topic', () => {
  const [rate, price, song] = [
    memory('My day rate is 340.'),
    memory('A day in the studio is at a lower rate.'),
    memory('The song is finished.'),
  ]
  const score = (_: string, content: string) => (content === rate.content ? 0.7 : content === price.content ? 0.65 : 0.95)
  expect(byMeaning('New day rate is 365.', [song, price, rate], new Set(), score)).toBe(rate)
  expect(byMeaning('New day rate is 365.', [song], new Set(), score)).toBeNull()
  expect(byMeaning('New day rate is 365.', [price, rate], new Set(), () => 0.7)).toBeNull()
  expect(byMeaning('New day rate is 365.', [rate], stems('rate'), score)).toBeNull()
})

test('only what a statement could change is compared', () => {
  const contents = ['My day rate is 340.', 'The song is finished.', 'Rehearsals are at six.']
  expect([...atOnce(comparedTexts(['New day rate is 365.', 'The song is long.', 'No more coffee for me'], contents))]).toEqual([
    'New day rate is 365.',
    'My day rate is 340.',
  ])
})

test('the order of memories does not matter', () => {
  const words = fc.constantFrom('rate', 'song', 'boat', 'paint', 'choir', 'now')
  const sentence = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => `${list.join(' ')}.`)
  const likeness = (left: string, right: string) => ((left.length * 7 + right.length * 13) % 10) / 10
  fc.assert(
    fc.property(sentence, fc.uniqueArray(sentence, { maxLength: 8 }), (said, contents) => {
      const existing = contents.map(memory)
      const found = byMeaning(said, existing, new Set(), likeness)
      expect(byMeaning(said, existing.toReversed(), new Set(), likeness)).toBe(found)
    }),
  )
})
