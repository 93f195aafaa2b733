import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { WorkspaceCopy } from '@tandem/contract/team/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { difference, manifestOf } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { openTestTeam, type TestTeam } from '../../../test/support/cooperation/test-team.ts'
import { systemClock } from '../../clock/clock.ts'

const same = { missing: [], surplus: [] }
let team: TestTeam
let later = 0
const clock = { ...systemClock, now: () => systemClock.now() + later }
beforeEach(() => {
  later = 0
  team = openTestTeam({ clock })
})
afterEach(() => team.close())

const { signal } = new AbortController()
const changes = () => team.copies.changes(team.member(1))

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

test('a copy has everything, with its modes, times, links and repositories, and no special files', async () => {
  write(team.work, { 'a b/-c': 'x\n', '.git/HEAD': 'ref\n', 'node_modules/m/index.js': '1\n', '-rf': 'dash\n' })
  chmodSync(join(team.work, 'a b/-c'), 0o751)
  utimesSync(join(team.work, 'a b/-c'), 1_000.5, 1_000.5)
  symlinkSync('a b/-c', join(team.work, 'relative'))
  symlinkSync('/etc', join(team.work, 'absolute'))
  mkdirSync(join(team.work, 'empty'), { mode: 0o700 })
  const before = manifestOf(team.work)
  execFileSync('mkfifo', [join(team.work, 'pipe')])
  const copy = await team.start(1)
  expect(copy).toBe(join(team.home, 'copies', team.member(1), 'files'))
  expect(difference(before, manifestOf(copy))).toEqual(same)
  expect([lstatSync(join(copy, 'a b/-c')).mtimeMs, readlinkSync(join(copy, 'absolute')), existsSync(join(copy, 'pipe'))]).toEqual([
    1_000_500,
    '/etc',
    false,
  ])
  expect(await changes()).toEqual([])
})

test('several calls at once create one copy, and later calls return it', async () => {
  write(team.work, { a: 'a\n' })
  const member = { run_id: team.member(1), title: 'Ann', source: team.work }
  const folders = await Promise.all([1, 2, 3].map(() => team.copies.ensure(member, signal)))
  expect(new Set([...folders, await team.copies.ensure(member, signal)]).size).toBe(1)
  expect(readdirSync(join(team.home, 'copies'))).toEqual([team.member(1)])
})

test('lists what the member changed', async () => {
  write(team.work, { edited: '1\n', deleted: '1\n', touched: '1\n', mode: '1\n', kept: '1\n' })
  symlinkSync('kept', join(team.work, 'link'))
  const copy = await team.start(1)
  write(copy, { edited: '2\n', 'new/added': '1\n', touched: '1\n' })
  rmSync(join(copy, 'deleted'))
  chmodSync(join(copy, 'mode'), 0o600)
  rmSync(join(copy, 'link'))
  symlinkSync('edited', join(copy, 'link'))
  expect(await changes()).toEqual([
    { path: 'deleted', change: 'deleted' },
    { path: 'edited', change: 'edited' },
    { path: 'link', change: 'edited' },
    { path: 'mode', change: 'mode' },
    { path: 'new/added', change: 'added' },
  ])
})

test('a change that keeps the size and the modification time is noticed', async () => {
  write(team.work, { a: 'one\n' })
  const copy = await team.start(1)
  const { atime, mtime } = lstatSync(join(copy, 'a'))
  writeFileSync(join(copy, 'a'), 'two\n')
  utimesSync(join(copy, 'a'), atime, mtime)
  expect(await changes()).toEqual([{ path: 'a', change: 'edited' }])
})

test('folders that were swapped are noticed, although nothing in them changed', async () => {
  write(team.work, { 'a/x': 'one\n', 'b/x': 'two\n' })
  for (const path of ['a/x', 'b/x']) utimesSync(join(team.work, path), 1_000, 1_000)
  const copy = await team.start(1)
  for (const [from, to] of [
    ['a', 'c'],
    ['b', 'a'],
    ['c', 'b'],
  ] as const)
    renameSync(join(copy, from), join(copy, to))
  expect(await changes()).toEqual([
    { path: 'a/x', change: 'edited' },
    { path: 'b/x', change: 'edited' },
  ])
})

test('a copy in which nothing was changed is deleted when its member ends; others are kept until they are discarded', async () => {
  write(team.work, { a: 'a\n' })
  await team.start(1)
  write(await team.start(2), { a: 'b\n' })
  const discarding = team.copies.discard(team.member(2))
  await expect(discarding).rejects.toMatchObject({ reason_code: 'copy_in_use' })
  await team.end(1)
  await team.end(2)
  later = 400 * 24 * 3600 * 1000
  await team.copies.sweep()
  const list = team.copies.list()
  expect([
    list.map(({ state, files, copied_from }) => [state, files, copied_from]),
    list.every((copy) => Check(WorkspaceCopy, copy)),
  ]).toEqual([[['unmerged', 1, team.work]], true])
  expect(await team.copies.discard(team.member(2))).toBe(2)
  expect([team.copies.list(), team.copies.usedBytes(), readdirSync(join(team.home, 'copies'))]).toEqual([[], 0, []])
  await expect(team.copies.discard(team.member(2))).rejects.toMatchObject({ reason_code: 'copy_not_found' })
})

