import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@tandem/contract/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  type CheckpointTestOptions,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { degradedRestore } from './failure.ts'
import type { DeletedCheckpoint } from './retention.ts'

const day_ms = 86_400_000
const clock = testClock(Date.parse('2026-06-01T00:00:00.000Z'))
let bench: CheckpointTestEnvironment
let deleted: DeletedCheckpoint[]

beforeEach(() => {
  deleted = []
  bench = openCheckpointTest({ clock })
})
afterEach(() => bench.close())

function reopen(options: CheckpointTestOptions): void {
  bench.store.close()
  bench = openCheckpointTest({ folder: bench.folder, clock, deleted: (ones) => void deleted.push(...ones), ...options })
}

const runOf = (conversation: number) => `01990000-0000-7000-8000-0000000001${String(conversation).padStart(2, '0')}`
const conversationOf = (conversation: number) => `01990000-0000-7000-8000-0000000002${String(conversation).padStart(2, '0')}`

/** A call in a separate conversation that rewrites a file with incompressible bytes. */
async function change(conversation: number, bytes = 100_000): Promise<string> {
  bash(`head -c ${bytes} /dev/urandom > noise`, bench.work)
  const plan = await bench.plan([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
  const cursor = { ...cursorAt(1, bench.work, runOf(conversation)), conversation_id: conversationOf(conversation) }
  const taken = await bench.checkpoints.take(plan, cursor)
  if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
  await bench.checkpoints.settle(taken.checkpoint.checkpoint_id)
  clock.set(clock.now() + 1_000)
  return taken.checkpoint.checkpoint_id
}

const used = () => {
  const blobs = join(bench.home, 'blobs')
  return readdirSync(blobs, { withFileTypes: true }).reduce(
    (sum, one) => sum + (one.isFile() ? statSync(join(blobs, one.name)).size : 0),
    0,
  )
}
const brief = () => deleted.map(({ checkpoint_id, deleted: what, reason }) => [checkpoint_id, what, reason])
const listed = (conversation: number) =>
  bench.checkpoints
    .list(runOf(conversation), null, {})
    .items.map(({ checkpoint_id, contents_deleted_at }) => [checkpoint_id, contents_deleted_at])

test('age applies across runs: only the newest five of each conversation and of the device are kept', async () => {
  const first: string[] = []
  for (let no = 0; no < 3; no += 1) first.push(await change(1))
  const second: string[] = []
  for (let no = 0; no < 7; no += 1) second.push(await change(2))
  clock.set(clock.now() + 20 * day_ms)
  reopen({})
  expect(bench.checkpoints.isRetentionDue()).toBe(true)
  const freed = used()
  expect(await bench.checkpoints.retain()).toEqual(deleted)
  expect(brief()).toEqual([
    [second[0], 'point', 'outlived'],
    [second[1], 'point', 'outlived'],
  ])
  expect(deleted.reduce((sum, { freed_bytes }) => sum + freed_bytes, 0)).toBe(freed - used())
  expect([listed(1).length, listed(2).length, bench.checkpoints.isRetentionDue(), bench.checkpoints.needsRecovery()]).toEqual([
    3,
    5,
    false,
    false,
  ])
})

test('over the maximum number, ordinary points are deleted first, and reported as such', async () => {
  const ids = [await change(1, 10), await change(1, 10)]
  bench.checkpoints.markFailure(String(ids[0]), degradedRestore(bench.work, [], []))
  for (let no = 0; no < 5; no += 1) ids.push(await change(1, 10))
  for (let no = 0; no < limits.checkpoints_per_device - 6; no += 1) {
    bench.store.sql
      .run`INSERT INTO runtime_run_checkpoints (checkpoint_id, run_id, agent_id, conversation_id, name, restore_kind, recovery_chain_id,
        recovery_chain_version, artifact_count, artifact_bytes, settled, root, run_metadata, run_loop_cursor, conversation_slice, tool_state,
        approval_queue, memory_flush_markers, recovery_hints, created_at)
      SELECT ${`copy-${no}`}, run_id, agent_id, ${`other-${no}`}, name, restore_kind, recovery_chain_id,
        recovery_chain_version, artifact_count, artifact_bytes, 'yes', root, run_metadata, run_loop_cursor, conversation_slice, tool_state,
        approval_queue, memory_flush_markers, recovery_hints, 0 FROM runtime_run_checkpoints WHERE checkpoint_id = ${String(ids[0])}`
  }
  reopen({})
  await bench.checkpoints.retain()
  expect(brief()).toEqual([[ids[1], 'point', 'over_cap']])
})

test('bytes: points beyond the five, then the contents of the longest inactive conversation, in one order', async () => {
  const inactive = [await change(1), await change(1)]
  const other: string[] = []
  for (let no = 0; no < 6; no += 1) other.push(await change(2))
  const active: string[] = []
  for (let no = 0; no < 4; no += 1) active.push(await change(3))
  const all = used()
  reopen({ quota_bytes: all - 60_000 })
  const before = manifestOf(bench.work)
  const newest = await change(3)
  expect(brief()).toEqual([
    [other[0], 'point', 'over_budget'],
    [inactive[0], 'contents', 'over_budget'],
    [inactive[1], 'contents', 'over_budget'],
  ])
  expect([used() <= all - 60_000, bench.checkpoints.needsRecovery()]).toEqual([true, false])
  const at = new Date(clock.now() - 1_000).toISOString()
  expect(listed(1)).toEqual([
    [inactive[1], at],
    [inactive[0], at],
  ])
  // Such a row shows that its files can no longer be restored, and blocks nothing.
  const gone = String(inactive[0])
  const reason = { code: 'checkpoint_expired', failure_contract: { reason_code: 'contents_deleted' } }
  expect(await bench.checkpoints.preview(gone, {})).toMatchObject({ outcome: 'failed', ...reason })
  expect(await bench.checkpoints.restore(gone, 'stop', cursorAt(2, bench.work, runOf(1)))).toMatchObject({ outcome: 'failed', ...reason })
  expect(await bench.checkpoints.artifacts(gone, {})).toEqual({ items: [], next_cursor: null })
  expect(bench.checkpoints.get(gone)?.contents_deleted_at).toBe(at)
  bash('rm noise', bench.work)
  const restored = await bench.checkpoints.restore(newest, 'overwrite', cursorAt(2, bench.work, runOf(3)))
  expect(restored.outcome).toBe('restored')
  expect(difference(before, manifestOf(bench.work)).missing.length).toBeLessThanOrEqual(2)
  // The rows are deleted 14 days later.
  clock.set(clock.now() + 15 * day_ms)
  await bench.checkpoints.retain()
  expect(listed(1)).toEqual([])
})

test('an open point is in use and is kept, even if it is older than all others', async () => {
  bash('head -c 100000 /dev/urandom > noise', bench.work)
  const open = await bench.take([{ does: 'execute', command: 'sleep 1000 &', cwd: bench.work, language: 'shell' }])
  clock.set(clock.now() + 1_000)
  for (let no = 0; no < 8; no += 1) await change(1)
  clock.set(clock.now() + 60 * day_ms)
  reopen({ quota_bytes: 1 })
  await bench.checkpoints.retain()
  expect([deleted.length, deleted.some(({ checkpoint_id }) => checkpoint_id === open)]).toEqual([3, false])
  expect(bench.checkpoints.get(open)?.contents_deleted_at).toBe(null)
})

test('a deletion and its record are true together or not at all', async () => {
  for (let no = 0; no < 7; no += 1) await change(1)
  clock.set(clock.now() + 20 * day_ms)
  reopen({
    deleted() {
      throw new Error('the event could not be written')
    },
  })
  await expect(bench.checkpoints.retain()).rejects.toThrow('the event could not be written')
  expect([listed(1).length, bench.checkpoints.needsRecovery()]).toEqual([7, false])
})
