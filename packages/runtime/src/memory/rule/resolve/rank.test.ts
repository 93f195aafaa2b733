import type { Memory } from '@tandem/contract/memory'
import { describe, expect, test } from 'vitest'
import { isRecallable } from './conflict.ts'
import { rankOf, rankTable } from './rank.ts'
import { applyChanges, resolveMemories } from './resolve.ts'

type Origin = Pick<Memory, 'source_type' | 'authority' | 'confirmed_by_user'>
const plain = { confirmed_by_user: false } as const

/** The highest first, each with every way in which it arrives. */
const rows: readonly (readonly [string, readonly Origin[]])[] = [
  ['user correction', [{ ...plain, source_type: 'user_correction', authority: 'person' }]],
  [
    'confirmed by the user',
    [
      { source_type: 'memory_flush', authority: 'person', confirmed_by_user: true },
      { source_type: 'bootstrap', authority: 'agent', confirmed_by_user: true },
      { source_type: 'tool_call', authority: 'untrusted', confirmed_by_user: true },
    ],
  ],
  [
    "a person's words",
    (['user_statement', 'tool_call', 'memory_flush', 'heartbeat_review', 'memory_writeback', 'distillation'] as const).map(
      (source_type) => ({
        ...plain,
        source_type,
        authority: 'person',
      }),
    ),
  ],
  ['writeback', [{ ...plain, source_type: 'memory_writeback', authority: 'agent' }]],
  [
    'conclusion of the agent',
    (['user_statement', 'tool_call', 'memory_flush', 'heartbeat_review'] as const).map((source_type) => ({
      ...plain,
      source_type,
      authority: 'agent',
    })),
  ],
  ['distillation', [{ ...plain, source_type: 'distillation', authority: 'agent' }]],
  ['bootstrap', (['agent', 'person'] as const).map((authority) => ({ ...plain, source_type: 'bootstrap', authority }))],
]

test('every origin has the rank of its row', () => {
  expect(rows.map(([name]) => name)).toEqual(rankTable.map(({ name }) => name))
  for (const [index, [, origins]] of rows.entries()) expect(origins.map(rankOf)).toEqual(origins.map(() => rows.length - index))
})

test('what is untrusted has no rank, whatever its source', () => {
  const sources = [
    'bootstrap',
    'user_statement',
    'user_correction',
    'tool_call',
    'memory_flush',
    'heartbeat_review',
    'memory_writeback',
    'distillation',
  ] as const
  expect(sources.map((source_type) => rankOf({ source_type, authority: 'untrusted', confirmed_by_user: false }))).toEqual(
    sources.map(() => 0),
  )
})

const [older, newer] = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002']

function editor(id: string, name: string, created_at: string, origin: Origin): Memory {
  return {
    id,
    agent_id: null,
    conversation_id: null,
    only_in_conversation: false,
    memory_kind: 'semantic',
    subject: 'user',
    slot: null,
    content: `My editor is ${name}.`,
    quotes: [],
    procedure: null,
    state: 'active',
    state_reason: null,
    confidence: 1,
    source_run_id: null,
    expires_at: null,
    conflicts_with: [],
    supersedes: [],
    last_used_at: null,
    use_count: 0,
    tags: [],
    created_at,
    updated_at: created_at,
    version: 1,
    ...origin,
  }
}

describe.each(rows)('an older memory, %s,', (oldName, [oldOrigin]) => {
  test.each(rows)('against a newer one, %s', (newName, [newOrigin]) => {
    if (!oldOrigin || !newOrigin) throw new Error('every row has an origin')
    const place = (name: string) => rows.findIndex(([row]) => row === name)
    const memories = [
      editor(older, 'Ed', '2026-04-01T00:00:00.000Z', oldOrigin),
      editor(newer, 'Joe', '2026-04-02T00:00:00.000Z', newOrigin),
    ]
    const after = applyChanges(memories, resolveMemories({ memories, decisions: [], revokes: new Map(), similar: [] }).changes)
    const result = after.map((one) => [one.state, one.state_reason, one.conflicts_with, isRecallable(one, after)])
    if (place(newName) <= place(oldName)) {
      expect(result).toEqual([
        ['superseded', 'replaced', [], false],
        ['active', null, [], true],
      ])
    } else {
      expect(result).toEqual([
        ['active', null, [newer], true],
        ['active', null, [older], false],
      ])
    }
  })
})
