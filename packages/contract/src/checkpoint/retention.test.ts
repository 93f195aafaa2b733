import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureTaxonomies } from '../failure/index.ts'
import { limits } from '../limits/index.ts'
import { type CheckpointDeletion, chooseDeletions, isProtected, restoreKind, type StoredCheckpoint } from './index.ts'

const now = '2026-06-30T00:00:00.000Z'
const daysAgo = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString()

function point(checkpoint_id: string, days: number, more: Partial<StoredCheckpoint> = {}): StoredCheckpoint {
  return {
    checkpoint_id,
    conversation_id: 'a',
    created_at: daysAgo(days),
    restored: false,
    pending_approval: false,
    taxonomy: 'none',
    contents_deleted_at: null,
    open: false,
    files: [],
    ...more,
  }
}

/** Five points of another conversation that are newer than all others, so that no other point is among the newest of the device. */
const newest = (conversation_id: string) =>
  ['1', '2', '3', '4', '5'].map((no) => point(`${conversation_id}${no}`, 0.1, { conversation_id, files: [] }))
/** Five points that make any older one the sixth of conversation `a`. */
const five = newest('a')

interface Store {
  readonly cap?: number
  readonly budget_bytes?: number
  sizeOf?(file: number): number
}

function choose(
  checkpoints: readonly StoredCheckpoint[],
  { budget_bytes = Number.POSITIVE_INFINITY, sizeOf = () => 1, ...more }: Store = {},
) {
  return chooseDeletions({ checkpoints, now, budget_bytes, sizeOf, ...more })
}

const brief = ({ checkpoint_id, deleted, reason }: CheckpointDeletion) => [checkpoint_id, deleted, reason]

describe('by age', () => {
  test.each([
    ['an ordinary point after 14 days', point('x', 14.1), true],
    ['not within 14 days', point('x', 13.9), false],
    ['not after 14 days when restored', point('x', 20, { restored: true }), false],
    ['not after 14 days while an approval is pending', point('x', 20, { pending_approval: true }), false],
    ['not after 14 days after a failure', point('x', 20, { taxonomy: 'sandbox_failure' }), false],
    ['a protected point after 45 days', point('x', 45.1, { restored: true }), true],
    ['not a point in use', point('x', 400, { open: true }), false],
    ['a row 14 days after it lost its contents', point('x', 60, { contents_deleted_at: daysAgo(14.1) }), true],
    ['not a row that lost its contents later', point('x', 60, { contents_deleted_at: daysAgo(13.9) }), false],
  ])('%s', (_name, checkpoint, expired) => {
    expect(choose([...five, checkpoint]).deletions.map(brief)).toEqual(expired ? [['x', 'point', 'outlived']] : [])
  })

  test('never the newest five of the device, however old', () => {
    const old = ['a', 'b', 'c', 'd', 'e'].map((id) => point(id, 400, { conversation_id: id }))
    expect(choose(old).deletions).toEqual([])
  })

  test('never the newest five of a conversation, however many points are newer elsewhere; the sixth is deleted', () => {
    const old = ['1', '2', '3', '4', '5', '6'].map((no) => point(`o${no}`, 100 - Number(no), { conversation_id: 'old' }))
    expect(choose([...five, ...old]).deletions.map(brief)).toEqual([['o1', 'point', 'outlived']])
  })

  test('a row without contents does not count among the five', () => {
    const rows = ['1', '2', '3'].map((no) => point(`r${no}`, 0.01, { contents_deleted_at: now }))
    expect(choose([...rows, ...five, point('x', 20)]).deletions.map(brief)).toEqual([['x', 'point', 'outlived']])
    expect(choose([...rows, ...five.slice(1), point('x', 20)]).deletions).toEqual([])
  })
})

test('over the cap: ordinary points first, oldest first, and the newest five of each conversation stay', () => {
  const points = [point('old-protected', 9, { restored: true }), point('old', 8), point('young', 7), ...five, ...newest('b')]
  const over = (cap: number) => choose(points, { cap }).deletions.map(brief)
  expect(over(13)).toEqual([])
  expect(over(12)).toEqual([['old', 'point', 'over_cap']])
  expect(over(11)).toEqual([
    ['old', 'point', 'over_cap'],
    ['young', 'point', 'over_cap'],
  ])
  const all = [
    ['old', 'point', 'over_cap'],
    ['young', 'point', 'over_cap'],
    ['old-protected', 'point', 'over_cap'],
  ]
  expect([over(10), over(1)]).toEqual([all, all])
})

