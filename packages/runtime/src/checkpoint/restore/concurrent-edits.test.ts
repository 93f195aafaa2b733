// What a person changes while a restore is running is neither overwritten by the restore nor by undoing it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bash, type CheckpointTestEnvironment, cursorAt, openCheckpointTest } from '../../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

const names = Array.from({ length: 10 }, (_, no) => `f${no}`)
const read = () => names.map((name) => (existsSync(join(bench.work, name)) ? readFileSync(join(bench.work, name), 'utf8') : null))

/** At the first path that the restore has done. */
async function restoreWhile(command: string, edit: () => void) {
  bash(`for i in {0..9}; do echo original $i > f$i; done`, bench.work)
  let done = 0
  const { folder } = bench
  await bench.checkpoints.close()
  bench.store.close()
  bench = openCheckpointTest({
    folder,
    crashpoint(name) {
      if (name !== 'apply:path-done') return
      done += 1
      if (done === 1) edit()
    },
  })
  const id = await bench.shell(command)
  const before = read()
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  if (restored.outcome !== 'restored') throw new Error(JSON.stringify(restored))
  const after = read()
  const undone = await bench.checkpoints.restore(restored.safety_checkpoint_id, 'stop', cursorAt(3, bench.work))
  return { before, restored, after, undone, undone_to: read() }
}

const original = names.map((_, no) => `original ${no}\n`)
const conflict = (name: string) => ({
  path: join(bench.work, name),
  change: 'conflict',
  reason: 'it was changed outside Tandem during the restore',
})

test.each([
  ['written', 'for i in {0..9}; do echo changed $i > f$i; done', () => writeFileSync(join(bench.work, 'f9'), 'mine')],
  [
    'replaced by another file',
    'for i in {0..9}; do echo changed $i > f$i; done',
    () => bash('printf mine > other && mv other f9', bench.work),
  ],
  ['created where the restore creates it', 'rm f?', () => writeFileSync(join(bench.work, 'f9'), 'mine')],
])('%s: it is kept, and undoing the restore keeps it as well', async (_what, command, edit) => {
  const { before, restored, after, undone, undone_to } = await restoreWhile(command, edit)
  expect([restored.restored_paths, restored.left_alone]).toMatchObject([9, [conflict('f9')]])
  expect(after).toEqual([...original.slice(0, 9), 'mine'])
  expect(undone.outcome).toBe('restored')
  expect(undone_to).toEqual([...before.slice(0, 9), 'mine'])
})

test('a created file that is written before the restore removes it is kept', async () => {
  const { restored, after, undone_to } = await restoreWhile('echo new > f10; echo new > f11', () => {
    const left = ['f10', 'f11'].find((name) => existsSync(join(bench.work, name))) ?? ''
    writeFileSync(join(bench.work, left), 'mine')
  })
  const [entry] = restored.left_alone
  expect([restored.restored_paths, entry?.change, readFileSync(entry?.path ?? '', 'utf8')]).toEqual([1, 'conflict', 'mine'])
  expect([after, undone_to]).toEqual([original, original])
})

test('a file that the restore has already written is not overwritten by undoing it', async () => {
  const { undone } = await restoreWhile('for i in {0..9}; do echo changed $i > f$i; done', () =>
    writeFileSync(join(bench.work, names.find((name) => readFileSync(join(bench.work, name), 'utf8').startsWith('orig')) ?? ''), 'mine'),
  )
  expect([undone, read().filter((text) => text === 'mine')]).toMatchObject([{ outcome: 'failed', code: 'restore_conflict' }, ['mine']])
})

test('two names of one file are both restored', async () => {
  bash('echo original > a; ln a b', bench.work)
  const id = await bench.shell('echo changed > a')
  expect(await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))).toMatchObject({ outcome: 'restored', left_alone: [] })
  expect(['a', 'b'].map((name) => readFileSync(join(bench.work, name), 'utf8'))).toEqual(['original\n', 'original\n'])
})
