import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureTaxonomies } from '../failure/index.ts'
import { limits } from '../limits/index.ts'
import { expiredCheckpoints, isProtected, type RetainedCheckpoint, restoreKind } from './index.ts'

const now = '2026-06-30T00:00:00.000Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()
const plain = (checkpoint_id: string, days: number, more: Partial<RetainedCheckpoint> = {}): RetainedCheckpoint => ({
  checkpoint_id,
  created_at: daysAgo(days),
  restored: false,
  pending_approval: false,
  taxonomy: 'none',
  ...more,
})
const recent = ['r1', 'r2', 'r3', 'r4', 'r5'].map((id) => plain(id, 0))

describe('a checkpoint is given up', () => {
  test.each([
    ['after 14 days', plain('x', 14.1), true],
    ['not within 14 days', plain('x', 13.9), false],
    ['not at 14 days when restored', plain('x', 20, { restored: true }), false],
    ['not at 14 days while an approval waits', plain('x', 20, { pending_approval: true }), false],
    ['not at 14 days after a failure', plain('x', 20, { taxonomy: 'sandbox_failure' }), false],
    ['after 45 days even if protected', plain('x', 45.1, { restored: true }), true],
  ])('%s', (_name, checkpoint, expired) => {
    expect(expiredCheckpoints([...recent, checkpoint], now)).toEqual(expired ? ['x'] : [])
  })

  test('never among the 5 most recent, however old', () => {
    expect(
      expiredCheckpoints(
        ['a', 'b', 'c', 'd', 'e'].map((id) => plain(id, 400)),
        now,
      ),
    ).toEqual([])
  })

  test('over the cap: non-protected first, oldest first', () => {
    const run = [plain('old-protected', 9, { restored: true }), plain('old', 8), plain('young', 7), ...recent]
    expect(expiredCheckpoints(run, now, 7)).toEqual(['old'])
    expect(expiredCheckpoints(run, now, 6)).toEqual(['old', 'young'])
    expect(expiredCheckpoints(run, now, 5)).toEqual(['old-protected', 'old', 'young'])
    expect(expiredCheckpoints(run, now, 1)).toEqual(['old-protected', 'old', 'young'])
  })
})

const checkpoints = fc
  .array(
    fc.record({
      days: fc.integer({ min: 0, max: 60 }),
      restored: fc.boolean(),
      pending_approval: fc.boolean(),
      taxonomy: fc.constantFrom(...failureTaxonomies),
    }),
    { maxLength: 30 },
  )
  .map((rows) => rows.map(({ days, ...more }, index) => plain(`c${index}`, days, more)))

test('whatever a run holds: the newest stay, the cap is met as far as they allow, and a second round finds nothing', () => {
  fc.assert(
    fc.property(checkpoints, fc.integer({ min: 1, max: 20 }), (run, cap) => {
      const expired = new Set(expiredCheckpoints(run, now, cap))
      const left = run.filter((one) => !expired.has(one.checkpoint_id))
      expect(left.length).toBeGreaterThanOrEqual(Math.min(run.length, limits.checkpoints_kept))
      expect(left.length).toBeLessThanOrEqual(Math.max(cap, limits.checkpoints_kept))
      expect(expiredCheckpoints(left, now, cap)).toEqual([])
      const inTime = (one: RetainedCheckpoint) => Date.parse(now) - Date.parse(one.created_at) <= limits.checkpoint_window_ms
      const gaveUpProtected = run.some((one) => expired.has(one.checkpoint_id) && isProtected(one) && inTime(one))
      const newest = run.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, limits.checkpoints_kept)
      const oldestKept = newest.at(-1)?.created_at ?? now
      if (gaveUpProtected) expect(left.filter((one) => !isProtected(one) && one.created_at < oldestKept)).toEqual([])
    }),
  )
})

test.each([
  [0, 0, 'filesystem_snapshot'],
  [2_000, 64 * 1024 * 1024, 'filesystem_snapshot'],
  [2_001, 0, 'manifest_snapshot'],
  [1, 64 * 1024 * 1024 + 1, 'manifest_snapshot'],
  [100_000, Number.MAX_SAFE_INTEGER, 'manifest_snapshot'],
  [100_001, 0, 'inventory_snapshot'],
] as const)('%i files of %i bytes make a %s', (files, bytes, kind) => {
  expect(restoreKind({ files, bytes })).toBe(kind)
})