describe('over the budget', () => {
  const files = (from: number) => ({ files: [from] })
  const points = [
    point('b-old', 3, { conversation_id: 'b', ...files(1) }),
    point('b-new', 2, { conversation_id: 'b', ...files(2) }),
    point('c-old', 5, { conversation_id: 'c', ...files(3) }),
    point('c-new', 1, { conversation_id: 'c', ...files(4) }),
    point('outlived', 20, files(5)),
    point('protected', 13, { restored: true, ...files(6) }),
    point('old', 12, files(7)),
    point('young', 11, files(8)),
    point('open', 12.5, { open: true, ...files(9) }),
    ...['1', '2', '3', '4', '5'].map((no) => point(`a${no}`, 0.1, { files: [10 + Number(no)] })),
  ]
  const order = [
    ['outlived', 'point', 'outlived'],
    ['old', 'point', 'over_budget'],
    ['young', 'point', 'over_budget'],
    ['protected', 'point', 'over_budget'],
    ['b-old', 'contents', 'over_budget'],
    ['b-new', 'contents', 'over_budget'],
    ['c-old', 'contents', 'over_budget'],
    ['c-new', 'contents', 'over_budget'],
  ]

  test.each(order.map((_, index) => index + 1))('each row in order, and no more than needed: %i', (many) => {
    const { deletions, missing_bytes } = choose(points, { budget_bytes: 14 - many })
    expect([deletions.map(brief), missing_bytes]).toEqual([order.slice(0, many), 0])
  })

  test('the newest five of the device and points in use are kept, and the missing bytes are reported', () => {
    const { deletions, missing_bytes } = choose(points, { budget_bytes: 2 })
    expect([deletions.map(brief), missing_bytes]).toEqual([order, 4])
  })

  test('a file that two points need is freed with the second of them', () => {
    const shared = [point('x', 3, { files: [1, 2] }), point('y', 2, { files: [2, 3] }), ...five]
    const sizeOf = (file: number) => file * 100
    expect(choose(shared, { budget_bytes: 0, sizeOf }).deletions).toEqual([
      { checkpoint_id: 'x', deleted: 'point', reason: 'over_budget', freed_bytes: 100 },
      { checkpoint_id: 'y', deleted: 'point', reason: 'over_budget', freed_bytes: 500 },
    ])
    expect(choose(shared, { budget_bytes: 500, sizeOf }).deletions.map(({ checkpoint_id }) => checkpoint_id)).toEqual(['x'])
  })

  test('a row that has no contents left is not deleted for bytes', () => {
    const row = point('row', 5, { contents_deleted_at: daysAgo(1) })
    expect(choose([row, ...five.map((one, file) => ({ ...one, files: [file] }))], { budget_bytes: 1 }).deletions).toEqual([])
  })
})

