// Two runs and a user in one folder: what belongs to whom when one of the runs is restored.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bash,
  type CheckpointTestEnvironment,
  cursorAt,
  difference,
  manifestOf,
  openCheckpointTest,
  other_run_id,
} from '../../test/support/checkpoint/test-checkpoints.ts'

let bench: CheckpointTestEnvironment
beforeEach(() => {
  bench = openCheckpointTest()
  bash('echo original > shared; echo original > mine', bench.work)
})
afterEach(() => bench.close())

const same = { missing: [], surplus: [] }
const at = (name: string) => join(bench.work, name)
const textOf = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null)

/** A command of a run that has started; it changes what `bash` changes before it is settled. */
const command = (run?: string) => bench.take([{ does: 'execute', command: 'make', cwd: bench.work, language: 'shell' }], 'shell.exec', run)

/** A complete call that names its path. */
async function writes(name: string, text: string, run?: string): Promise<string> {
  const call = await bench.take([{ does: 'write', path: name }], 'fs.write', run)
  bash(`echo ${text} > ${name}`, bench.work)
  await bench.checkpoints.settle(call)
  return call
}
const otherWrites = (name: string, text: string) => writes(name, text, other_run_id)

async function previewed(checkpoint_id: string) {
  const seen = await bench.checkpoints.preview(checkpoint_id, {})
  if (seen.outcome !== 'previewed') throw new Error(JSON.stringify(seen))
  return seen.entries.items
}

async function restore(checkpoint_id: string, on_conflict: 'stop' | 'keep' | 'overwrite') {
  return await bench.checkpoints.restore(checkpoint_id, on_conflict, cursorAt(9, bench.work))
}

test('what another run wrote while a command ran belongs to that run and is kept', async () => {
  const ours = await command()
  bash('echo ours > mine; echo ours > new', bench.work)
  await otherWrites('theirs', 'theirs')
  await otherWrites('shared', 'theirs')
  await bench.checkpoints.settle(ours)
  expect((await previewed(ours)).map(({ path, change }) => [path, change])).toEqual([
    [at('mine'), 'changed'],
    [at('new'), 'created'],
  ])
  expect((await restore(ours, 'stop')).outcome).toBe('restored')
  expect(['mine', 'new', 'theirs', 'shared'].map(textOf)).toEqual(['original\n', null, 'theirs\n', 'theirs\n'])
})

test('a plan made before another run wrote is not used as the state before the command', async () => {
  const theirs = await bench.take([{ does: 'write', path: 'theirs' }], 'fs.write', other_run_id)
  const planned = await bench.plan([{ does: 'execute', command: 'make', cwd: bench.work, language: 'shell' }])
  bash('echo theirs > theirs', bench.work)
  await bench.checkpoints.settle(theirs)
  const taken = await bench.checkpoints.take(planned, cursorAt(1, bench.work))
  if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
  await bench.checkpoints.settle(taken.checkpoint.checkpoint_id)
  expect(await previewed(taken.checkpoint.checkpoint_id)).toEqual([])
})

test('a path that both runs may have changed is a conflict, which the user decides', async () => {
  const ours = await command()
  const theirs = await command(other_run_id)
  bash('echo someone > shared', bench.work)
  await bench.checkpoints.settle(theirs)
  await bench.checkpoints.settle(ours)
  const conflict = { path: at('shared'), type: 'file', change: 'conflict', reason: 'another run may have changed it at the same time' }
  expect(await previewed(ours)).toEqual([conflict])
  expect(await previewed(theirs)).toEqual([conflict])
  expect(await restore(ours, 'stop')).toMatchObject({ outcome: 'failed', conflicts: [conflict] })
  expect([(await restore(ours, 'keep')).outcome, textOf('shared')]).toEqual(['restored', 'someone\n'])
  expect([(await restore(ours, 'overwrite')).outcome, textOf('shared')]).toEqual(['restored', 'original\n'])
})

test('a path that another run wrote and the command changed again is a conflict', async () => {
  const ours = await command()
  await otherWrites('shared', 'theirs')
  bash('echo ours >> shared', bench.work)
  await bench.checkpoints.settle(ours)
  expect(await previewed(ours)).toMatchObject([{ path: at('shared'), change: 'conflict' }])
})

test('what a call names belongs to it, even if a command of another run was running', async () => {
  const theirs = await command(other_run_id)
  const call = await bench.take([{ does: 'write', path: 'mine' }], 'fs.write')
  bash('echo ours > mine', bench.work)
  await bench.checkpoints.settle(call)
  bash('echo theirs > new', bench.work)
  await bench.checkpoints.settle(theirs)
  expect(await previewed(call)).toMatchObject([{ path: at('mine'), change: 'changed' }])
  expect(await previewed(theirs)).toMatchObject([{ path: at('new'), change: 'created' }])
})

