import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CheckpointTestEnvironment, cursorAt, openCheckpointTest } from '../../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

test('restores a folder that the run itself removed', async () => {
  writeFileSync(join(bench.work, 'a'), 'old')
  const id = await bench.shell('cd .. && rm -rf work')
  expect(existsSync(bench.work)).toBe(false)
  expect(await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))).toMatchObject({ outcome: 'restored' })
  expect(readFileSync(join(bench.work, 'a'), 'utf8')).toBe('old')
})

test('after a move, everything saved belongs to the new path, for checkpoints before and after the move', async () => {
  mkdirSync(join(bench.work, 'sub'))
  writeFileSync(join(bench.work, 'sub', 'a'), 'one')
  const first = await bench.shell('echo two > sub/a; mkdir made; echo x > made/x')
  const second = await bench.shell('rm -r sub')
  const moved = join(bench.folder, 'moved')
  renameSync(bench.work, moved)
  const refused = await bench.checkpoints.restore(first, 'stop', cursorAt(3, bench.work))
  expect(refused).toMatchObject({ outcome: 'failed', code: 'restore_failed', failure_contract: { reason_code: 'workspace_moved' } })
  expect(existsSync(bench.work)).toBe(false)
  const restored = await bench.checkpoints.restore(second, 'stop', cursorAt(3, moved))
  expect([restored, readFileSync(join(moved, 'sub', 'a'), 'utf8')]).toMatchObject([{ outcome: 'restored', left_alone: [] }, 'two\n'])
  // Two of its stages are at the old path and one at the new path.
  expect(await bench.checkpoints.restore(first, 'stop', cursorAt(4, moved))).toMatchObject({ outcome: 'restored', left_alone: [] })
  expect([readFileSync(join(moved, 'sub', 'a'), 'utf8'), existsSync(join(moved, 'made')), existsSync(bench.work)]).toEqual([
    'one',
    false,
    false,
  ])
})