const stored = fc
  .array(
    fc.record({
      days: fc.integer({ min: 0, max: 60 }),
      conversation_id: fc.constantFrom('a', 'b', 'c'),
      restored: fc.boolean(),
      pending_approval: fc.boolean(),
      taxonomy: fc.constantFrom(...failureTaxonomies),
      open: fc.boolean(),
      emptied: fc.option(fc.integer({ min: 0, max: 60 })),
      files: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows.map(({ days, emptied, files, open, ...more }, index) => {
      const id = `c${String(index).padStart(2, '0')}`
      if (emptied === null || open) return point(id, days, { ...more, open, files })
      return point(id, days, { ...more, contents_deleted_at: daysAgo(Math.min(emptied, days)) })
    }),
  )
const sizeOf = (file: number) => (file % 7) + 1
const used = (points: readonly StoredCheckpoint[]) =>
  [...new Set(points.flatMap(({ files }) => [...files]))].reduce((sum, file) => sum + sizeOf(file), 0)
const byAge = (left: StoredCheckpoint, right: StoredCheckpoint) =>
  left.created_at === right.created_at ? (left.checkpoint_id < right.checkpoint_id ? -1 : 1) : left.created_at < right.created_at ? -1 : 1
const lastFive = (points: readonly StoredCheckpoint[]) =>
  points
    .filter(({ contents_deleted_at }) => contents_deleted_at === null)
    .toSorted(byAge)
    .slice(-limits.checkpoints_kept)

/** The store after these deletions. */
function after(points: readonly StoredCheckpoint[], deletions: readonly CheckpointDeletion[]): StoredCheckpoint[] {
  const of = new Map(deletions.map((one) => [one.checkpoint_id, one.deleted]))
  return points
    .filter(({ checkpoint_id }) => of.get(checkpoint_id) !== 'point')
    .map((one) => (of.has(one.checkpoint_id) ? { ...one, contents_deleted_at: now, files: [] } : one))
}

test('invariants hold for any store', () => {
  fc.assert(
    fc.property(stored, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 150 }), (points, cap, budget_bytes) => {
      const { deletions, missing_bytes } = choose(points, { cap, budget_bytes, sizeOf })
      const find = (id: string) => points.find(({ checkpoint_id }) => checkpoint_id === id) as StoredCheckpoint
      const deleted = new Set(deletions.map(({ checkpoint_id }) => checkpoint_id))
      const left = after(points, deletions)
      expect(deleted.size).toBe(deletions.length)
      // Never the newest five of the device, never a point in use.
      for (const one of [...lastFive(points), ...points.filter(({ open }) => open)]) expect(deleted.has(one.checkpoint_id)).toBe(false)
      // The newest five of a conversation lose nothing but their contents, and only for the budget.
      for (const conversation of Map.groupBy(points, ({ conversation_id }) => conversation_id).values()) {
        const five = lastFive(conversation).map(({ checkpoint_id }) => checkpoint_id)
        for (const one of deletions.filter(({ checkpoint_id }) => five.includes(checkpoint_id)))
          expect([one.deleted, one.reason]).toEqual(['contents', 'over_budget'])
      }
      // The freed bytes are those no longer stored, and deleting stops as soon as it is enough.
      expect(deletions.reduce((sum, { freed_bytes }) => sum + freed_bytes, 0)).toBe(used(points) - used(left))
      expect(missing_bytes).toBe(Math.max(0, used(left) - budget_bytes))
      const bytes = deletions.filter(({ reason }) => reason === 'over_budget')
      if (bytes.length > 0) expect(used(after(points, deletions.slice(0, -1)))).toBeGreaterThan(budget_bytes)
      // Reasons in order; among points deleted for bytes, ordinary before protected, and each oldest first.
      const rank = ({ checkpoint_id, reason, deleted: what }: CheckpointDeletion) =>
        reason === 'outlived'
          ? 0
          : (reason === 'over_cap' ? 1 : what === 'point' ? 3 : 5) + (what === 'point' && isProtected(find(checkpoint_id)) ? 1 : 0)
      const ranks = deletions.map(rank)
      expect(ranks).toEqual(ranks.toSorted((one, other) => one - other))
      for (const same of Map.groupBy(deletions, rank).values()) {
        if (same[0]?.deleted === 'contents') continue
        const ids = same.map(({ checkpoint_id }) => checkpoint_id)
        expect(ids).toEqual(
          ids
            .map(find)
            .toSorted(byAge)
            .map(({ checkpoint_id }) => checkpoint_id),
        )
      }
      // If bytes are still missing, nothing is left that may be deleted for them.
      if (missing_bytes > 0) {
        const kept = new Set(lastFive(points).map(({ checkpoint_id }) => checkpoint_id))
        expect(left.filter((one) => one.contents_deleted_at === null && !one.open && !kept.has(one.checkpoint_id))).toEqual([])
      }
      // A second pass finds nothing but rows that lost their contents and are over the cap.
      const emptied = deletions.flatMap(({ checkpoint_id, deleted: what }) => (what === 'contents' ? [checkpoint_id] : []))
      const again = choose(left, { cap, budget_bytes, sizeOf }).deletions
      expect(again.filter(({ checkpoint_id, reason }) => reason !== 'over_cap' || !emptied.includes(checkpoint_id))).toEqual([])
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