test('what another run changed before the command started or after it ended is not part of it', async () => {
  await otherWrites('before', 'theirs')
  const ours = await command()
  bash('echo ours > mine', bench.work)
  await bench.checkpoints.settle(ours)
  await otherWrites('after', 'theirs')
  expect(await previewed(ours)).toMatchObject([{ path: at('mine'), change: 'changed' }])
})

test('what a command of another run changed only before ours started or after ours ended is not a conflict', async () => {
  const long = await command(other_run_id)
  bash('echo theirs > shared', bench.work)
  const ours = await command()
  bash('echo ours > shared', bench.work)
  await bench.checkpoints.settle(ours)
  const call = await bench.take([{ does: 'write', path: 'mine' }], 'fs.write')
  bash('echo call > mine', bench.work)
  await bench.checkpoints.settle(call)
  expect(await previewed(call)).toMatchObject([{ path: at('mine'), change: 'changed' }])
  await bench.checkpoints.settle(long)
  // The other command was running while ours changed it: it may have been either.
  expect(await previewed(ours)).toMatchObject([
    { path: at('mine'), change: 'changed' },
    { path: at('shared'), change: 'conflict' },
  ])
  const short = await command(other_run_id)
  bash('echo theirs > shared', bench.work)
  const later = await command()
  await bench.checkpoints.settle(short)
  bash('echo ours > shared', bench.work)
  await bench.checkpoints.settle(later)
  expect(await previewed(later)).toMatchObject([{ path: at('shared'), change: 'changed' }])
  expect([(await restore(later, 'stop')).outcome, textOf('shared')]).toEqual(['restored', 'theirs\n'])
})

test('a restore can be undone while a command of another run is running that changed the path', async () => {
  await command(other_run_id)
  bash('echo theirs > shared', bench.work)
  const ours = await command()
  bash('echo someone > shared', bench.work)
  await bench.checkpoints.settle(ours)
  const restored = await restore(ours, 'overwrite')
  if (restored.outcome !== 'restored') throw new Error(JSON.stringify(restored))
  expect([textOf('shared'), (await restore(restored.safety_checkpoint_id, 'stop')).outcome, textOf('shared')]).toEqual([
    'theirs\n',
    'restored',
    'someone\n',
  ])
})

test('a user’s edit during a command counts as the command’s, and undoing the restore brings it back', async () => {
  const before = manifestOf(bench.work)
  const ours = await command()
  bash('echo ours > new; echo "a person" > shared', bench.work)
  await bench.checkpoints.settle(ours)
  const after = manifestOf(bench.work)
  const restored = await restore(ours, 'stop')
  if (restored.outcome !== 'restored') throw new Error(JSON.stringify(restored))
  expect(difference(before, manifestOf(bench.work))).toEqual(same)
  expect((await restore(restored.safety_checkpoint_id, 'stop')).outcome).toBe('restored')
  expect(difference(after, manifestOf(bench.work))).toEqual(same)
})

test('a restore of another run during a command belongs to the other run', async () => {
  const theirs = await bench.take([{ does: 'write', path: 'shared' }], 'fs.write', other_run_id)
  bash('echo theirs > shared', bench.work)
  await bench.checkpoints.settle(theirs)
  const ours = await command()
  bash('echo ours > mine', bench.work)
  await bench.checkpoints.restore(theirs, 'stop', cursorAt(9, bench.work, other_run_id))
  await bench.checkpoints.settle(ours)
  expect([textOf('shared'), await previewed(ours)]).toMatchObject(['original\n', [{ path: at('mine'), change: 'changed' }]])
})

test('what another run wrote stays its own after the conversation of that run was erased', async () => {
  const ours = await command()
  bash('echo ours > mine', bench.work)
  await otherWrites('theirs', 'theirs')
  await bench.checkpoints.settle(ours)
  expect((await previewed(ours)).map(({ path }) => path)).toEqual([at('mine')])
  expect(await bench.checkpoints.eraseRuns([other_run_id])).toBe(true)
  const conflict = { path: at('theirs'), change: 'conflict', reason: 'another run may have changed it at the same time' }
  expect(await previewed(ours)).toMatchObject([{ path: at('mine'), change: 'changed' }, conflict])
  expect(await restore(ours, 'stop')).toMatchObject({ outcome: 'failed', conflicts: [conflict] })
  expect([(await restore(ours, 'keep')).outcome, textOf('mine'), textOf('theirs')]).toEqual(['restored', 'original\n', 'theirs\n'])
})

