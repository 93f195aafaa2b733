// kill -9 at every crash point: afterwards the state is either the old or the new one, never in between, and nothing is lost or left over.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useBundledProgram } from '../../test/support/bundled-program.ts'
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
} from '../../test/support/checkpoint/test-checkpoints.ts'
import {
  type Action,
  cloneByCopy,
  crashPointOccurrences,
  isRecorded,
  large,
  leftovers,
  packs,
  runChanges,
  tree,
} from '../../test/support/checkpoint/test-crashpoints.ts'
import { crashpoints } from './crashpoint.ts'

const child = useBundledProgram('checkpoint/test-crash-child.ts')
const same = { missing: [], surplus: [] }
let bench: CheckpointTestEnvironment

beforeEach(() => {
  bench = openCheckpointTest({ clone: cloneByCopy })
  bash(tree, bench.work)
})
afterEach(() => bench.close())

function dieAt(action: Action, point: string, occurrence: number): void {
  bench.store.close()
  const died = spawnSync(process.execPath, [child.path, bench.folder, action, point, String(occurrence)], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: child.compiled },
  })
  expect([died.signal, died.stdout, died.stderr]).toEqual(['SIGKILL', '', ''])
  bench = openCheckpointTest({ folder: bench.folder, clone: cloneByCopy })
}

const ids = () => bench.checkpoints.list(run_id, null, {}).items.map(({ checkpoint_id }) => checkpoint_id)

test('covers every crash point', () => {
  const struck = new Set(
    Object.values(crashPointOccurrences)
      .flat()
      .map(([name]) => name),
  )
  expect([...struck].sort()).toEqual([...crashpoints].sort())
})

test.each([
  ...crashPointOccurrences.take.map((place) => ['take', ...place] as const),
  ...crashPointOccurrences.clone.map((place) => ['clone', ...place] as const),
])('while a checkpoint is taken (%s), at %s (%i): it exists completely or not at all', async (action, point, occurrence) => {
  if (action === 'clone') bash(large, bench.work)
  const before = manifestOf(bench.work)
  const expected = point === 'take:recorded' ? 1 : 0
  dieAt(action, point, occurrence)
  expect(await bench.checkpoints.recover()).toEqual({ restores: [], troubles: [] })
  const kept = [ids().length, packs(bench).length, leftovers(bench), difference(before, manifestOf(bench.work))]
  expect(kept).toEqual([expected, expected, [], same])
  const id = await bench.shell('rm -rf src data')
  await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
  expect(difference(before, manifestOf(bench.work))).toEqual(same)
})

test.each(crashPointOccurrences.settle)(
  'while the end of a call is scanned, at %s (%i): the next start scans it',
  async (point, occurrence) => {
    const before = manifestOf(bench.work)
    dieAt('settle', point, occurrence)
    const after = manifestOf(bench.work)
    expect(difference(before, after)).not.toEqual(same)
    expect(await bench.checkpoints.recover()).toEqual({ restores: [], troubles: [] })
    expect([ids().length, leftovers(bench), bench.checkpoints.needsRecovery()]).toEqual([1, [], false])
    const restored = await bench.checkpoints.restore(ids()[0] ?? '', 'overwrite', cursorAt(2, bench.work))
    expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
  },
)

test.each([
  ...crashPointOccurrences.background.map((place) => ['background', ...place] as const),
  ...crashPointOccurrences.close.map((place) => ['close', ...place] as const),
])(
  'while the point of a background command is left open or closed (%s), at %s (%i): the next start closes it, and everything can be restored',
  async (action, point, occurrence) => {
    const before = manifestOf(bench.work)
    dieAt(action, point, occurrence)
    expect(await bench.checkpoints.recover()).toEqual({ restores: [], troubles: [] })
    const open = bench.checkpoints.openPoints().map(({ checkpoint_id }) => checkpoint_id)
    // Until the return of its call is recorded, it is the point of a call whose end was not seen.
    expect([open, leftovers(bench), bench.checkpoints.needsRecovery()]).toEqual([action === 'close' ? ids() : [], [], action === 'close'])
    for (const id of open) expect(await bench.checkpoints.closePoint(id, 'late', () => undefined)).toBe(null)
    expect([bench.checkpoints.openPoints(), bench.checkpoints.needsRecovery()]).toEqual([[], false])
    const restored = await bench.checkpoints.restore(ids()[0] ?? '', 'overwrite', cursorAt(2, bench.work), undefined, 'all')
    expect([restored.outcome, difference(before, manifestOf(bench.work))]).toEqual(['restored', same])
  },
)

test.each(
  crashPointOccurrences.restore.map(([point, occurrence], at) => [point, occurrence, isRecorded(at) ? 'finished' : 'nothing'] as const),
)('while files are restored, at %s (%i): %s', async (point, occurrence, expected) => {
  const before = manifestOf(bench.work)
  const id = await bench.shell(runChanges)
  const after = manifestOf(bench.work)
  dieAt('restore', point, occurrence)
  const { restores: recovered, troubles } = await bench.checkpoints.recover()
  expect(troubles).toEqual([])
  const told = recovered.map(({ checkpoint_id, outcome }) => [checkpoint_id, outcome])
  expect(told).toEqual(expected === 'finished' ? [[id, 'applied']] : [])
  const wanted = expected === 'finished' ? before : after
  expect([difference(wanted, manifestOf(bench.work)), leftovers(bench)]).toEqual([same, []])
  if (expected === 'nothing') {
    await bench.checkpoints.restore(id, 'stop', cursorAt(2, bench.work))
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
    return
  }
  const undone = await bench.checkpoints.restore(String(recovered[0]?.safety_checkpoint_id), 'stop', cursorAt(3, bench.work))
  expect([undone.outcome, difference(after, manifestOf(bench.work))]).toEqual(['restored', same])
})