test('a copy with commits only is kept', async () => {
  write(team.work, { a: 'a\n', '.git/logs/HEAD': 'x\tcommit (initial): one\n' })
  const copy = await team.start(1)
  writeFileSync(join(copy, '.git/logs/HEAD'), 'x\tcommit (initial): one\ny\tcommit: two\n')
  await team.end(1)
  expect(team.copies.list().map(({ state }) => state)).toEqual(['unmerged'])
})

test('a merged copy is deleted a day after its merge', async () => {
  write(team.work, { a: 'a\n' })
  write(await team.start(1), { a: 'b\n' })
  await team.end(1)
  team.store.transaction(() => team.copies.merged(team.member(1)))
  later = 23 * 3600 * 1000
  await team.copies.sweep()
  expect(team.copies.list().map(({ state }) => state)).toEqual(['merged'])
  later = 24 * 3600 * 1000 + 1_000
  await team.copies.sweep()
  expect([team.copies.list(), readdirSync(join(team.home, 'copies'))]).toEqual([[], []])
})

test('a merged copy in which its member continues is not deleted with what it has changed since', async () => {
  write(team.work, { a: 'a\n' })
  const copy = await team.start(1)
  write(copy, { a: 'b\n' })
  await team.end(1)
  team.store.transaction(() => team.copies.merged(team.member(1)))
  await team.copies.ensure({ run_id: team.member(1), title: 'Ann', source: team.work }, signal)
  write(copy, { later: 'c\n' })
  await team.copies.ended(team.member(1))
  later = 400 * 24 * 3600 * 1000
  await team.copies.sweep()
  expect(team.copies.list().map(({ state, merged_at }) => ({ state, merged_at }))).toEqual([{ state: 'unmerged', merged_at: null }])
})

test('a merged copy in which its member changes nothing more is deleted: the folder has all of it', async () => {
  write(team.work, { a: 'a\n', old: 'o\n' })
  const copy = await team.start(1)
  write(copy, { a: 'b\n', added: 'c\n' })
  rmSync(join(copy, 'old'))
  await team.end(1)
  write(team.work, { a: 'b\n', added: 'c\n' })
  rmSync(join(team.work, 'old'))
  team.store.transaction(() => team.copies.merged(team.member(1)))
  await team.copies.ensure({ run_id: team.member(1), title: 'Ann', source: team.work }, signal)
  expect(await team.copies.unmerged([team.member(1)])).toEqual([])
  await team.copies.ended(team.member(1))
  expect([team.copies.list(), existsSync(copy)]).toEqual([[], false])
})

test('the quota rejects a new copy, and deletes none', async () => {
  team.close()
  team = openTestTeam({ clock, quota_bytes: 2_500 })
  write(team.work, { a: 'x'.repeat(1_000) })
  await team.start(1)
  await team.start(2)
  await expect(team.start(3)).rejects.toMatchObject({ reason_code: 'copy_quota_exceeded' })
  expect([team.copies.usedBytes(), readdirSync(join(team.home, 'copies')).sort()]).toEqual([2_000, [team.member(1), team.member(2)]])
})

test("Tandem's own folder is never copied", async () => {
  const source = team.folder
  write(team.work, { a: 'a\n' })
  const copy = await team.copies.ensure({ run_id: team.member(1), title: 'Ann', source }, signal)
  expect([readdirSync(copy), readFileSync(join(copy, 'work/a'), 'utf8')]).toEqual([['work'], 'a\n'])
})

test('a canceled copy, and one whose folder does not exist, leave nothing', async () => {
  write(team.work, { a: 'a\n' })
  const member = { run_id: team.member(1), title: 'Ann', source: team.work }
  await expect(team.copies.ensure(member, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled')
  await expect(team.copies.ensure({ ...member, source: join(team.folder, 'missing') }, signal)).rejects.toMatchObject({
    reason_code: 'source_missing',
  })
  await team.copies.sweep()
  expect([
    team.copies.folderOf(team.member(1)),
    existsSync(join(team.home, 'copies')) ? readdirSync(join(team.home, 'copies')) : [],
  ]).toEqual([null, []])
})

test('a sweep removes the remains of other processes, also below folders that are closed', async () => {
  write(team.home, { 'copies/gone.part/files/x/y': 'y\n' })
  chmodSync(join(team.home, 'copies/gone.part/files/x'), 0o000)
  await team.copies.sweep()
  expect(readdirSync(join(team.home, 'copies'))).toEqual([])
})

test('an id that leads out of the folder is refused', async () => {
  await expect(team.copies.ensure({ run_id: '../x', title: 'Ann', source: team.work }, signal)).rejects.toThrow('not the id of a run')
})
