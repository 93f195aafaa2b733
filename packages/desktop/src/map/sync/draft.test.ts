import { merge } from '@tandem/contract/sync'
import { expect, test } from 'vitest'
import { entityAfter, firstDrafts, writeOf } from './draft.ts'

const pair = (entityType: 'agents' | 'messages' | 'todos') => ({
  stored: writeOf(entityType, firstDrafts.stored),
  incoming: writeOf(entityType, firstDrafts.incoming),
})

test('the first example shows a different verdict for each rule', () => {
  const verdicts = (['agents', 'messages', 'todos'] as const).map((type) => merge(type, pair(type).stored, pair(type).incoming).verdict)
  expect(verdicts).toEqual(['stale', 'rejected', 'merged'])
})

test.each(['agents', 'todos'] as const)('%s end alike in both orders', (type) => {
  const { stored, incoming } = pair(type)
  const one = entityAfter(type, stored, incoming)
  const other = entityAfter(type, incoming, stored)
  expect(one?.content_hash).toBe(other?.content_hash)
})

test('of two facts under one id the first stays', () => {
  const { stored, incoming } = pair('messages')
  expect([entityAfter('messages', stored, incoming), entityAfter('messages', incoming, stored)]).toEqual([stored, incoming])
})
