// kill -9 at every crash point of copies and merges: a copy exists completely or not at all, and a merge is applied completely or undone.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useBundledProgram } from '../../../test/support/bundled-program.ts'
import { difference, manifestOf } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { openTestTeam, type TestTeam } from '../../../test/support/cooperation/test-team.ts'
import { crashpoints } from './crashpoint.ts'

const child = useBundledProgram('cooperation/merge-crash-child.ts')
const same = { missing: [], surplus: [] }
let team: TestTeam

beforeEach(async () => {
  team = openTestTeam()
  write(team.work, { a: 'a\n', b: 'b\n', 'c/d': 'd\n', 'e/f': 'f\n', run: 'run\n', g: 'g\n' })
  const [first, second] = [await team.start(1, 'Ann'), await team.start(2, 'Bob')]
  write(first, { a: 'a by Ann\n', 'new/one': '1\n' })
  rmSync(join(first, 'b'))
  renameSync(join(first, 'c/d'), join(first, 'moved'))
  rmSync(join(first, 'c'), { recursive: true })
  chmodSync(join(first, 'run'), 0o755)
  rmSync(join(second, 'e'), { recursive: true })
  rmSync(join(second, 'g'))
  write(second, { e: 'a file\n', 'g/h': 'a folder\n' })
  symlinkSync('a', join(second, 'link'))
  await team.end(1)
  await team.end(2)
})
afterEach(() => team.close())

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function dieAt(action: 'copy' | 'merge', point: string): void {
  team.store.close()
  const died = spawnSync(process.execPath, [child.path, team.folder, action, point], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: child.compiled },
  })
  expect([died.signal, died.stdout, died.stderr]).toEqual(['SIGKILL', '', ''])
  team = openTestTeam({ folder: team.folder })
}

const states = () => team.copies.list().map(({ state }) => state)
const steps = () => team.journal.steps(team.run_id).filter(({ step }) => step.kind === 'merge.applied').length
const leftovers = () => readdirSync(team.work, { recursive: true }).filter((name) => String(name).includes('.tandem'))

test('covers every crash point', () => {
  expect([...copyPoints, ...mergePoints].sort()).toEqual([...crashpoints].sort())
})

const copyPoints = ['copy_copied', 'copy_made'] as const
const mergePoints = ['merge_staged', 'merge_applying', 'merge_unrecorded', 'merge_applied'] as const

test.each(copyPoints)('while a copy is made, at %s: it does not exist, and can be made again', async (point) => {
  dieAt('copy', point)
  expect(team.copies.folderOf(team.member(3))).toBe(null)
  await team.copies.sweep()
  expect(readdirSync(join(team.home, 'copies')).sort()).toEqual([team.member(1), team.member(2)])
  const copy = await team.start(3)
  expect(difference(manifestOf(team.work), manifestOf(copy))).toEqual(same)
})

test.each(mergePoints)('while a merge is applied, at %s: all or nothing', async (point) => {
  const before = manifestOf(team.work)
  dieAt('merge', point)
  expect(await team.merging.recover()).toEqual([])
  expect(leftovers()).toEqual([])
  if (point === 'merge_applied') {
    expect([states(), steps(), readFileSync(join(team.work, 'a'), 'utf8'), readFileSync(join(team.work, 'g/h'), 'utf8')]).toEqual([
      ['merged', 'merged'],
      2,
      'a by Ann\n',
      'a folder\n',
    ])
    expect([existsSync(join(team.work, 'b')), existsSync(join(team.work, 'c'))]).toEqual([false, false])
  } else {
    expect(difference(before, manifestOf(team.work))).toEqual(same)
    expect([states(), steps()]).toEqual([['unmerged', 'unmerged'], 0])
  }
  expect(await team.merging.recover()).toEqual([])
  const again = await team.merge([1, 2])
  expect([again.changed.length, states()]).toEqual([point === 'merge_applied' ? 0 : 10, ['merged', 'merged']])
  expect([readFileSync(join(team.work, 'e'), 'utf8'), leftovers()]).toEqual(['a file\n', []])
})

test('what someone changed between the crash and the next start is kept and reported', async () => {
  dieAt('merge', 'merge_unrecorded')
  writeFileSync(join(team.work, 'a'), 'mine\n')
  expect(await team.merging.recover()).toEqual([expect.stringContaining('a: it was changed in the meantime')])
  expect([readFileSync(join(team.work, 'a'), 'utf8'), readFileSync(join(team.work, 'b'), 'utf8')]).toEqual(['mine\n', 'b\n'])
  // The earlier content still exists.
  expect(leftovers().some((name) => readFileSync(join(team.work, String(name)), 'utf8') === 'a\n')).toBe(true)
})
