// A recovery point that a user requests: everything since can be undone, changes of others are conflicts, and it never contains half a
// call.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
} from '../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
  bash('mkdir -p sub other; echo one > a; echo one > sub/b; echo one > other/c; ln -s a link; mkdir empty', bench.work)
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const at = (...parts: string[]) => join(bench.work, ...parts)

async function point(): Promise<string> {
  const taken = await bench.onDemand(1)
  if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
  return taken.checkpoint.checkpoint_id
}

async function changes(checkpoint_id: string) {
  const seen = await bench.checkpoints.preview(checkpoint_id, {})
  return seen.outcome === 'previewed' && seen.entries.items.map(({ path, change }) => [path, change])
}

test('is a task recovery point of the whole folder, settled from the start', async () => {
  const taken = await bench.onDemand(1)
  expect(taken).toMatchObject({
    outcome: 'taken',
    checkpoint: { name: 'task_recovery_point', tool: null, restore_kind: 'filesystem_snapshot', artifact_count: 8, restored: false },
    unprotected: [],
  })
  expect(taken.outcome === 'taken' && bench.checkpoints.get(taken.checkpoint.checkpoint_id)).toMatchObject({
    pending_mutation_metadata: null,
    recovery_hints: [],
  })
  expect(bench.checkpoints.needsRecovery()).toBe(false)
})

test('undoes what the run’s calls did since, and the undo can be undone', async () => {
  const before = manifestOf(bench.work)
  const id = await point()
  await bench.shell('echo two > a; rm -rf empty; echo new > new', bench.work)
  await bench.shell(
    'echo two > b; python3 -c "import os; os.remove(os.pardir + os.sep + chr(108) + chr(105) + chr(110) + chr(107))"',
    at('sub'),
  )
  await point()
  await bench.shell('echo three > a')
  const after = manifestOf(bench.work)
  const restored = await bench.checkpoints.restore(id, 'keep', cursorAt(9, bench.work))
  expect([restored.outcome, bench.checkpoints.isStuck(run_id)]).toEqual(['restored', false])
  // A command in one folder that changed another: there, anyone may have done it.
  expect(difference(before, manifestOf(bench.work))).toEqual({ missing: ['l ./link -> a'], surplus: [] })
  const safety = restored.outcome === 'restored' ? restored.safety_checkpoint_id : ''
  await bench.checkpoints.restore(safety, 'stop', cursorAt(10, bench.work))
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
  await bench.checkpoints.restore(id, 'overwrite', cursorAt(11, bench.work))
  expect(difference(before, manifestOf(bench.work))).toEqual(same)
})

test('a change that belongs to no known call is a conflict: kept, or restored with the rest', async () => {
  const before = manifestOf(bench.work)
  const id = await point()
  await bench.shell('echo two > a')
  writeFileSync(at('sub', 'b'), 'mine')
  writeFileSync(at('mine'), 'mine')
  rmSync(at('other', 'c'))
  const after = manifestOf(bench.work)
  expect(await changes(id)).toEqual([
    [at('a'), 'changed'],
    [at('mine'), 'conflict'],
    [at('other/c'), 'conflict'],
    [at('sub/b'), 'conflict'],
  ])
  const stopped = await bench.checkpoints.restore(id, 'stop', cursorAt(8, bench.work))
  expect([stopped.outcome, difference(after, manifestOf(bench.work))]).toEqual(['failed', same])
  await bench.checkpoints.restore(id, 'keep', cursorAt(9, bench.work))
  expect([readFileSync(at('a'), 'utf8'), readFileSync(at('sub/b'), 'utf8'), existsSync(at('mine'))]).toEqual(['one\n', 'mine', true])
  await bench.checkpoints.restore(id, 'overwrite', cursorAt(10, bench.work))
  expect(difference(before, manifestOf(bench.work))).toEqual(same)
})

test('asks about what a user wrote before the run overwrote it', async () => {
  const id = await point()
  writeFileSync(at('a'), 'mine')
  await bench.shell('echo two > a')
  expect(await changes(id)).toEqual([[at('a'), 'conflict']])
})

test('is refused while a call of the run is changing files, with its name and a remedy; another run is not affected', async () => {
  const id = await bench.take([{ does: 'execute', command: 'make', cwd: bench.work, language: 'shell' }])
  const message = `shell.exec is changing files right now; the recovery point ${id} has the state before it`
  expect(await bench.onDemand(2)).toMatchObject({
    outcome: 'failed',
    code: 'run_busy',
    failure_contract: {
      reason_code: 'call_under_way',
      recoverability: 'retryable',
      details: { message, remedy: 'Wait until the call has ended, or pause the run first.' },
    },
  })
  const other = '01990000-0000-7000-8000-0000000000ff'
  const cursor = () => cursorAt(1, bench.work, other)
  const wanted = { run_id: other, workspace: bench.work, cursor, recorded: () => undefined }
  expect(await bench.checkpoints.takeOnDemand(wanted)).toMatchObject({ outcome: 'taken' })
  await bench.checkpoints.settle(id)
  expect(await bench.onDemand(3)).toMatchObject({ outcome: 'taken' })
})

test('if a call and a point come at the same time, the point never contains half the call', async () => {
  for (let round = 0; round < 5; round += 1) {
    const plan = await bench.plan([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
    const calling = bench.checkpoints.take(plan, cursorAt(round, bench.work)).then(async (taken) => {
      if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
      writeFileSync(at('a'), `half of ${round}`)
      await new Promise((resolve) => setImmediate(resolve))
      writeFileSync(at('a'), `whole of ${round}`)
      await bench.checkpoints.settle(taken.checkpoint.checkpoint_id)
    })
    const wanted = bench.onDemand(round)
    await calling
    expect(await wanted).toMatchObject({ outcome: 'failed', code: 'run_busy' })
  }
})

test('a call that an error interrupted does not block it forever', async () => {
  await bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
  const at = cursorAt(2, bench.work)
  const cursor = () => ({ ...at, run_metadata: { ...at.run_metadata, state: 'paused' as const } })
  const wanted = { run_id, workspace: bench.work, cursor, recorded: () => undefined }
  expect(await bench.checkpoints.takeOnDemand(wanted)).toMatchObject({ outcome: 'taken' })
})

test('refuses a missing folder and partially restored files, by name', async () => {
  const gone = { run_id, workspace: at('nowhere'), cursor: () => cursorAt(1, bench.work), recorded: () => undefined }
  expect(await bench.checkpoints.takeOnDemand(gone)).toMatchObject({
    code: 'not_found',
    failure_contract: { reason_code: 'workspace_gone', details: { subject: at('nowhere') } },
  })
  const { folder } = bench
  await bench.checkpoints.close()
  bench.store.close()
  let written = 0
  bench = openCheckpointTest({
    folder,
    crashpoint(name) {
      if (name !== 'apply:file-written') return
      written += 1
      if (written > 1) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    },
  })
  const id = await bench.shell('echo two > a; echo two > sub/b')
  await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect(await bench.onDemand(3)).toMatchObject({ code: 'restore_failed', failure_contract: { reason_code: 'restore_stuck' } })
})

test('leaves no point behind if the record cannot be written', async () => {
  const recorded = () => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  }
  const wanted = { run_id, workspace: bench.work, cursor: () => cursorAt(1, bench.work), recorded }
  expect(await bench.checkpoints.takeOnDemand(wanted)).toMatchObject({ outcome: 'failed', code: 'storage_unavailable' })
  expect([bench.checkpoints.list(run_id, null, {}).items, bench.checkpoints.needsRecovery()]).toEqual([[], false])
})
