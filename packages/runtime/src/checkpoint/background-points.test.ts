// Recovery points of background commands: changes made while a command runs are a separate group, and the point stays open until it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  other_run_id,
  run_id,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { type BackgroundPoints, type BackgroundProcess, openBackgroundPoints } from './background-points.ts'
import type { ClosedPoint } from './checkpoints.ts'
import type { CheckpointFailure } from './failure.ts'

let bench: CheckpointTestEnvironment
let points: BackgroundPoints
let closed: ClosedPoint[]
let failures: CheckpointFailure[]
/** Running processes, with their start times. */
let living: Map<number, string>

beforeEach(() => {
  bench = openCheckpointTest()
  living = new Map()
  open()
  bash('echo original > a; echo original > b; echo original > c', bench.work)
})
afterEach(async () => {
  await points.stop()
  await bench.close()
})

/** Also simulates a crash: processes that were followed are no longer followed. */
function open(clock = systemClock): void {
  closed = []
  failures = []
  points = openBackgroundPoints({
    checkpoints: bench.checkpoints,
    clock,
    startOf: (pid) => living.get(pid) ?? null,
    closed: (point) => closed.push(point),
    failed: (_id, failure) => failures.push(failure),
    log: (line) => {
      throw new Error(line)
    },
  })
}

const same = { missing: [], surplus: [] }
const at = (name: string) => join(bench.work, name)
const textOf = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim() : null)
const command = (run?: string) => bench.take([{ does: 'execute', command: 'serve', cwd: bench.work, language: 'shell' }], 'shell.exec', run)

/** A clock that advances only when the test says so. */
const byHand = (waiting: (call: () => void) => void): Clock => ({
  ...systemClock,
  after(_ms, call) {
    waiting(call)
    return () => undefined
  },
})

interface Fake extends BackgroundProcess {
  end(): void
}

/** A background command whose processes are only numbers. */
function fake(...pids: number[]): Fake {
  for (const pid of pids) living.set(pid, `tick ${pid}`)
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    ended: promise,
    pids: () => pids.filter((pid) => living.has(pid)),
    kill: async () => end(),
    end,
  }
  function end(): void {
    const [first = 0] = pids
    living.delete(first)
    resolve()
  }
}

/** A background command that changes `early` before its call returns, and is still running. */
async function started(early: string, process = fake(1), run?: string): Promise<string> {
  const id = await command(run)
  bash(early, bench.work)
  expect(await points.follow(id, process)).toBe(null)
  return id
}

async function ended(process: Fake): Promise<void> {
  const before = closed.length
  process.end()
  await expect.poll(() => closed.length).toBe(before + 1)
}

async function previewed(checkpoint_id: string, group: 'calls' | 'background' = 'calls') {
  const seen = await bench.checkpoints.preview(checkpoint_id, { group })
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  return seen.entries.items.map(({ path, change }) => `${change} ${path.slice(bench.work.length + 1)}`)
}

async function restored(checkpoint_id: string, background: 'none' | 'all' | string[], on_conflict: 'stop' | 'keep' | 'overwrite' = 'stop') {
  const outcome = await bench.checkpoints.restore(checkpoint_id, on_conflict, cursorAt(9, bench.work), undefined, background)
  if (outcome.outcome !== 'restored') throw new Error(JSON.stringify(outcome))
  return outcome
}

test('changes made after the call returned are a group, which a restore leaves untouched and reports', async () => {
  const process = fake(1)
  const id = await started('echo early > a', process)
  bash('echo late > b; echo late > new', bench.work)
  await ended(process)
  expect([await previewed(id), await previewed(id, 'background')]).toEqual([['changed a'], ['changed b', 'created new']])
  expect(await restored(id, 'none')).toMatchObject({ counts: { changed: 1, created: 0 }, background: { restored: 0, left: 2 } })
  expect(['a', 'b', 'new'].map(textOf)).toEqual(['original', 'late', 'late'])
})

