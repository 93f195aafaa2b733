// Where only the direct children and the named targets were scanned: what follows from them is restored, the rest is a conflict.
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
} from '../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest({ budget: { files: 40, ms: 60_000 } })
  bash('mkdir -p deep/er && cd deep/er && seq 60 | split -l 1 -a 4 - && cd ../.. && echo film > film', bench.work)
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const at = (...parts: string[]) => join(bench.work, ...parts)
/** A program whose targets cannot be determined. */
const unseen = (code: string) => `python3 -c "import os; ${code}"`

async function preview(checkpoint_id: string) {
  const seen = await bench.checkpoints.preview(checkpoint_id, {})
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  return seen.entries.items.map(({ path, change }) => [path, change])
}

test('removes a created folder with its content, also one that replaced a file', async () => {
  const before = manifestOf(bench.work)
  const id = await bench.shell(
    unseen("os.remove('film'); os.makedirs('film/a/b'); os.makedirs('made/c'); open('film/a/b/f','w'); open('made/c/f','w')"),
  )
  const after = manifestOf(bench.work)
  expect([bench.checkpoints.get(id)?.restore_kind, await preview(id)]).toEqual([
    'inventory_snapshot',
    [
      [at('film'), 'changed'],
      [at('film/a'), 'created'],
      [at('film/a/b'), 'created'],
      [at('film/a/b/f'), 'created'],
      [at('made'), 'created'],
      [at('made/c'), 'created'],
      [at('made/c/f'), 'created'],
    ],
  ])
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
  await bench.checkpoints.restore(restored.outcome === 'restored' ? restored.safety_checkpoint_id : '', 'stop', cursorAt(3, bench.work))
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
})

test('asks about what a command may have changed unseen before a later call saved it: it may differ from its state at the point', async () => {
  const first = await bench.shell(unseen("open('deep/er/xaaaa','w').write('first')"))
  const second = await bench.shell('echo second > deep/er/xaaaa')
  const found = await bench.checkpoints.preview(first, {})
  expect(found.outcome === 'previewed' && found.entries.items).toEqual([
    {
      ...{ path: at('deep/er/xaaaa'), type: 'file', change: 'conflict' },
      reason: 'only its state at a later call was saved; its state at the recovery point is unknown',
    },
  ])
  const after = manifestOf(bench.work)
  await bench.checkpoints.restore(first, 'keep', cursorAt(3, bench.work))
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
  expect(await preview(second)).toEqual([[at('deep/er/xaaaa'), 'changed']])
  await bench.checkpoints.restore(first, 'overwrite', cursorAt(4, bench.work))
  expect(bash('cat deep/er/xaaaa', bench.work)).toBe('first')
})

test('for a point on demand of a large folder, asks about what a call changed deep below, and restores it to what the call found', async () => {
  const point = await bench.onDemand(1)
  if (point.outcome !== 'taken') throw new Error(JSON.stringify(point))
  const { checkpoint_id } = point.checkpoint
  const call = await bench.take([{ does: 'write', path: 'deep/er/xaaaa' }], 'fs.edit')
  bash('echo edited > deep/er/xaaaa', bench.work)
  await bench.checkpoints.settle(call)
  const found = await bench.checkpoints.preview(checkpoint_id, {})
  expect(found.outcome === 'previewed' && found.entries.items).toEqual([
    {
      ...{ path: at('deep/er/xaaaa'), type: 'file', change: 'conflict' },
      reason: 'only its state at a later call was saved; its state at the recovery point is unknown',
    },
  ])
  await bench.checkpoints.restore(checkpoint_id, 'overwrite', cursorAt(3, bench.work))
  expect(bash('cat deep/er/xaaaa', bench.work)).toBe('1\n')
})

test('recreates folders that were not saved for the files in them, reports them, and removes them when that is undone', async () => {
  const id = await bench.shell('echo new > deep/er/xaaaa')
  await bench.shell('rm -rf ./* ./.[!.]*')
  const after = manifestOf(bench.work)
  expect(await preview(id)).toEqual([
    [at('deep'), 'deleted'],
    [at('deep/er'), 'deleted'],
    [at('deep/er/xaaaa'), 'deleted'],
    [at('film'), 'deleted'],
  ])
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(3, bench.work))
  expect([restored.outcome, bash('cat deep/er/xaaaa film; stat -c %a deep/er', bench.work)]).toEqual(['restored', '1\nfilm\n755\n'])
  await bench.checkpoints.restore(restored.outcome === 'restored' ? restored.safety_checkpoint_id : '', 'stop', cursorAt(4, bench.work))
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
})

test('a path that someone else already restored is not a conflict: restoring it again loses nothing', async () => {
  await bench.close()
  bench = openCheckpointTest()
  bash('echo one > f', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('rm -rf "$PWD"')
  bash(`mkdir -m 755 work && echo one > work/f && chmod 644 work/f`, join(bench.work, '..'))
  await bench.shell('chmod -R 777 .; echo two > f')
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(3, bench.work))
  expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
})
