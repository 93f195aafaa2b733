// Fills a small disk at one crash point after another, and reports what is broken afterwards. Needs permission to mount. Argument: action.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  recorded,
  recordedRestores,
  run_id,
} from './test-checkpoints.ts'
import {
  type Action,
  backgroundChanges,
  type CrashPointOccurrence,
  cloneByCopy,
  crashPointOccurrences,
  large,
  leftovers,
  packs,
  runChanges,
  tree,
} from './test-crashpoints.ts'

/** A separate disk with the workspace and Tandem's folder. */
interface Disk {
  bench: CheckpointTestEnvironment
  arm(): void
  /** Frees the space, and reopens everything like a new process. */
  free(): Promise<void>
}

type Scenario = (disk: Disk) => Promise<{ readonly outcome: string; readonly complaints: readonly (string | false)[] }>

const execute = (work: string) => [{ does: 'execute', command: 'true', cwd: work, language: 'shell' } as const]
const isSame = (before: readonly string[], work: string) => {
  const { missing, surplus } = difference(before, manifestOf(work))
  return missing.length + surplus.length === 0
}
const ids = ({ checkpoints }: CheckpointTestEnvironment) =>
  checkpoints.list(run_id, null, {}).items.map(({ checkpoint_id }) => checkpoint_id)

const scenarios: Record<Action, Scenario> = {
  take,
  async clone(disk) {
    bash(large, disk.bench.work)
    return await take(disk)
  },
  async settle(disk) {
    const { bench } = disk
    const before = manifestOf(bench.work)
    const id = await bench.take(execute(bench.work))
    bash(runChanges, bench.work)
    disk.arm()
    const failure = await bench.checkpoints.settle(id)
    await disk.free()
    const { troubles } = await disk.bench.checkpoints.recover()
    const left = leftovers(disk.bench)
    const restored = await disk.bench.checkpoints.restore(id, 'overwrite', cursorAt(9, bench.work))
    return {
      outcome: failure?.failure_contract.reason_code ?? 'settled',
      complaints: [
        troubles.length > 0 && `a start can't settle it: ${troubles}`,
        left.length > 0 && `left over: ${left}`,
        restored.outcome !== 'restored' && 'it does not come back',
        !isSame(before, bench.work) && 'not as it was',
      ],
    }
  },
  background: (disk) => background(disk, 'return'),
  close: (disk) => background(disk, 'end'),
  async restore(disk) {
    const { bench } = disk
    const { work } = bench
    const before = manifestOf(work)
    const id = await bench.shell(runChanges)
    const after = manifestOf(work)
    disk.arm()
    const ended = await bench.checkpoints.restore(id, 'stop', cursorAt(9, work))
    const isStuck = bench.checkpoints.isStuck(run_id)
    const told = isStuck || isSame(ended.outcome === 'restored' ? before : after, work)
    await disk.free()
    const { troubles } = await disk.bench.checkpoints.recover()
    const { checkpoints } = disk.bench
    const whole = isSame(before, work) || isSame(after, work)
    const left = leftovers(disk.bench)
    const again = isSame(before, work) ? null : await checkpoints.restore(id, 'stop', cursorAt(10, work))
    const [safety] = ids(disk.bench)
    const isBack = isSame(before, work)
    await checkpoints.restore(safety ?? '', 'stop', cursorAt(11, work))
    return {
      outcome: ended.outcome === 'restored' ? 'restored' : ended.failure_contract.reason_code,
      complaints: [
        !told && 'it is not as was told',
        troubles.length > 0 && `a start can't end it: ${troubles}`,
        checkpoints.isStuck(run_id) && 'it is stuck for good',
        !whole && 'neither as before nor as after',
        left.length > 0 && `left over: ${left}`,
        again !== null && again.outcome !== 'restored' && 'it can not be done again',
        !isBack && 'not as it was',
        !isSame(after, work) && 'it can not be undone',
      ],
    }
  },
  async recover(disk) {
    const { folder, work } = disk.bench
    const before = manifestOf(work)
    const id = await disk.bench.shell(runChanges)
    const after = manifestOf(work)
    disk.bench.store.close()
    const program = fileURLToPath(new URL('./test-crash-child.ts', import.meta.url))
    const { signal } = spawnSync(process.execPath, [program, folder, 'restore', 'apply:path-done', '3'])
    await disk.free()
    disk.arm()
    const { restores, troubles } = await disk.bench.checkpoints.recover(recorded(disk.bench.store))
    await disk.free()
    const next = await disk.bench.checkpoints.recover(recorded(disk.bench.store))
    const told = recordedRestores(disk.bench.store).length
    const isBack = isSame(before, work)
    const isUndone = isSame(after, work)
    await disk.bench.checkpoints.restore(isBack ? (ids(disk.bench)[0] ?? '') : id, 'stop', cursorAt(9, work))
    return {
      outcome: restores[0]?.outcome ?? (troubles.length > 0 ? 'left' : 'nothing'),
      complaints: [
        signal !== 'SIGKILL' && 'the restore was not cut off',
        next.troubles.length > 0 && `the next start can't end it: ${next.troubles}`,
        disk.bench.checkpoints.isStuck(run_id) && 'it is stuck for good',
        !isBack && !isUndone && 'neither as before nor as after',
        told !== (isBack ? 1 : 0) && `told ${told} times`,
        leftovers(disk.bench).length > 0 && `left over: ${leftovers(disk.bench)}`,
        !isSame(isBack ? after : before, work) && 'there is no way on from it',
      ],
    }
  },
  async retain(disk) {
    const { bench } = disk
    const { work, checkpoints } = bench
    for (let i = 0; i < 8; i += 1) await bench.shell(`echo ${i} > src/1; head -c 1000 /dev/urandom > r${i}; ${large}`)
    const before = manifestOf(work)
    const last = await bench.shell('rm -rf src large')
    bench.store.sql.run`UPDATE runtime_run_checkpoints SET created_at = 0`
    disk.arm()
    const outcome = await checkpoints.retain().then(
      (expired) => `${expired.length} given up`,
      (error: Error) => error.message,
    )
    await disk.free()
    await disk.bench.checkpoints.recover()
    await disk.bench.checkpoints.retain()
    const restored = await disk.bench.checkpoints.restore(last, 'stop', cursorAt(9, work))
    return {
      outcome,
      complaints: [
        ids(disk.bench).length !== 6 && `${ids(disk.bench).length} are left`,
        leftovers(disk.bench).length > 0 && `left over: ${leftovers(disk.bench)}`,
        restored.outcome !== 'restored' && 'the newest can not be gone back to',
        !isSame(before, work) && 'not as it was',
      ],
    }
  },
}

