import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { CheckpointArtifact, CheckpointSummary, RestorePreviewEntry, RunCheckpoint } from '@tandem/contract/checkpoint/schema'
import { limits } from '@tandem/contract/limits'
import Type from 'typebox'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  type CheckpointTestOptions,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  run_id,
} from '../../test/support/checkpoint/test-checkpoints.ts'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { systemClock } from '../clock/clock.ts'
import { openCheckpoints } from './checkpoints.ts'
import { degradedRestore } from './failure.ts'
import type { CheckpointPlan } from './plan.ts'
import { threadEngine } from './thread.ts'

let bench: CheckpointTestEnvironment
const at = (...parts: string[]) => join(bench.work, ...parts)
const command = (text: string, cwd = bench.work) => [{ does: 'execute', command: text, cwd, language: 'shell' } as const]
const causes = (plan: CheckpointPlan) => plan.unprotected.map(({ cause }) => cause).sort()
const same = { missing: [], surplus: [] }

beforeEach(() => {
  bench = openCheckpointTest()
})
afterEach(() => bench.close())

async function reopen(options: CheckpointTestOptions): Promise<void> {
  bench.store.close()
  bench = openCheckpointTest({ folder: bench.folder, ...options })
}

describe('plan', () => {
  test('is null for a call that changes nothing on disk', async () => {
    const call = { call_id: 'c', tool: 'fs.read', effects: [{ does: 'read', path: 'x' } as const], workspace: bench.work }
    expect(await bench.checkpoints.plan(call)).toEqual({ outcome: 'planned', plan: null })
  })

  test('saves all of a small folder', async () => {
    writeFileSync(at('f'), 'four')
    const plan = await bench.plan(command('rm f'))
    expect(plan).toEqual({
      ...{ call_id: 'call-1', tool: 'shell.exec', kind: 'filesystem_snapshot', files: 1, bytes: 4, kept_files: 1, kept_bytes: 4 },
      scope: { root: bench.work, reach: 'tree', targets: [at('f')], folders: [], computed: [], opaque: true },
      protected_targets: [at('f')],
      unprotected: [{ cause: 'outside', count: 1, paths: [bench.work] }],
    })
  })

  test.each([
    ['the root', '/'],
    ['the home folder', homedir()],
  ])('never scans %s, and the plan reports it', async (_name, cwd) => {
    const plan = await bench.plan(command('true', cwd))
    expect([plan.kind, causes(plan).includes('wide_scope'), plan.files < 1_000]).toEqual(['inventory_snapshot', true, true])
  })

  test('names what stays unprotected: large files, folders beyond the budget, its own folder', async () => {
    bash('for i in $(seq 2100); do echo $i > f$i; done; head -c 2000000 /dev/zero > big', bench.work)
    const plan = await bench.plan(command('true'))
    expect([plan.kind, causes(plan), plan.kept_files]).toEqual(['manifest_snapshot', ['outside', 'too_large'], 2_100])
    const named = await bench.plan(command('sed -i s/a/b/ big'))
    expect([causes(named), named.kept_files]).toEqual([['outside'], 2_101])
  })

  test('a plan that protects less than an earlier one is weaker', async () => {
    writeFileSync(at('f'), 'x')
    const { isWeaker } = bench.checkpoints
    const earlier = await bench.plan(command('rm f'))
    expect(isWeaker(earlier, await bench.plan(command('rm f')))).toBe(false)
    bash('mkfifo pipe', bench.work)
    const piped = await bench.plan(command('rm f'))
    expect([isWeaker(earlier, piped), isWeaker(piped, earlier)]).toEqual([true, false])
    expect(isWeaker(earlier, { ...earlier, kind: 'manifest_snapshot' })).toBe(true)
    expect(isWeaker(earlier, { ...earlier, protected_targets: [] })).toBe(true)
  })
})