test('selected as a whole, the group is restored with the rest, and undoing the restore brings it back', async () => {
  const before = manifestOf(bench.work)
  const process = fake(1)
  const id = await started('echo early > a', process)
  bash('echo late > b; mkdir -p made/deep; echo late > made/deep/new; rm c', bench.work)
  await ended(process)
  const after = manifestOf(bench.work)
  const { safety_checkpoint_id, background } = await restored(id, 'all')
  expect([background, difference(before, manifestOf(bench.work))]).toEqual([{ restored: 5, left: 0 }, same])
  await restored(safety_checkpoint_id, 'none')
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
})

test('selected by path, only these paths are restored; a folder includes its content', async () => {
  const process = fake(1)
  const id = await started('true', process)
  bash('echo late > a; echo late > b; mkdir made; echo late > made/one; echo late > made/two', bench.work)
  await ended(process)
  expect((await restored(id, [at('b'), at('made')])).background).toEqual({ restored: 4, left: 1 })
  expect(['a', 'b', 'made', 'made/one'].map((name) => existsSync(at(name)))).toEqual([true, true, false, false])
  expect(['a', 'b'].map(textOf)).toEqual(['late', 'original'])
})

test('a folder that a call created stays while it contains something that is not selected', async () => {
  const process = fake(1)
  const id = await started('mkdir made', process)
  bash('echo late > made/new', bench.work)
  await ended(process)
  const { left_alone } = await restored(id, 'none')
  expect([left_alone, textOf('made/new')]).toMatchObject([[{ path: at('made'), change: 'unrecoverable' }], 'late'])
  await restored(id, 'all')
  expect(existsSync(at('made'))).toBe(false)
})

test('changes of a later call belong to that call, and a path that also changed between the calls is in the group', async () => {
  const process = fake(1)
  const id = await started('true', process)
  bash('echo late > b', bench.work)
  const call = await bench.take([{ does: 'write', path: 'a' }], 'fs.write')
  bash('echo call > a', bench.work)
  await bench.checkpoints.settle(call)
  const other = await bench.take([{ does: 'write', path: 'c' }], 'fs.write')
  bash('echo call > c', bench.work)
  await bench.checkpoints.settle(other)
  bash('echo late >> c', bench.work)
  await ended(process)
  expect([await previewed(id), await previewed(id, 'background')]).toEqual([['changed a'], ['changed b', 'changed c']])
  expect([await previewed(call), await previewed(other), await previewed(other, 'background')]).toEqual([['changed a'], [], ['changed c']])
})

test('a path that a background command changed before a call did is in the group, and is restored to its state before both', async () => {
  const process = fake(1)
  const id = await started('true', process)
  bash('echo late > a; echo late > b', bench.work)
  const call = await bench.take([{ does: 'write', path: 'a' }], 'fs.write')
  bash('echo call > a', bench.work)
  await bench.checkpoints.settle(call)
  const foreground = await bench.shell('echo foreground > b')
  await ended(process)
  expect([await previewed(id), await previewed(id, 'background')]).toEqual([[], ['changed a', 'changed b']])
  expect([await previewed(call), await previewed(foreground)]).toEqual([['changed a', 'conflict b'], ['conflict b']])
  expect((await restored(id, 'none')).background).toEqual({ restored: 0, left: 2 })
  expect(['a', 'b'].map(textOf)).toEqual(['call', 'foreground'])
  await restored(id, 'all')
  expect(['a', 'b'].map(textOf)).toEqual(['original', 'original'])
})

test('a change made by a foreground command while a background command ran is a conflict, because either may have made it', async () => {
  const process = fake(1)
  const id = await started('true', process)
  const foreground = await bench.shell('echo someone > a')
  await ended(process)
  expect([await previewed(id), await previewed(id, 'background'), await previewed(foreground)]).toEqual([
    ['conflict a'],
    [],
    ['conflict a'],
  ])
  await restored(id, 'none', 'overwrite')
  expect(textOf('a')).toBe('original')
})

