// A start after a bad end: whether there is anything to do is known at once, and then it is done.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bench, bash, cursorAt, difference, manifestOf, openBench, run_id } from './test-checkpoints.ts'

let bench: Bench
beforeEach(() => {
  bench = openBench()
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const blobs = () => join(bench.home, 'blobs')

async function reopen(crashpoint?: (name: string) => void): Promise<void> {
  const { folder } = bench
  await bench.checkpoints.close()
  bench.store.close()
  bench = openBench({ folder, ...(crashpoint ? { crashpoint } : {}) })
}

test('after a good end there is nothing to do', async () => {
  const empty = bench.checkpoints.needsRecovery()
  const id = await bench.shell('echo 1 > f')
  await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  await reopen()
  expect([empty, bench.checkpoints.needsRecovery()]).toEqual([false, false])
})

test('a call whose end was not seen, a file half-written and a pack without its record are each found, and gone after', async () => {
  const causes: (() => unknown)[] = [
    () => bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }]),
    () => writeFileSync(join(blobs(), 'x.before.tmp'), 'half'),
    () => writeFileSync(join(blobs(), 'clones', 'x.tmp'), 'half'),
    async () => {
      const id = await bench.shell('true')
      writeFileSync(join(blobs(), 'stray.before'), readFileSync(join(blobs(), `${id}.before`)))
    },
  ]
  const found: boolean[][] = []
  for (const cause of causes) {
    await cause()
    await reopen()
    const before = bench.checkpoints.needsRecovery()
    await bench.checkpoints.recover()
    found.push([before, bench.checkpoints.needsRecovery()])
  }
  expect(found).toEqual(causes.map(() => [true, false]))
})

test('a restore that could neither be finished nor taken back is finished by the next start', async () => {
  bash('echo one > f1; echo one > f2; echo one > f3', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('echo two > f1; echo two > f2; rm f3')
  let files = 0
  await reopen((name) => {
    if (name !== 'apply:file-written') return
    files += 1
    // The first file gets through; from then on the disk refuses, on the way back as well.
    if (files > 1) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  const stuck = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect(stuck.outcome === 'failed' && [stuck.code, stuck.failure_contract.reason_code]).toEqual(['restore_failed', 'restore_stuck'])
  const [safety] = bench.checkpoints.list(run_id, null, {}).items
  await reopen()
  expect(bench.checkpoints.needsRecovery()).toBe(true)
  expect(await bench.checkpoints.recover()).toEqual([
    { run_id, checkpoint_id: id, safety_checkpoint_id: safety?.checkpoint_id, outcome: 'applied' },
  ])
  expect([difference(before, manifestOf(bench.work)), readdirSync(bench.work).sort()]).toEqual([same, ['f1', 'f2', 'f3']])
  expect(bench.checkpoints.needsRecovery()).toBe(false)
  await bench.checkpoints.restore(safety?.checkpoint_id ?? '', 'stop', cursorAt(3, bench.work))
  expect(readdirSync(bench.work).map((name) => [name, readFileSync(join(bench.work, name), 'utf8')])).toEqual([
    ['f1', 'two\n'],
    ['f2', 'two\n'],
  ])
})