test('what is kept of an erased run contains no name', async () => {
  const ours = await command()
  await otherWrites('a-name-of-theirs', 'theirs')
  const unprotected = bench.checkpoints.unprotected.begin({
    ...{ run_id: other_run_id, workspace: bench.work },
    scope: { root: bench.work, reach: 'paths', targets: [at('another-name')], folders: [], computed: [], opaque: false },
  })
  bench.checkpoints.unprotected.end(unprotected)
  await bench.checkpoints.settle(ours)
  await bench.checkpoints.eraseRuns([other_run_id])
  const rows = bench.store.sql.all<Record<string, unknown>>`SELECT * FROM runtime_kept_changes`
  const words = rows.map(({ changes, ...row }) => JSON.stringify(row) + zstdDecompressSync(changes as Uint8Array).toString())
  expect(words.length).toBe(2)
  for (const word of ['name', 'theirs', bench.work, other_run_id]) expect(words.filter((one) => one.includes(word))).toEqual([])
})

test('what another run wrote is recognized after its points became too old', async () => {
  const ours = await command()
  bash('echo ours > mine', bench.work)
  await otherWrites('theirs', 'theirs')
  await otherWrites('shared', 'theirs')
  await bench.checkpoints.settle(ours)
  const others = bench.store.sql.all<{ checkpoint_id: string }>`
    SELECT checkpoint_id FROM runtime_run_checkpoints WHERE run_id = ${other_run_id}`
  bench.store.sql.run`UPDATE runtime_run_checkpoints SET created_at = 0, conversation_id = 'theirs' WHERE run_id = ${other_run_id}`
  for (let no = 0; no < 10; no += 1) await bench.shell('true')
  bench.store.sql.run`UPDATE runtime_run_checkpoints SET conversation_id = 'theirs'
    WHERE checkpoint_id IN (SELECT checkpoint_id FROM runtime_run_checkpoints ORDER BY no DESC LIMIT 5)`
  expect((await bench.checkpoints.retain()).map(({ checkpoint_id }) => checkpoint_id)).toEqual(
    others.map(({ checkpoint_id }) => checkpoint_id),
  )
  expect((await previewed(ours)).map(({ path, change }) => [path, change])).toEqual([[at('mine'), 'changed']])
})

test('what a call of another run without a recovery point may have changed is a conflict', async () => {
  const ours = await command()
  const theirs = bench.checkpoints.unprotected.begin({
    ...{ run_id: other_run_id, workspace: bench.work },
    scope: { root: bench.work, reach: 'paths', targets: [at('theirs')], folders: [], computed: [], opaque: false },
  })
  bash('echo ours > mine; mkdir theirs; echo theirs > theirs/file', bench.work)
  bench.checkpoints.unprotected.end(theirs)
  await bench.checkpoints.settle(ours)
  expect((await previewed(ours)).map(({ path, change }) => [path, change])).toEqual([
    [at('mine'), 'changed'],
    [at('theirs'), 'conflict'],
    [at('theirs/file'), 'conflict'],
  ])
})

test('a call of the run without a recovery point is named in the preview and in the result', async () => {
  const ours = await writes('mine', 'one')
  const unprotected = bench.checkpoints.unprotected.begin({
    ...{ run_id: cursorAt(1, bench.work).run_id, workspace: bench.work },
    scope: { root: bench.work, reach: 'paths', targets: [at('shared')], folders: [], computed: [], opaque: false },
  })
  bash('echo unprotected > shared', bench.work)
  bench.checkpoints.unprotected.end(unprotected)
  const note = `Calls of this run have no recovery point. What they changed in these places is neither listed nor restored: ${at('shared')}`
  expect(await bench.checkpoints.preview(ours, {})).toMatchObject({ notes: [note], entries: { items: [{ path: at('mine') }] } })
  expect(await restore(ours, 'stop')).toMatchObject({
    outcome: 'restored',
    failure_contract: { taxonomy: 'degraded_recovery', details: { facts: [{ name: 'unprotected', value: note }] } },
  })
  expect(['mine', 'shared'].map(textOf)).toEqual(['original\n', 'unprotected\n'])
})

test('a call without a recovery point that a crash interrupted has ended at the next start', async () => {
  bench.checkpoints.unprotected.begin({
    ...{ run_id: other_run_id, workspace: bench.work },
    scope: { root: bench.work, reach: 'tree', targets: [], folders: [], computed: [], opaque: true },
  })
  await bench.checkpoints.close()
  bench.store.close()
  bench = openCheckpointTest({ folder: bench.folder })
  const ours = await command()
  bash('echo ours > mine', bench.work)
  await bench.checkpoints.settle(ours)
  expect(await previewed(ours)).toMatchObject([{ path: at('mine'), change: 'changed' }])
})
