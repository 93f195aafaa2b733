// Restores over points that were deleted meanwhile: what their calls did is restored as far as possible, and the rest is reported.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bash, type CheckpointTestEnvironment, cursorAt, openCheckpointTest } from '../../test/support/checkpoint/test-checkpoints.ts'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { degradedRestore } from './failure.ts'

const day_ms = 86_400_000
const clock = testClock(Date.parse('2026-06-01T00:00:00.000Z'))
let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest({ clock })
  bash('echo original > w; echo original > y', bench.work)
})
afterEach(() => bench.close())

const at = (name: string) => join(bench.work, name)
const textOf = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null)

async function shell(command: string): Promise<string> {
  const id = await bench.shell(command)
  clock.set(clock.now() + 1_000)
  return id
}

async function later(days: number): Promise<void> {
  clock.set(clock.now() + days * day_ms)
  await bench.checkpoints.retain()
}

async function previewed(checkpoint_id: string) {
  const seen = await bench.checkpoints.preview(checkpoint_id, {})
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  return { notes: seen.notes, entries: seen.entries.items.map(({ path, change }) => [path.slice(bench.work.length + 1), change]) }
}

async function restore(checkpoint_id: string, on_conflict: 'stop' | 'overwrite' = 'stop') {
  const restored = await bench.checkpoints.restore(checkpoint_id, on_conflict, cursorAt(99, bench.work))
  if (restored.outcome !== 'restored') throw new Error(JSON.stringify(restored))
  return restored
}

/** An older point that is protected, one that is not, and five newer ones. */
async function protectedThenOrdinary(ordinary: string): Promise<string> {
  const first = await shell('echo one > w')
  bench.checkpoints.markFailure(first, degradedRestore(bench.work, [], []))
  await shell(ordinary)
  for (let no = 0; no < 6; no += 1) await shell(`echo ${no} > z`)
  return first
}

const contentsNote =
  'The saved contents of 2 later recovery points were deleted. The changes of their calls are listed; a file whose content was saved only there cannot be restored.'

test('what calls between two points changed is restored after their points were deleted', async () => {
  const first = await protectedThenOrdinary('echo two > x; rm y; echo 2 > w')
  await later(20)
  expect(await previewed(first)).toEqual({
    notes: [expect.stringContaining('Changes you made while a command'), contentsNote],
    entries: [
      ['w', 'changed'],
      ['x', 'created'],
      ['y', 'deleted'],
      ['z', 'created'],
    ],
  })
  const restored = await restore(first)
  expect([restored.left_alone, ['w', 'x', 'y', 'z'].map(textOf)]).toEqual([[], ['original\n', null, 'original\n', null]])
})

test('a file whose only content was deleted with its point is named in the preview and in the result', async () => {
  const first = await shell('echo one > w')
  bench.checkpoints.markFailure(first, degradedRestore(bench.work, [], []))
  bash('mkdir sub; echo "from a user" > sub/v', bench.work)
  // A point of another folder: no later point is stored as the difference from it.
  await bench.shell('rm v', at('sub'))
  for (let no = 0; no < 6; no += 1) await shell(`echo ${no} > z`)
  await later(20)
  const lost = { path: at('sub/v'), type: 'file', change: 'unrecoverable', reason: 'its saved content was deleted with a recovery point' }
  const seen = await bench.checkpoints.preview(first, { change: 'unrecoverable' })
  expect(seen).toMatchObject({ counts: { unrecoverable: 1 }, entries: { items: [lost] } })
  const restored = await restore(first)
  expect([restored.left_alone, restored.failure_contract?.taxonomy]).toEqual([[lost], 'degraded_recovery'])
  expect(restored.failure_contract?.details.facts).toContainEqual({ name: 'unprotected', value: contentsNote })
  expect(['w', 'sub/v', 'z'].map(textOf)).toEqual(['original\n', null, null])
})

const unknownNote =
  'Recovery points of this run were deleted, and it is not known what their calls changed. Those changes are neither listed nor restored.'

test('a point that an earlier version deleted without a record is reported, and what it may have changed is not restored by itself', async () => {
  const write = async (path: string, text: string) => {
    const id = await bench.take([{ does: 'write', path }], 'fs.write')
    bash(`echo ${text} > ${path}`, bench.work)
    await bench.checkpoints.settle(id)
    return id
  }
  const first = await write('w', 'one')
  const hidden = await write('y', 'two')
  await write('y', 'three')
  await write('w', 'four')
  bench.store.sql.run`DELETE FROM runtime_run_checkpoints WHERE checkpoint_id = ${hidden}`
  expect(await previewed(first)).toEqual({
    notes: [unknownNote],
    entries: [
      ['w', 'changed'],
      ['y', 'conflict'],
    ],
  })
  const refused = await bench.checkpoints.restore(first, 'stop', cursorAt(99, bench.work))
  const reason = 'only its state at a later call was saved; its state at the recovery point is unknown'
  expect(refused).toMatchObject({ outcome: 'failed', code: 'restore_conflict', conflicts: [{ path: at('y'), reason }] })
  const restored = await bench.checkpoints.restore(first, 'keep', cursorAt(99, bench.work))
  expect(restored).toMatchObject({
    outcome: 'restored',
    left_alone: [{ path: at('y'), change: 'conflict', reason }],
    failure_contract: { taxonomy: 'degraded_recovery', reason_code: 'incomplete_history' },
  })
  expect(['w', 'y'].map(textOf)).toEqual(['original\n', 'three\n'])
})

test('what changed in such a gap is not blamed on others', async () => {
  const first = await shell('echo one > w')
  const hidden = await shell('echo two > w')
  await shell('true')
  bench.store.sql.run`DELETE FROM runtime_run_checkpoints WHERE checkpoint_id = ${hidden}`
  const reason = 'a call of this run whose changes are not known, or someone else, has changed it since then'
  const seen = await bench.checkpoints.preview(first, {})
  expect(seen).toMatchObject({ entries: { items: [{ path: at('w'), change: 'conflict', reason }] } })
})

test('the changes of deleted points are dropped when no restore needs them any more', async () => {
  const kept = () => bench.store.sql.all`SELECT checkpoint_id FROM runtime_kept_changes`.length
  await protectedThenOrdinary('echo two > x')
  await later(20)
  expect(kept()).toBe(2)
  await later(40)
  expect(kept()).toBe(0)
})