describe('larger scopes', () => {
  test('manifest: created files are removed, small and moved files are restored, and the rest is reported in advance', async () => {
    bash(
      'mkdir many && for i in $(seq 2100); do echo $i > many/f$i; done; head -c 2000000 /dev/urandom > lost; head -c 2000000 /dev/urandom > moved; head -c 2000000 /dev/urandom > closed',
      bench.work,
    )
    const before = manifestOf(bench.work)
    const id = await bench.shell(
      `echo x > many/f7; rm many/f8; echo new > many/new
       python3 -c "import os; open('lost','r+').truncate(5); os.mkdir('sub'); os.rename('moved','sub/moved'); os.chmod('closed',0o600)"`,
    )
    const lost = { path: at('lost'), type: 'file', change: 'unrecoverable', reason: 'its content was not saved (2000000 bytes)' }
    const unsaved = 'its content was not saved and cannot be compared'
    const closed = {
      path: at('closed'),
      type: 'file',
      change: 'changed',
      lost: [`${unsaved}: only its permissions and owner are restored`],
    }
    const moved = {
      path: at('moved'),
      type: 'file',
      change: 'deleted',
      lost: [
        `${unsaved}: it is restored as it is now at ${at('sub/moved')}`,
        'its access control list and extended attributes: they were not saved',
      ],
    }
    const preview = await bench.checkpoints.preview(id, {})
    expect(preview.outcome === 'previewed' && preview.entries.items).toEqual([
      closed,
      lost,
      { path: at('many/f7'), type: 'file', change: 'changed' },
      { path: at('many/f8'), type: 'file', change: 'deleted' },
      { path: at('many/new'), type: 'file', change: 'created' },
      moved,
      { path: at('sub'), type: 'directory', change: 'created' },
      { path: at('sub/moved'), type: 'file', change: 'created' },
    ])
    const restored = await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect(restored).toMatchObject({ outcome: 'restored', left_alone: [closed, lost, moved] })
    const mentions = (line: string) => !line.endsWith('lost')
    expect(difference(before.filter(mentions), manifestOf(bench.work).filter(mentions))).toEqual(same)
  })

  test('inventory: direct children and named targets', async () => {
    await reopen({ budget: { files: 40, ms: 60_000 } })
    bash('mkdir -p deep && for i in $(seq 60); do echo $i > deep/$i; done; echo top > top; echo key > deep/key', bench.work)
    const id = await bench.shell('echo a > top; echo b > deep/key; echo c > deep/1; mkdir made; echo d > made/d')
    const preview = await bench.checkpoints.preview(id, {})
    expect(bench.checkpoints.get(id)?.restore_kind).toBe('inventory_snapshot')
    expect(preview.outcome === 'previewed' && preview.entries.items.map(({ path, change }) => [path, change])).toEqual([
      [at('deep/1'), 'changed'],
      [at('deep/key'), 'changed'],
      [at('made'), 'created'],
      [at('made/d'), 'created'],
      [at('top'), 'changed'],
    ])
    await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect([readFileSync(at('top'), 'utf8'), readFileSync(at('deep/key'), 'utf8'), existsSync(at('made'))]).toEqual([
      'top\n',
      'key\n',
      false,
    ])
  })

  test('folders that can be generated again are scanned last and reported', async () => {
    await reopen({ budget: { files: 40, ms: 60_000 } })
    bash('mkdir -p node_modules/x src && for i in $(seq 60); do echo $i > node_modules/x/$i; done; echo mine > src/mine', bench.work)
    const plan = await bench.plan(command('true'))
    expect([plan.kind, causes(plan)]).toEqual(['filesystem_snapshot', ['outside', 'regenerable']])
    const id = await bench.shell('rm -rf src')
    await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect(readFileSync(at('src/mine'), 'utf8')).toBe('mine\n')
  })
})

describe('speed and space', () => {
  test('does not read an unchanged file again, even after a restart; reads a file with the same size and time', async () => {
    bash('for i in 1 2 3; do echo $i > f$i; touch -d "1 minute ago" f$i; done; sleep 0.1', bench.work)
    const reads: string[] = []
    await reopen({ crashpoint: (name) => void (name === 'take:file' && reads.push(name)) })
    await bench.shell('true')
    const first = reads.splice(0).length
    await bench.shell('true')
    const second = reads.splice(0).length
    await reopen({ crashpoint: (name) => void (name === 'take:file' && reads.push(name)) })
    await bench.shell('true')
    const third = reads.splice(0).length
    bash('cp -p f1 keep; echo X > f1; touch -r keep f1; rm keep', bench.work)
    await bench.shell('true')
    expect([first, second, third, reads.length]).toEqual([3, 0, 0, 1])
  })

  test('stores content once; a repeated checkpoint needs almost no space', async () => {
    const noise = join(bench.work, 'noise')
    execFileSync('bash', [
      '-c',
      `head -c 1000000 /dev/urandom > ${noise}; cp ${noise} ${noise}2; for i in $(seq 500); do echo $i > ${bench.work}/$i; done; sleep 0.1`,
    ])
    const weights: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const id = await bench.shell(`echo ${round} > changed`)
      weights.push(statSync(join(bench.home, 'blobs', `${id}.before`)).size)
    }
    expect([(weights[0] ?? 0) < 1_100_000, (weights[1] ?? 0) < 2_000, (weights[2] ?? 0) < 2_000]).toEqual([true, true, true])
  })

  test('uses a clone where the file system supports it', async () => {
    await reopen({
      clone(from, to) {
        writeFileSync(to, readFileSync(from))
        return true
      },
    })
    bash('head -c 3000000 /dev/urandom > large', bench.work)
    const before = manifestOf(bench.work)
    const id = await bench.shell('rm large')
    const artifacts = await bench.checkpoints.artifacts(id, {})
    expect('items' in artifacts && artifacts.items.map((one) => one.type === 'file' && one.storage)).toEqual([false, 'clone'])
    await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  })
})

