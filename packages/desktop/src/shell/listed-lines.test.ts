import type { Conversation } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { withConversations } from '../store/conversations.ts'
import { isListed, lineGroups, linesOf } from './listed-lines.ts'

const of = (conversation_id: string, more: Partial<Conversation> = {}): Conversation => ({
  ...{ conversation_id, agent_id: 'agent', title: conversation_id, workspace: '/work', hidden: false, pinned: false },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  ...more,
})

test('what was read again without a change stays the same object, and so does the line of its family', () => {
  const read = () => [of('a'), of('b', { branch: { conversation_id: 'a', run_id: 'r', seq: 1 } }), of('c')]
  const first = withConversations(null, read())
  expect(withConversations(first, read())).toBe(first)
  const renamed = withConversations(first, [...read().slice(0, 2), of('c', { title: 'Other' })])
  expect([...renamed].map(([id, one]) => [id, one === first.get(id)])).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ])
  const lines = linesOf(first, [...first.values()], [])
  const again = linesOf(renamed, [...renamed.values()], lines)
  expect(again.map(({ id, members }) => [id, members.length, lines.find((line) => line.id === id)?.members === members])).toEqual([
    ['c', 1, false],
    ['a', 2, true],
  ])
})

test('a conversation that a run or a workflow started is not listed as archived', () => {
  const hidden = { hidden: true } as const
  const all = [
    of('active'),
    of('archived', hidden),
    of('member', { ...hidden, started_by: 'run' }),
    of('node', { ...hidden, started_by: 'workflow' }),
  ]
  const listed = (view: 'active' | 'archived') => all.filter((one) => isListed(one, view)).map(({ title }) => title)
  expect([listed('active'), listed('archived')]).toEqual([['active'], ['archived']])
})

test('pinned lines come first, except among deleted ones', () => {
  const all = [of('a'), of('b', { pinned: true })]
  const lines = linesOf(new Map(all.map((one) => [one.conversation_id, one])), all, [])
  const groups = (view: 'active' | 'deleted') =>
    lineGroups(lines, view, new Date('2026-01-01T00:00:00.000Z')).map(({ name, items }) => [name, items.length])
  expect([groups('active'), groups('deleted')]).toEqual([
    [
      ['pinned', 1],
      ['today', 1],
    ],
    [['today', 2]],
  ])
})
