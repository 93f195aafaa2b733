// A start after a crash: whether there is anything to do is known immediately, and then it is done.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  run_id,
} from '../../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const blobs = () => join(bench.home, 'blobs')

async function reopen(crashpoint?: (name: string) => void): Promise<void> {
  const { folder } = bench
  await bench.checkpoints.close()
  bench.store.close()
  bench = openCheckpointTest({ folder, ...(crashpoint ? { crashpoint } : {}) })
}

test('after a clean exit there is nothing to do', async () => {
  const empty = bench.checkpoints.needsRecovery()
  const id = await bench.shell('echo 1 > f')
  await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  await reopen()
  expect([empty, bench.checkpoints.needsRecovery()]).toEqual([false, false])
})

test('finds and cleans up a call whose end was not seen, a partially written file and a pack without a record', async () => {
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

test('the next start finishes a restore that could neither be finished nor undone', async () => {
  bash('echo one > f1; echo one > f2; echo one > f3', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('echo two > f1; echo two > f2; rm f3')
  let files = 0
  await reopen((name) => {
    if (name !== 'apply:file-written') return
    files += 1
    // The first file is written; after that the disk refuses, also while undoing.
    if (files > 1) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  expect(bench.checkpoints.isStuck(run_id)).toBe(false)
  const stuck = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect(stuck.outcome === 'failed' && [stuck.code, stuck.failure_contract.reason_code]).toEqual(['restore_failed', 'restore_stuck'])
  const [safety] = bench.checkpoints.list(run_id, null, {}).items
  expect(bench.checkpoints.isStuck(run_id)).toBe(true)
  await reopen()
  expect(bench.checkpoints.needsRecovery()).toBe(true)
  expect(await bench.checkpoints.recover()).toEqual({
    restores: [{ run_id, checkpoint_id: id, safety_checkpoint_id: safety?.checkpoint_id, outcome: 'applied' }],
    troubles: [],
  })
  expect([difference(before, manifestOf(bench.work)), readdirSync(bench.work).sort()]).toEqual([same, ['f1', 'f2', 'f3']])
  expect(bench.checkpoints.needsRecovery()).toBe(false)
  await bench.checkpoints.restore(safety?.checkpoint_id ?? '', 'stop', cursorAt(3, bench.work))
  expect(readdirSync(bench.work).map((name) => [name, readFileSync(join(bench.work, name), 'utf8')])).toEqual([
    ['f1', 'two\n'],
    ['f2', 'two\n'],
  ])
})

test('a restore whose journal cannot be deleted is reported as done, and the next start deletes the journal', async () => {
  bash('echo one > f', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('echo two > f')
  const lists = () => readdirSync(blobs()).filter((name) => name.endsWith('.journal'))
  let list = ''
  let text = ''
  await reopen((name) => {
    if (name !== 'restore:done') return
    list = join(blobs(), lists()[0] ?? '')
    text = readFileSync(list, 'utf8')
    // A folder cannot be removed like a file.
    rmSync(list)
    mkdirSync(list)
  })
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect([restored.outcome, bench.checkpoints.isStuck(run_id), lists().length]).toEqual(['restored', false, 1])
  rmSync(list, { recursive: true })
  writeFileSync(list, text)
  await reopen()
  expect(bench.checkpoints.needsRecovery()).toBe(true)
  expect((await bench.checkpoints.recover()).troubles).toEqual([])
  expect([lists(), bench.checkpoints.needsRecovery(), difference(before, manifestOf(bench.work))]).toEqual([[], false, same])
})

test('one failure does not prevent the rest, and is left for the next start', async () => {
  const call = () => bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
  const ids = [await call(), await call()]
  const list = join(blobs(), 'rotten.journal')
  writeFileSync(list, '{"restore_id":')
  writeFileSync(join(blobs(), 'x.before.tmp'), 'half')
  let full = true
  await reopen((name) => {
    if (name !== 'pack:written' || !full) return
    full = false
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  const lost = expect.stringMatching(/rotten\.journal describes an unfinished restore and cannot be read: .*; move the file away/)
  expect(await bench.checkpoints.recover()).toEqual({
    restores: [],
    troubles: [lost, `checkpoint ${ids[0]}, whose call did not end normally: ENOSPC: no space left on device`],
  })
  const unsettled = () => bench.store.sql.all`SELECT checkpoint_id FROM runtime_run_checkpoints WHERE settled = 'no'`
  expect([unsettled(), readdirSync(blobs()).includes('x.before.tmp')]).toEqual([[{ checkpoint_id: ids[0] }], false])
  // An unreadable file does not block anything.
  await bench.shell('echo 1 > f')
  await reopen()
  expect([await bench.checkpoints.recover(), unsettled()]).toEqual([{ restores: [], troubles: [lost] }, []])
  rmSync(list)
  expect(bench.checkpoints.needsRecovery()).toBe(false)
})

test('does not delete what an interrupted restore needs to free space, and the next start finishes it', async () => {
  const { folder } = bench
  bash('for i in 1 2 3; do head -c 50000 /dev/urandom > f$i; done', bench.work)
  const before = manifestOf(bench.work)
  const id = await bench.shell('echo two > f1; echo two > f2')
  // The content of the third comes from a later checkpoint than the restored one.
  await bench.shell('rm f3')
  let written = 0
  await bench.checkpoints.close()
  bench.store.close()
  bench = openCheckpointTest({
    folder,
    quota_bytes: 700_000,
    crashpoint(name) {
      if (name !== 'apply:file-written') return
      written += 1
      if (written > 1) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    },
  })
  expect(await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))).toMatchObject({
    failure_contract: { reason_code: 'restore_stuck' },
  })
  const other = join(bench.folder, 'other')
  mkdirSync(other)
  let refused = 0
  for (let i = 0; i < 12; i += 1) {
    bash('head -c 60000 /dev/urandom > noise', other)
    const call = await bench.plan([{ does: 'execute', command: 'true', cwd: other, language: 'shell' }])
    const taken = await bench.checkpoints.take(call, cursorAt(3, other))
    if (taken.outcome !== 'taken') refused += 1
    else await bench.checkpoints.settle(taken.checkpoint.checkpoint_id)
  }
  await bench.checkpoints.retain()
  const left = bench.checkpoints.list(run_id, null, {}).items.length
  expect([refused, left < 15, bench.checkpoints.isStuck(run_id)]).toEqual([0, true, true])
  await reopen()
  const { restores, troubles } = await bench.checkpoints.recover()
  expect([restores.map(({ outcome }) => outcome), troubles]).toEqual([['applied'], []])
  expect([difference(before, manifestOf(bench.work)), bench.checkpoints.isStuck(run_id)]).toEqual([same, false])
})

test('a damaged pack prevents neither a start nor the next call, and its contents are stored again', async () => {
  bash('for i in 1 2 3; do head -c 5000 /dev/urandom > f$i; touch -d "1 minute ago" f$i; done; sleep 0.1', bench.work)
  const before = manifestOf(bench.work)
  const rotten = [await bench.shell('true'), await bench.shell('true')]
  for (const id of rotten) writeFileSync(join(blobs(), `${id}.before`), 'rotten')
  await reopen()
  expect(await bench.checkpoints.recover()).toEqual({ restores: [], troubles: [] })
  expect(await bench.checkpoints.retain()).toEqual([])
  const id = await bench.shell('rm f1 f2; echo changed > f3')
  const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(5, bench.work))
  expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
  expect(await bench.checkpoints.preview(String(rotten[0]), {})).toMatchObject({ failure_contract: { reason_code: 'pack_damaged' } })
})