describe('records', () => {
  test('match the contract, page by page', async () => {
    bash('mkdir d; echo f > d/f; ln -s f d/l', bench.work)
    const first = await bench.shell('rm d/f')
    await bench.onDemand(5)
    await bench.take([{ does: 'write', path: 'absent/file' }], 'fs.write')
    const page = bench.checkpoints.list(run_id, null, { limit: 2 })
    const rest = bench.checkpoints.list(run_id, null, { limit: 2, cursor: String(page.next_cursor) })
    const summaries = [...page.items, ...rest.items]
    expect(Value.Errors(Type.Array(CheckpointSummary), summaries)).toEqual([])
    expect(summaries.map(({ name, restore_kind, recovery_chain_version }) => [name, restore_kind, recovery_chain_version])).toEqual([
      ['task_recovery_point', 'filesystem_snapshot', 3],
      ['task_recovery_point', 'filesystem_snapshot', 2],
      ['safety_rollback_point', 'filesystem_snapshot', 1],
    ])
    expect([rest.next_cursor, new Set(summaries.map((one) => one.recovery_chain_id)).size]).toEqual([null, 1])
    for (const { checkpoint_id } of summaries) {
      expect(Value.Errors(RunCheckpoint, bench.checkpoints.get(checkpoint_id))).toEqual([])
      const artifacts = await bench.checkpoints.artifacts(checkpoint_id, {})
      expect('items' in artifacts && Value.Errors(Type.Array(CheckpointArtifact), artifacts.items)).toEqual([])
    }
    const two = await bench.checkpoints.artifacts(first, { limit: 2 })
    const more = await bench.checkpoints.artifacts(first, { limit: 2, cursor: '2' })
    const paths = [two, more].flatMap((one) => ('items' in one ? one.items.map(({ path, type }) => [path, type]) : []))
    expect(paths).toEqual([
      [bench.work, 'directory'],
      [at('d'), 'directory'],
      [at('d/f'), 'file'],
      [at('d/l'), 'symlink'],
    ])
    const preview = await bench.checkpoints.preview(first, {})
    expect(preview.outcome === 'previewed' && Value.Errors(Type.Array(RestorePreviewEntry), preview.entries.items)).toEqual([])
  })

  test('a restore ends its chain: the next checkpoint is based on the restored state', async () => {
    const first = await bench.shell('echo 1 > f')
    await bench.checkpoints.restore(first, 'stop', cursorAt(2, bench.work))
    const next = await bench.shell('echo 2 > f')
    const checkpoint = bench.checkpoints.get(next)
    expect([checkpoint?.recovery_chain_id, checkpoint?.recovery_chain_version, checkpoint?.parent_checkpoint_id]).toEqual([next, 1, first])
  })
})