test.each([...crashPointOccurrences.recover, ['recover:telling', 1] as const])(
  'killed again while a start finishes a restore, at %s (%i): files and run are recorded together, and once',
  async (point, occurrence) => {
    const told = point === 'recover:recorded' ? 1 : 0
    const before = manifestOf(bench.work)
    const id = await bench.shell('rm -rf src/deep; echo changed > src/2; echo changed > src/3; rm data; echo new > src/new')
    const after = manifestOf(bench.work)
    dieAt('restore', 'apply:file-written', 1)
    dieAt('recover', point, occurrence)
    const safety = bench.checkpoints.list(run_id, null, {}).items[0]?.checkpoint_id
    const isMarked = () => bench.checkpoints.get(id)?.restored
    expect([recordedRestores(bench.store).length, isMarked()]).toEqual([told, told === 1])
    // What a user writes meanwhile is theirs, whether the restore was recorded before or is recorded now.
    writeFileSync(join(bench.work, 'mine'), 'mine')
    expect(await bench.checkpoints.recover(recorded(bench.store))).toEqual({
      restores: [{ run_id, checkpoint_id: id, safety_checkpoint_id: safety, outcome: 'applied' }],
      troubles: [],
    })
    expect(recordedRestores(bench.store)).toEqual([
      {
        ...{ run_id, checkpoint_id: id, cursor_seq: 1, failure_contract: expect.objectContaining({ taxonomy: 'degraded_recovery' }) },
        ...{
          restored_paths: expect.any(Number),
          conflicts: 0,
          unrecoverable: 0,
          background_left: 0,
          duration_ms: expect.any(Number),
          workspace: bench.work,
        },
      },
    ])
    expect([isMarked(), leftovers(bench), bench.checkpoints.needsRecovery()]).toEqual([true, [], false])
    bash('rm mine', bench.work)
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
    writeFileSync(join(bench.work, 'src/2'), 'mine since')
    const undone = await bench.checkpoints.preview(String(safety), {})
    expect(undone.outcome === 'previewed' && undone.counts).toMatchObject({ conflict: 1 })
    await bench.checkpoints.restore(String(safety), 'overwrite', cursorAt(3, bench.work))
    expect(difference(after, manifestOf(bench.work))).toEqual(same)
  },
)

test('leaves alone what a user changed between the crash and the next start', async () => {
  const id = await bench.shell('rm -rf src; mkdir -p made; echo n > made/n')
  dieAt('restore', 'apply:path-done', 2)
  bash('mkdir -p src; echo mine > src/6', bench.work)
  const mine = readFileSync(join(bench.work, 'src/6'), 'utf8')
  await bench.checkpoints.recover()
  expect([readFileSync(join(bench.work, 'src/6'), 'utf8'), readFileSync(join(bench.work, 'src/5'), 'utf8'), id]).toEqual([
    mine,
    'file 5\n',
    id,
  ])
})

test('for a call whose end was not seen, restores what is missing and keeps what exists, which may be a user’s', async () => {
  writeFileSync(join(bench.work, 'other'), 'other')
  const id = await bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
  bash('rm data; echo half > half', bench.work)
  bench.store.close()
  bench = openCheckpointTest({ folder: bench.folder })
  await bench.checkpoints.recover()
  const preview = await bench.checkpoints.preview(id, {})
  expect(preview.outcome === 'previewed' && preview.entries.items).toEqual([
    { path: join(bench.work, 'data'), type: 'file', change: 'deleted' },
    {
      ...{ path: join(bench.work, 'half'), type: 'file', change: 'conflict' },
      reason: 'the end of the call was not seen, so the change may come from outside this run',
    },
  ])
})

test.each(crashPointOccurrences.retain)(
  'while old checkpoints are deleted, at %s (%i): the remaining ones can be restored',
  async (point, occurrence) => {
    for (let i = 0; i < 8; i += 1) await bench.shell(`echo ${i} > src/1; head -c 1000 /dev/urandom > r${i}; ${large}`)
    const before = manifestOf(bench.work)
    const last = await bench.shell('rm -rf src large')
    bench.store.sql.run`UPDATE runtime_run_checkpoints SET created_at = 0`
    dieAt('retain', point, occurrence)
    expect(bench.checkpoints.needsRecovery()).toBe(point !== 'retain:chosen')
    await bench.checkpoints.recover()
    await bench.checkpoints.retain()
    const clones = readdirSync(join(bench.home, 'blobs', 'clones')).length
    expect([ids().length, clones <= 5, leftovers(bench)]).toEqual([5, true, []])
    await bench.checkpoints.restore(last, 'stop', cursorAt(2, bench.work))
    expect(difference(before, manifestOf(bench.work))).toEqual(same)
  },
)