test('what a call changed still belongs to it if the process ends during the call', async () => {
  const process = fake(1)
  const id = await started('true', process)
  const call = await bench.take([{ does: 'write', path: 'a' }], 'fs.write')
  bash('echo call > a', bench.work)
  await ended(process)
  bash('echo call >> a', bench.work)
  await bench.checkpoints.settle(call)
  expect([await previewed(id), await previewed(id, 'background')]).toEqual([['changed a'], []])
})

test('what another run wrote meanwhile belongs to that run, and what its command may have written is a conflict', async () => {
  const process = fake(1)
  const id = await started('true', process)
  const theirs = await bench.take([{ does: 'write', path: 'a' }], 'fs.write', other_run_id)
  bash('echo theirs > a', bench.work)
  await bench.checkpoints.settle(theirs)
  const running = await command(other_run_id)
  bash('echo someone > b', bench.work)
  await bench.checkpoints.settle(running)
  await ended(process)
  expect([await previewed(id), await previewed(id, 'background'), await previewed(running)]).toEqual([[], ['conflict b'], ['conflict b']])
})

test('changes made after the process ended belong to others', async () => {
  const process = fake(1)
  const id = await started('true', process)
  bash('echo late > a', bench.work)
  await ended(process)
  bash('echo person > a; echo person > b', bench.work)
  expect([await previewed(id), await previewed(id, 'background')]).toEqual([[], ['conflict a']])
})

test('for a recovery point on demand, changes made while a background command of the run ran are the group', async () => {
  const process = fake(1)
  await started('true', process)
  const point = await bench.onDemand(3)
  if (point.outcome !== 'taken') throw new Error(JSON.stringify(point))
  bash('echo late > a', bench.work)
  await ended(process)
  bash('echo person > b', bench.work)
  const { checkpoint_id } = point.checkpoint
  expect([await previewed(checkpoint_id), await previewed(checkpoint_id, 'background')]).toEqual([['conflict b'], ['changed a']])
})

test('while the process runs, the point is open: it is listed, never deleted, and its group cannot be restored', async () => {
  const id = await started('true', fake(7))
  bash('echo late > a', bench.work)
  const { background } = bench.checkpoints.get(id) ?? {}
  expect([background?.closed_at, await previewed(id, 'background')]).toEqual([null, ['changed a']])
  expect(await bench.checkpoints.restore(id, 'stop', cursorAt(9, bench.work), undefined, 'all')).toMatchObject({
    code: 'restore_failed',
    failure_contract: {
      reason_code: 'background_running',
      details: {
        message: 'the background command of shell.exec is still running (pid 7), so its changes cannot be restored yet',
        remedy: 'End the process or wait until it ends, then restore again. You can restore now without its changes.',
      },
    },
  })
  expect((await restored(id, 'none')).background).toEqual({ restored: 0, left: 1 })
  await points.end([id])
  expect([closed.map(({ checkpoint_id, late }) => [checkpoint_id, late]), bench.checkpoints.openPoints()]).toEqual([[[id, false]], []])
  await restored(id, 'all')
  expect(textOf('a')).toBe('original')
})

test('closes only when every known process has ended, including one that left its parent', async () => {
  let tick: () => void = () => undefined
  open(
    byHand((call) => {
      tick = call
    }),
  )
  const process = fake(1, 2)
  const id = await started('true', process)
  process.end()
  await process.ended
  bash('echo late > a', bench.work)
  tick()
  expect([bench.checkpoints.openPoints(), closed]).toEqual([
    [{ checkpoint_id: id, run_id, processes: [1, 2].map((pid) => ({ pid, started: `tick ${pid}` })) }],
    [],
  ])
  living.delete(2)
  tick()
  await expect.poll(() => closed.map(({ late }) => late)).toEqual([false])
  expect(await previewed(id, 'background')).toEqual(['changed a'])
})