describe('deletion', () => {
  test('follows the rules of the contract, and keeps contents that others need', async () => {
    const clock = testClock(systemClock.now())
    await reopen({ clock })
    bash('echo precious > old', bench.work)
    const ids: string[] = []
    for (let i = 0; i < 8; i += 1) ids.push(await bench.shell(`echo ${i} > f`))
    bench.checkpoints.markFailure(String(ids[1]), degradedRestore(bench.work, [], []))
    clock.advance(limits.checkpoint_window_ms + 1_000)
    bench.checkpoints.holdForApproval(run_id)
    expect(await bench.checkpoints.retain()).toEqual([])
    bench.checkpoints.releaseFromApproval(run_id)
    const expired = await bench.checkpoints.retain()
    expect(expired.map(({ checkpoint_id, reason }) => [checkpoint_id, reason])).toEqual([
      [ids[0], 'outlived'],
      [ids[2], 'outlived'],
    ])
    bash('rm old', bench.work)
    const last = String(ids[7])
    await bench.checkpoints.restore(last, 'stop', cursorAt(2, bench.work))
    const left = bench.checkpoints.list(run_id, null, {}).items.map(({ checkpoint_id }) => checkpoint_id)
    expect(left.includes(String(ids[1]))).toBe(true)
    const gone = await bench.checkpoints.preview(String(ids[0]), {})
    expect(gone.outcome === 'failed' && gone.code).toBe('checkpoint_expired')
  })

  test('over the budget, deletes older checkpoints first; if the newest five do not fit, plan and take report it and nothing is deleted', async () => {
    await reopen({ quota_bytes: 1_000_000 })
    const noise = (bytes: number) => bash(`head -c ${bytes} /dev/urandom > noise`, bench.work)
    for (let i = 0; i < 9; i += 1) {
      noise(120_000)
      await bench.shell('true')
    }
    const used = readdirSync(join(bench.home, 'blobs')).reduce((sum, name) => sum + statSync(join(bench.home, 'blobs', name)).size, 0)
    const count = bench.checkpoints.list(run_id, null, {}).items.length
    expect([used <= 1_000_000, count >= 5 && count < 9]).toEqual([true, true])
    const stored = () => readdirSync(join(bench.home, 'blobs')).sort()
    const before = stored()
    noise(900_000)
    const plan = await bench.plan(command('true'))
    const unprotected = [{ cause: 'store_full', count: 1, paths: [bench.work] }]
    expect(plan).toMatchObject({ kept_files: 0, kept_bytes: 0, protected_targets: [], unprotected })
    const full = await bench.checkpoints.take(plan, cursorAt(9, bench.work))
    expect(full).toMatchObject({
      outcome: 'store_full',
      code: 'storage_unavailable',
      plan: { unprotected },
      failure_contract: {
        reason_code: 'store_full',
        details: { remedy: 'Set TANDEM_CHECKPOINT_QUOTA_GB to a larger number of gigabytes and restart Tandem.' },
      },
    })
    expect([bench.checkpoints.list(run_id, null, {}).items.length, stored()]).toEqual([count, before])
    // A plan that protects nothing is never weaker than the result; a plan that protects something is.
    noise(1_000)
    const small = await bench.plan(command('true'))
    expect([causes(small), bench.checkpoints.isWeaker(plan, small), bench.checkpoints.isWeaker(small, plan)]).toEqual([
      ['outside'],
      false,
      true,
    ])
  })
})

test('the thread does the same, does not block the caller, and can be canceled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-thread-'))
  const checkpoints = openCheckpoints({ store: bench.store, engine: threadEngine({ home: bench.home }) })
  try {
    bash('for d in $(seq 100); do mkdir d$d; for i in $(seq 20); do echo $d.$i > d$d/$i; done; done', folder)
    const call = { call_id: 'c', tool: 'shell.exec', effects: command('rm -rf d1', folder), workspace: folder }
    let turns = 0
    const beat = setInterval(() => {
      turns += 1
    }, 1)
    const planned = await checkpoints.plan(call)
    if (planned.outcome !== 'planned' || !planned.plan) throw new Error(JSON.stringify(planned))
    const taken = await checkpoints.take(planned.plan, cursorAt(1, folder))
    clearInterval(beat)
    if (taken.outcome !== 'taken') throw new Error(taken.failure_contract.details.message)
    const before = manifestOf(folder)
    bash('rm -rf d1; echo x > d2/1', folder)
    await checkpoints.settle(taken.checkpoint.checkpoint_id)
    appendFileSync(join(folder, 'd3', '1'), 'mine')
    const restored = await checkpoints.restore(taken.checkpoint.checkpoint_id, 'stop', cursorAt(2, folder))
    expect([restored.outcome, turns > 5]).toEqual(['restored', true])
    writeFileSync(join(folder, 'd3', '1'), '3.1\n')
    expect(difference(before, manifestOf(folder))).toEqual(same)
    const stop = new AbortController()
    const canceled = checkpoints.plan(call, { signal: stop.signal })
    stop.abort()
    expect((await canceled).outcome).toBe('failed')
  } finally {
    await checkpoints.close()
    rmSync(folder, { recursive: true })
  }
})
