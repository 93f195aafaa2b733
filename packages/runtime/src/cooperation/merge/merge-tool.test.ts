import { spawnSync } from 'node:child_process'
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
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { CallPreview } from '@tandem/contract/run/schema'
import { AgentMergeOutput } from '@tandem/contract/tool/output'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { difference, manifestOf } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { openTestTeam, type TestTeam } from '../../../test/support/cooperation/test-team.ts'

let team: TestTeam
beforeEach(() => {
  team = openTestTeam()
})
afterEach(() => team.close())

const write = (folder: string, files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
const read = (path: string) => readFileSync(join(team.work, path), 'utf8')
const leftovers = (folder: string) => readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.tandem'))
const same = { missing: [], surplus: [] }

async function preview(numbers: readonly number[]) {
  const input = { run_ids: numbers.map(team.member) }
  await team.merging.tool.effects(input as never, { workspace: team.work })
  const shown = await team.merging.tool.preview?.(input as never, team.context())
  expect(Check(CallPreview, shown)).toBe(true)
  return shown as Extract<CallPreview, { kind: 'merge' }>
}

test('edits, new files, deletions, renames, permissions and links of a member are merged, and a restore undoes them', async () => {
  write(team.work, { 'a.txt': 'one\n', 'b.txt': 'two\n', 'old/c.txt': 'three\n', 'run.sh': 'echo\n', 'same.txt': 'same\n' })
  const before = manifestOf(team.work)
  const copy = await team.start(1, 'Ann')
  write(copy, { 'a.txt': 'one and more\n', 'new/deep/d.txt': 'new\n' })
  rmSync(join(copy, 'b.txt'))
  renameSync(join(copy, 'old/c.txt'), join(copy, 'moved.txt'))
  rmSync(join(copy, 'old'), { recursive: true })
  chmodSync(join(copy, 'run.sh'), 0o755)
  symlinkSync('a.txt', join(copy, 'link'))
  await team.end(1)
  expect((await preview([1])).files.map(({ path, change, from }) => [path, change, from])).toEqual([
    ['a.txt', 'edited', null],
    ['b.txt', 'deleted', null],
    ['link', 'added', null],
    ['moved.txt', 'renamed', 'old/c.txt'],
    ['new/deep/d.txt', 'added', null],
    ['run.sh', 'mode', null],
  ])
  const output = await team.merge([1])
  expect(Check(AgentMergeOutput, output)).toBe(true)
  expect([output.changed.length, output.conflicts_resolved, output.notes]).toEqual([6, 0, []])
  expect([read('a.txt'), read('new/deep/d.txt'), read('moved.txt'), readlinkSync(join(team.work, 'link'))]).toEqual([
    'one and more\n',
    'new\n',
    'three\n',
    'a.txt',
  ])
  expect([
    existsSync(join(team.work, 'b.txt')),
    existsSync(join(team.work, 'old')),
    lstatSync(join(team.work, 'run.sh')).mode & 0o777,
  ]).toEqual([false, false, 0o755])
  expect(leftovers(team.work)).toEqual([])
  expect(difference(manifestOf(copy), manifestOf(team.work))).toEqual(same)
  expect(
    team.journal
      .steps(team.run_id)
      .map(({ step }) => step)
      .filter(({ kind }) => kind === 'merge.applied'),
  ).toMatchObject([{ child_run_id: team.member(1), changed_paths: 6, conflicts: 0, call_id: 'call' }])
  expect(team.copies.list().map(({ state }) => state)).toEqual(['merged'])
  const [point] = team.checkpoints.list(team.run_id, null, {}).items
  const cursor = (await import('../../../test/support/checkpoint/test-checkpoints.ts')).cursorAt(2, team.work, team.run_id)
  expect((await team.checkpoints.restore(String(point?.checkpoint_id), 'stop', cursor)).outcome).toBe('restored')
  expect(difference(before, manifestOf(team.work))).toEqual(same)
  // The copy still exists: it can be merged again.
  expect((await team.merge([1])).changed.length).toBe(6)
})

test('changes of the folder since the copy was made stay, and are merged line by line', async () => {
  write(team.work, { a: '1\n2\n3\n4\n5\n', mine: 'old\n', moved: 'content\n' })
  const copy = await team.start(1)
  write(copy, { a: '1\n2\n3\n4\nFIVE\n', moved: 'content\n2\n' })
  await team.end(1)
  // The first version of `a` is only known from a checkpoint.
  const planned = await team.checkpoints.plan({
    call_id: 'c',
    tool: 'fs.write',
    effects: [{ does: 'write', path: 'a' }],
    workspace: team.work,
  })
  const cursor = (await import('../../../test/support/checkpoint/test-checkpoints.ts')).cursorAt(1, team.work, team.run_id)
  if (planned.outcome === 'planned' && planned.plan) await team.checkpoints.take(planned.plan, cursor)
  write(team.work, { a: 'ONE\n2\n3\n4\n5\n', mine: 'new\n' })
  renameSync(join(team.work, 'moved'), join(team.work, 'elsewhere'))
  const output = await team.merge([1])
  expect(output.changed.map(({ path }) => path)).toEqual(['a', 'elsewhere'])
  expect([read('a'), read('mine'), read('elsewhere'), existsSync(join(team.work, 'moved'))]).toEqual([
    'ONE\n2\n3\n4\nFIVE\n',
    'new\n',
    'content\n2\n',
    false,
  ])
})

test('a first version that is not known is a conflict, not a guess', async () => {
  write(team.work, { a: '1\n2\n3\n' })
  write(await team.start(1, 'Ann'), { a: '1\n2\n3\nmember\n' })
  await team.end(1)
  write(team.work, { a: 'mine\n2\n3\n' })
  await expect(team.merge([1])).rejects.toMatchObject({
    reason_code: 'merge_conflicts',
    facts: { output: { conflicts: [{ conflict_id: 'a#1', kind: 'content' }] } },
  })
  expect(read('a')).toBe('mine\n2\n3\n')
})

test('conflicts are shown first, hunk by hunk with their authors, and nothing is written until all are resolved', async () => {
  write(team.work, { a: '1\n2\n3\n4\n5\n6\n7\n', b: 'b\n' })
  const [first, second] = [await team.start(1, 'Ann'), await team.start(2, 'Bob')]
  write(first, { a: 'A\n2\n3\n4\n5\n6\nA\n', b: 'b by Ann\n' })
  write(second, { a: 'B\n2\n3\nB\n5\n6\nB\n' })
  await team.end(1)
  await team.end(2)
  const shown = await preview([1, 2])
  expect([shown.open_conflicts, shown.files.map(({ path }) => path)]).toEqual([2, ['a', 'b']])
  expect(shown.files[0]?.conflicts).toMatchObject([
    {
      conflict_id: 'a#1',
      kind: 'lines',
      line: 1,
      current: { author: 'Ann', text: 'A\n' },
      member: { author: 'Bob', text: 'B\n' },
      base: { text: '1\n' },
    },
    { conflict_id: 'a#2', kind: 'lines', line: 7, current: { author: 'Ann', text: 'A\n' }, member: { author: 'Bob', text: 'B\n' } },
  ])
  await expect(team.merge([1, 2])).rejects.toMatchObject({ reason_code: 'merge_conflicts' })
  await expect(team.merge([1, 2], [{ conflict_id: 'a#1', use: 'member' }])).rejects.toMatchObject({ reason_code: 'merge_conflicts' })
  expect([read('a'), read('b')]).toEqual(['1\n2\n3\n4\n5\n6\n7\n', 'b\n'])
  await expect(team.merge([1, 2], [{ conflict_id: 'x#1', use: 'member' }])).rejects.toMatchObject({ reason_code: 'resolution_unknown' })
  const output = await team.merge(
    [1, 2],
    [
      { conflict_id: 'a#1', use: 'both' },
      { conflict_id: 'a#2', use: 'text', text: 'C\n' },
    ],
  )
  expect([output.conflicts_resolved, read('a'), read('b')]).toEqual([2, 'A\nB\n2\n3\nB\n5\n6\nC\n', 'b by Ann\n'])
})

test('merged one after another, the second member is compared with the first version, which its checkpoint has', async () => {
  write(team.work, { a: '1\n2\n3\n4\n5\n' })
  const [first, second] = [await team.start(1, 'Ann'), await team.start(2, 'Bob')]
  write(first, { a: 'A\n2\n3\n4\n5\n' })
  write(second, { a: 'B\n2\n3\n4\nB\n' })
  await team.end(1)
  await team.end(2)
  await team.merge([1])
  const shown = await preview([2])
  expect(shown.files[0]?.conflicts).toMatchObject([
    { kind: 'lines', current: { author: 'Ann', text: 'A\n' }, member: { author: 'Bob', text: 'B\n' } },
  ])
  await team.merge([2], [{ conflict_id: 'a#1', use: 'current' }])
  expect(read('a')).toBe('A\n2\n3\n4\nB\n')
})

test.each([
  ['a file that is merged', () => write(team.work, { a: 'mine\n' })],
  ['a path that is created', () => write(team.work, { 'new/x': 'mine\n' })],
  ['the work of a member', () => write(String(team.copies.folderOf(team.member(1))), { a: 'later\n' })],
  ['a link in place of a folder', () => symlinkSync('/tmp', join(team.work, 'new'))],
])('nothing is written if something changed after the approval: %s', async (_what, change) => {
  write(team.work, { a: 'a\n' })
  write(await team.start(1), { a: 'member\n', 'new/x': 'x\n' })
  await team.end(1)
  let after = manifestOf(team.work)
  const merging = team.merge([1], undefined, () => {
    change()
    after = manifestOf(team.work)
  })
  await expect(merging).rejects.toMatchObject({ reason_code: expect.stringMatching(/merge_outdated|merge_conflicts|changed_since_read/) })
  expect(difference(after, manifestOf(team.work))).toEqual(same)
  expect(team.copies.list()[0]?.state).toBe('unmerged')
})

test('a hostile member: links, repositories, special files and names have no effect outside and are reported', async () => {
  const outside = join(team.folder, 'outside')
  write(outside, { secret: 'secret\n' })
  write(team.work, { a: 'a\n', '.git/config': '[core]\n', '.git/logs/HEAD': 'one\tcommit: before\n' })
  symlinkSync(outside, join(team.work, 'way'))
  const copy = await team.start(1, 'Eve')
  rmSync(join(copy, 'way'))
  write(copy, {
    'way/evil': 'evil\n',
    '.git/hooks/pre-commit': '#!/bin/sh\n',
    '.GIT/hooks/x': 'x',
    'sub/.git/config': '[core]\n',
    'ok.txt': 'ok\n',
    'bad\nname': 'x',
    'bad\u202ename': 'x',
  })
  write(copy, { '.git/logs/HEAD': 'one\tcommit: before\ntwo\tcommit: Fix \u001b[31mall\n' })
  symlinkSync('/etc/passwd', join(copy, 'absolute'))
  symlinkSync('../outside/secret', join(copy, 'relative'))
  symlinkSync('.git/hooks/pre-commit', join(copy, 'hook'))
  rmSync(join(copy, 'a'))
  symlinkSync(join(outside, 'secret'), join(copy, 'a'))
  spawnSync('mkfifo', [join(copy, 'pipe')])
  await team.end(1)
  const before = manifestOf(outside)
  const shown = await preview([1])
  expect(shown.files.map(({ path, change }) => [path, change])).toEqual([
    ['ok.txt', 'added'],
    ['way', 'deleted'],
    ['way/evil', 'added'],
  ])
  expect(shown.notes).toEqual([
    `a is not merged: it is a link to ${join(outside, 'secret')}, outside the folder.`,
    'absolute is not merged: it is a link to /etc/passwd, outside the folder.',
    expect.stringContaining('bad'),
    expect.stringContaining('bad'),
    'hook is not merged: it is a link into a repository.',
    'relative is not merged: it is a link to ../outside/secret, outside the folder.',
    'pipe is not merged: it is a pipe, a socket or a device.',
    expect.stringMatching(/^Eve made 1 commit \(Fix .*all\)\. Only files are merged/),
  ])
  expect(shown.notes.join('').includes('\u001b')).toBe(false)
  await team.merge([1])
  expect([readdirSync(join(team.work, '.git')).sort(), read('a'), read('way/evil')]).toEqual([['config', 'logs'], 'a\n', 'evil\n'])
  expect(lstatSync(join(team.work, 'way')).isDirectory()).toBe(true)
  expect(difference(before, manifestOf(outside))).toEqual(same)
})

test('a name that is not text is reported and never lost', async () => {
  const at = (folder: string, ...names: string[]) => Buffer.from([folder, ...names].join('/'), 'latin1')
  mkdirSync(at(team.work, 'f\xfcr'))
  for (const names of [['caf\xe9'], ['f\xfcr', 'a']]) writeFileSync(at(team.work, ...names), 'before')
  const unchanged = await team.start(1, 'Ann')
  expect(existsSync(at(unchanged, 'f\xfcr', 'a'))).toBe(true)
  await team.end(1)
  const copy = await team.start(2, 'Ben')
  for (const names of [['caf\xe9'], ['f\xfcr', 'a']]) writeFileSync(at(copy, ...names), 'after')
  await team.end(2)
  // The first changed nothing, and the second has a copy that someone can look into.
  expect(team.copies.list().map(({ run_id }) => run_id)).toEqual([team.member(2)])
  expect((await team.merge([2])).notes).toEqual([
    'caf\ufffd is not merged: its name contains characters that cannot be shown.',
    'f\ufffdr/a is not merged: its name contains characters that cannot be shown.',
  ])
  expect(readFileSync(at(team.work, 'caf\xe9'), 'utf8')).toBe('before')
})

test('an own text is only offered where the whole text is shown', async () => {
  write(team.work, { small: 'a\n' })
  const copy = await team.start(1, 'Ann')
  write(copy, { large: `${'theirs\n'.repeat(5_000)}`, small: 'b\n' })
  write(team.work, { large: `${'ours\n'.repeat(5_000)}`, small: 'c\n' })
  await team.end(1)
  const { files } = await preview([1])
  expect(files.flatMap(({ conflicts }) => conflicts.map(({ conflict_id, choices }) => [conflict_id, choices]))).toEqual([
    ['large#1', ['current', 'member', 'both']],
    ['small#1', ['current', 'member', 'both', 'text']],
  ])
})

test('what .gitignore excludes as a folder is not merged, and a file that it excludes is', async () => {
  write(team.work, { '.gitignore': 'node_modules/\ndist/\n.env\n', 'node_modules/a/index.js': 'a\n' })
  write(await team.start(1, 'Ann'), {
    'node_modules/a/index.js': 'b\n',
    'node_modules/b/index.js': 'b\n',
    'sub/dist/x': 'x\n',
    '.env': 'KEY=1\n',
  })
  await team.end(1)
  const output = await team.merge([1])
  expect([output.changed.map(({ path }) => path), output.notes]).toEqual([
    ['.env'],
    ['3 changed files of Ann in folders that .gitignore excludes are not merged.'],
  ])
})

test('only members of this run that have ended can be merged', async () => {
  write(team.work, { a: 'a\n' })
  write(await team.start(1), { a: 'b\n' })
  await expect(team.merge([1])).rejects.toMatchObject({ reason_code: 'member_not_ended' })
  await expect(team.merge([7])).rejects.toMatchObject({ reason_code: 'member_not_found' })
  await team.end(1)
  const input = { run_ids: [team.member(1)] }
  await team.merging.tool.effects(input as never, { workspace: team.work })
  const digest = await team.merging.tool.digest?.(input as never, { workspace: team.work })
  const context = team.context(digest)
  const other = { ...context, ids: { ...context.ids, run_id: team.member(9) } }
  await expect(team.merging.tool.run(input as never, other)).rejects.toMatchObject({ reason_code: 'member_not_found' })
  expect(read('a')).toBe('a\n')
})

test('a path outside the file scope of the tool, or protected and not approved, is refused', async () => {
  write(team.work, { 'src/a': 'a\n' })
  write(await team.start(1), { 'src/a': 'b\n', 'docs/b': 'b\n' })
  await team.end(1)
  const input = { run_ids: [team.member(1)] }
  await team.merging.tool.effects(input as never, { workspace: team.work })
  const context = team.context(await team.merging.tool.digest?.(input as never, { workspace: team.work }))
  const narrow = { ...context, files: { ...context.files, permits: async (real: string) => real.includes('/src/') } }
  await expect(team.merging.tool.run(input as never, narrow)).rejects.toMatchObject({ reason_code: 'path_out_of_scope' })
  const unseen = { ...context, isUnapprovedProtectedPath: (real: string) => real.endsWith('docs/b') }
  await expect(team.merging.tool.run(input as never, unseen)).rejects.toMatchObject({ reason_code: 'merge_outdated' })
  expect([read('src/a'), existsSync(join(team.work, 'docs'))]).toEqual(['a\n', false])
})

test('a file becomes a folder, and a folder a file', async () => {
  write(team.work, { 'a/b/c': 'c\n', 'a/d': 'd\n', e: 'e\n' })
  const copy = await team.start(1)
  for (const name of ['a', 'e']) rmSync(join(copy, name), { recursive: true })
  write(copy, { a: 'now a file\n', 'e/f/g': 'now a folder\n' })
  await team.end(1)
  await team.merge([1])
  expect(difference(manifestOf(copy), manifestOf(team.work))).toEqual(same)
})

test('effects name exactly the paths that are written and deleted', async () => {
  write(team.work, { a: 'a\n', b: 'b\n' })
  const copy = await team.start(1)
  write(copy, { a: 'c\n', 'x/y': 'y\n' })
  rmSync(join(copy, 'b'))
  await team.end(1)
  expect(await team.merging.tool.effects({ run_ids: [team.member(1)] } as never, { workspace: team.work })).toEqual([
    { does: 'write', path: 'a' },
    { does: 'delete', path: 'b' },
    { does: 'write', path: 'x/y' },
  ])
})

test('a folder of 5,000 files, with six members of whom two change the same file', async () => {
  for (let at = 0; at < 5_000; at += 1) write(team.work, { [`d${at % 50}/f${at}`]: `line 1 of ${at}\nline 2\nline 3\n` })
  for (let number = 1; number <= 6; number += 1) {
    const copy = await team.start(number)
    for (let at = 0; at < 10; at += 1) write(copy, { [`d${number}/f${number + 50 * at}`]: `member ${number}\nline 2\nline 3\n` })
    if (number > 4) write(copy, { 'd0/f0': number === 5 ? 'line 1 of 0\nline 2\nfive\n' : 'six\nline 2\nline 3\n' })
    await team.end(number)
  }
  const output = await team.merge([1, 2, 3, 4, 5, 6])
  expect([output.changed.length, output.changed[0]]).toEqual([
    61,
    { path: 'd0/f0', change: 'edited', from: null, authors: ['Member 5', 'Member 6'] },
  ])
  expect([read('d0/f0'), read('d3/f53'), leftovers(team.work)]).toEqual(['six\nline 2\nfive\n', 'member 3\nline 2\nline 3\n', []])
})
