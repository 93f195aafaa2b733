// Where only the direct children and the named targets were looked at: what can be concluded from that is done, what can't is asked about.
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, bash, cursorAt, difference, manifestOf, openBench } from '../../test/support/checkpoint/test-checkpoints.ts'

let bench: Bench
beforeEach(() => {
  bench = openBench({ budget: { files: 40, ms: 60_000 } })
  bash('mkdir -p deep/er && cd deep/er && seq 60 | split -l 1 -a 4 - && cd ../.. && echo film > film', bench.work)
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const at = (...parts: string[]) => join(bench.work, ...parts)
/** A program nobody can read the targets from. */
const unseen = (code: string) => `python3 -c "import os; ${code}"`

async function preview(checkpoint_id: string) {
  const seen = await bench.checkpoints.preview(checkpoint_id, {})
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  return seen.entries.items.map(({ path, change }) => [path, change])
}

test('a folder that was made goes with all that is in it, also one that took the place of a file', async () => {
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

test('what a command may have changed unseen before a later call kept it is asked about: it is not as it was at the point', async () => {
  const first = await bench.shell(unseen("open('deep/er/xaaaa','w').write('first')"))
  const second = await bench.shell('echo second > deep/er/xaaaa')
  const found = await bench.checkpoints.preview(first, {})
  expect(found.outcome === 'previewed' && found.entries.items).toEqual([
    {
      ...{ path: at('deep/er/xaaaa'), type: 'file', change: 'conflict' },
      reason: 'what is kept is how a later call found it; whether it was so at the checkpoint nobody saw',
    },
  ])
  const after = manifestOf(bench.work)
  await bench.checkpoints.restore(first, 'keep', cursorAt(3, bench.work))
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
  expect(await preview(second)).toEqual([[at('deep/er/xaaaa'), 'changed']])
  await bench.checkpoints.restore(first, 'overwrite', cursorAt(4, bench.work))
  expect(bash('cat deep/er/xaaaa', bench.work)).toBe('first')
})

test('a point on demand of a large folder: what a call did deep below is asked about, and comes back as the call found it', async () => {
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
      reason: 'what is kept is how a later call found it; whether it was so at the checkpoint nobody saw',
    },
  ])
  await bench.checkpoints.restore(checkpoint_id, 'overwrite', cursorAt(3, bench.work))
  expect(bash('cat deep/er/xaaaa', bench.work)).toBe('1\n')
})

test('folders that nobody kept come back with what lies in them, are told, and go again when that is undone', async () => {
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

test('who put a path back to how it was is no hindrance: nothing of theirs is lost when that is done again', async () => {
  await bench.close()
  bench = openBench()
  bash('echo one > f', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('rm -rf "$PWD"')
  bash(`mkdir -m 755 work && echo one > work/f && chmod 644 work/f`, join(bench.work, '..'))
  await bench.shell('chmod -R 777 .; echo two > f')
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(3, bench.work))
  expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
})