test.each(['the runtime ends', 'it is ended for a restore'])(
  'a process that is still being cleaned up when %s does not leave its point open',
  async (when) => {
    const process = fake(1, 2)
    const id = await started('true', process)
    process.end()
    await process.ended
    const ending = when === 'the runtime ends' ? points.stop() : points.end([id])
    setImmediate(() => living.delete(2))
    await ending
    expect([closed.map(({ checkpoint_id, late }) => [checkpoint_id, late]), bench.checkpoints.openPoints()]).toEqual([[[id, false]], []])
  },
)

test('after a crash, follows a process that is still running, and closes the point of one that is gone immediately', async () => {
  const gone = await started('true', fake(1))
  const alive = await started('true', fake(2))
  const reused = await started('true', fake(3))
  await points.stop()
  living.delete(1)
  living.set(3, 'a later tick')
  let tick: () => void = () => undefined
  open(
    byHand((call) => {
      tick = call
    }),
  )
  await bench.checkpoints.recover()
  await points.resume()
  expect(closed.map(({ checkpoint_id, late }) => [checkpoint_id, late]).toSorted()).toEqual(
    [
      [gone, true],
      [reused, true],
    ].toSorted(),
  )
  expect(bench.checkpoints.openPoints().map(({ checkpoint_id }) => checkpoint_id)).toEqual([alive])
  bash('echo late > a', bench.work)
  living.delete(2)
  tick()
  await expect.poll(() => bench.checkpoints.openPoints()).toEqual([])
  expect(await previewed(alive, 'background')).toEqual(['changed a'])
  expect(bench.checkpoints.get(gone)?.background?.late).toBe(true)
})

test('never deletes an open point, however old it is', async () => {
  const id = await started('true', fake(1))
  for (let count = 0; count < 8; count += 1) await bench.shell('true')
  bench.store.sql.run`UPDATE runtime_run_checkpoints SET created_at = 0`
  const expired = (await bench.checkpoints.retain()).map(({ checkpoint_id }) => checkpoint_id)
  expect([expired.length > 0, expired.includes(id), bench.checkpoints.get(id) !== undefined]).toEqual([true, false, true])
})

test('reports a state that cannot be recorded, and closes the point at the next start', async () => {
  await bench.close()
  let full = true
  bench = openCheckpointTest({
    crashpoint(name) {
      if (name === 'background:ended' && full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
  })
  open()
  const process = fake(1)
  const id = await started('true', process)
  process.end()
  await expect.poll(() => failures.map(({ code }) => code)).toEqual(['storage_unavailable'])
  expect([closed, bench.checkpoints.openPoints().map(({ checkpoint_id }) => checkpoint_id)]).toEqual([[], [id]])
  full = false
  await points.resume()
  expect(closed.map(({ checkpoint_id }) => checkpoint_id)).toEqual([id])
})

test('a preview while a real process writes shows its group, and nothing in it as changed by others', async () => {
  const id = await command()
  const child = spawn('bash', ['-c', 'n=0; while :; do n=$((n + 1)); echo $n > a; echo $n >> log; echo $n > page-$((n % 3)); done'], {
    cwd: bench.work,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  living.set(child.pid ?? 0, 'tick')
  await points.follow(id, {
    ended: exited.then(() => undefined),
    pids: () => [child.pid ?? 0],
    kill: async () => void child.kill('SIGKILL'),
  })
  try {
    const isWritten = (name: string) => Number(textOf(name)?.split('\n').at(-1) ?? 0) > 0
    await expect.poll(() => ['a', 'log', 'page-0', 'page-1', 'page-2'].every(isWritten)).toBe(true)
    for (let no = 0; no < 5; no += 1) {
      const seen = await bench.checkpoints.preview(id, { group: 'background' })
      if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
      expect([seen.running, seen.entries.items.filter(({ change }) => change === 'conflict' || change === 'unrecoverable')]).toEqual([
        1,
        [],
      ])
      expect(seen.entries.items.map(({ path }) => path)).toEqual(expect.arrayContaining([at('a'), at('log')]))
      expect(seen.entries.items.every((entry) => 'running' in entry && entry.running)).toBe(true)
    }
  } finally {
    child.kill('SIGKILL')
    await exited
  }
})