async function take(disk: Disk): ReturnType<Scenario> {
  const { bench } = disk
  const { work } = bench
  const before = manifestOf(work)
  const plan = await bench.plan(execute(work))
  disk.arm()
  const taken = await bench.checkpoints.take(plan, cursorAt(1, work))
  const expected = taken.outcome === 'taken' ? 1 : 0
  const kept = { records: ids(bench).length, packs: packs(bench).length, left: leftovers(bench) }
  await disk.free()
  const isUntouched = isSame(before, work)
  const id = await disk.bench.shell('rm -rf src data large')
  const restored = await disk.bench.checkpoints.restore(id, 'stop', cursorAt(9, work))
  return {
    outcome: taken.outcome === 'taken' ? 'taken' : taken.failure_contract.reason_code,
    complaints: [
      kept.records !== expected && `${kept.records} on record`,
      kept.packs !== expected && `${kept.packs} kept`,
      kept.left.length > 0 && `left over: ${kept.left}`,
      !isUntouched && 'the folder was touched',
      restored.outcome !== 'restored' && 'it does not work afterwards',
      !isSame(before, work) && 'not as it was',
    ],
  }
}

/** A background command: the disk is full when its call returns, or when it ends. */
async function background(disk: Disk, when: 'return' | 'end'): ReturnType<Scenario> {
  const { bench } = disk
  const before = manifestOf(bench.work)
  const id = await bench.take(execute(bench.work))
  bash(runChanges, bench.work)
  if (when === 'return') disk.arm()
  const left = await bench.checkpoints.leaveOpen(id, [])
  bash(backgroundChanges, bench.work)
  if (when === 'end') disk.arm()
  const failure = left ?? (await bench.checkpoints.closePoint(id, 'yes', () => undefined))
  await disk.free()
  const { troubles } = await disk.bench.checkpoints.recover()
  for (const { checkpoint_id } of disk.bench.checkpoints.openPoints()) {
    await disk.bench.checkpoints.closePoint(checkpoint_id, 'late', () => undefined)
  }
  const over = leftovers(disk.bench)
  const restored = await disk.bench.checkpoints.restore(id, 'overwrite', cursorAt(9, bench.work), undefined, 'all')
  return {
    outcome: failure?.failure_contract.reason_code ?? 'closed',
    complaints: [
      troubles.length > 0 && `a start can't go on: ${troubles}`,
      disk.bench.checkpoints.openPoints().length > 0 && 'it stays open for good',
      over.length > 0 && `left over: ${over}`,
      restored.outcome !== 'restored' && 'it does not come back',
      !isSame(before, bench.work) && 'not as it was',
    ],
  }
}

async function strike(action: Action, [point, occurrence]: CrashPointOccurrence) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-full-')))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${action === 'retain' ? 32 : 8}m`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  let left = occurrence
  let armed = false
  let struck = false
  const open = () =>
    openCheckpointTest({
      folder,
      clone: cloneByCopy,
      crashpoint(name) {
        if (!armed || name !== point) return
        left -= 1
        if (left > 0) return
        struck = true
        fill(ballast)
      },
    })
  const disk: Disk = {
    bench: open(),
    arm() {
      armed = true
    },
    async free() {
      armed = false
      rmSync(ballast, { force: true })
      await disk.bench.checkpoints.close()
      closeQuietly(disk.bench)
      disk.bench = open()
    },
  }
  try {
    bash(tree, disk.bench.work)
    const { outcome, complaints } = await scenarios[action](disk)
    return { point, occurrence, struck, outcome, complaints: complaints.filter((one) => one !== false) }
  } finally {
    closeQuietly(disk.bench)
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  }
}

/** To the last byte. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1024 * 1024, 4_096, 1]) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

function closeQuietly({ store }: CheckpointTestEnvironment): void {
  try {
    store.close()
  } catch {
    // Closed by the scenario.
  }
}

const action = process.argv[2] as Action
const results: unknown[] = []
for (const place of crashPointOccurrences[action]) results.push(await strike(action, place))
process.stdout.write(JSON.stringify(results))
