import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import { expect, test } from 'vitest'
import { closedText, isOpen, pointContents } from './recovery-point.tsx'

const point: CheckpointSummary = {
  checkpoint_id: '01900000-0000-7000-8000-000000000001',
  run_id: '01900000-0000-7000-8000-000000000002',
  agent_id: 'agent',
  conversation_id: '01900000-0000-7000-8000-000000000003',
  name: 'task_recovery_point',
  restore_kind: 'filesystem_snapshot',
  tool: 'fs.write',
  targets: [],
  recovery_chain_id: '01900000-0000-7000-8000-000000000001',
  recovery_chain_version: 1,
  parent_checkpoint_id: null,
  artifact_count: 2,
  artifact_bytes: 5,
  restored: false,
  pending_approval: false,
  taxonomy: 'none',
  created_at: '2026-01-01T00:00:00.000Z',
  contents_deleted_at: null,
  background: null,
}

test('a point shows what it stores, and one without its contents that its files can no longer be restored', () => {
  expect(pointContents(point)).toBe('Covers all files · 2 paths saved, 5 B')
  expect(pointContents({ ...point, contents_deleted_at: '2026-02-01T00:00:00.000Z' })).toBe(
    'Its files can no longer be restored. Their contents were deleted to free space for newer recovery points.',
  )
})

test('a point of a background command is shown as open, and later when it was closed', () => {
  const returned_at = '2026-03-01T09:00:00.000Z'
  const running = { background: { returned_at, closed_at: null, late: false } }
  const closed_at = '2026-03-01T09:00:30.000Z'
  const texts = [false, true].map((late) => closedText({ background: { returned_at, closed_at, late } }))
  expect([isOpen(running), closedText(running), isOpen({ background: null }), closedText({ background: null })]).toEqual([
    true,
    null,
    false,
    null,
  ])
  expect(texts).toEqual([
    expect.stringMatching(/^Recorded changes of the background command until it ended, .+\.$/),
    expect.stringMatching(/^Recorded changes of the background command until .+\. The command ended while Tandem was not running\.$/),
  ])
})
