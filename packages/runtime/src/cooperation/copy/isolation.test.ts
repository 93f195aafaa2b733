// A run that works in a copy: its tools and commands can use the copy, and nothing else in Tandem's own folder.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultToolPolicy, type SandboxMode } from '@tandem/contract/tool'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cursorAt, difference, manifestOf } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { openTestTeam, type TestTeam } from '../../../test/support/cooperation/test-team.ts'
import { runText } from '../../../test/support/sandbox/command/test-command-scope.ts'
import type { CallScope } from '../../call/scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { protectedPathNames } from '../../policy/executed-files.ts'
import { type CommandSandbox, openCommandSandbox } from '../../sandbox/command/sandbox.ts'
import { openFiles } from '../../sandbox/files/scoped-files.ts'

let team: TestTeam
let sandbox: CommandSandbox
let copy: string
let other: string
let temp: string

beforeAll(async () => {
  team = openTestTeam()
  writeFileSync(join(team.work, 'a'), 'original\n')
  mkdirSync(join(team.work, '.git'))
  writeFileSync(join(team.work, '.git/config'), '[core]\n')
  symlinkSync(join(team.work, 'a'), join(team.work, 'absolute'))
  symlinkSync(team.work, join(team.work, 'folder'))
  copy = await team.start(1)
  other = await team.start(2)
  temp = join(team.folder, 'run-temp')
  mkdirSync(temp)
  sandbox = openCommandSandbox({ clock: systemClock, home: team.home, temp: join(team.folder, 'self-test'), frozen: protectedPathNames })
})
afterAll(async () => {
  await sandbox.stop()
  team.close()
})

function scope(sandbox_mode: SandboxMode, roots: readonly string[] = ['.']): CallScope {
  const policy = { ...defaultToolPolicy('shell.exec'), network_scope: { hosts: [] }, fs_scope: { roots: [...roots], globs: ['**'] } }
  const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id: team.member(1), call_id: 'call' }
  return { ids, tool: 'shell.exec', workspace: copy, temp, home: team.home, policy, sandbox_mode, report: () => undefined }
}

test.each(['workspace', 'strict', 'trusted'] as const)('file tools in mode %s', async (mode) => {
  // Even if the policy names everything.
  const files = openFiles(scope(mode, ['.', '/']))
  await files.replace(`new-${mode}`, Buffer.from('new\n'))
  expect(readFileSync(join(copy, `new-${mode}`), 'utf8')).toBe('new\n')
  for (const path of [join(other, 'a'), join(team.home, 'tandem.db'), join(copy, '../base.json'), '../../x', join(team.home, 'copies')])
    await expect(files.locate(path, 'read')).rejects.toMatchObject({ reason_code: 'path_forbidden' })
  for (const path of [join(other, 'a'), join(team.home, 'x'), join(copy, '../base.json')])
    await expect(files.replace(path, Buffer.from('x'))).rejects.toMatchObject({ reason_code: 'path_forbidden' })
})

test.each(['workspace', 'strict'] as const)(
  'a link into the original folder is not a way to write there: file tools in mode %s',
  async (mode) => {
    const files = openFiles(scope(mode, ['.', '/']))
    for (const path of ['absolute', 'folder/new'])
      await expect(files.replace(path, Buffer.from('x'))).rejects.toMatchObject({ reason_code: 'outside_workspace' })
    expect([readFileSync(join(team.work, 'a'), 'utf8'), existsSync(join(team.work, 'new'))]).toEqual(['original\n', false])
  },
)

test.each(['workspace', 'strict'] as const)('commands in mode %s', async (mode) => {
  const said = await runText(
    sandbox.runner(scope(mode)),
    [
      `pwd; echo here > by-${mode}; cat by-${mode}`,
      `cat ${other}/a ${team.home}/tandem.db ../base.json; ls -A ${team.home} ${team.home}/copies ..`,
      `echo x > ${other}/a; echo x > ../x; echo x > ${team.home}/x; echo x > absolute; echo x > folder/new; echo x >> .git/config`,
    ].join('\n'),
    copy,
  )
  expect(said.stdout.split('\n').slice(0, 2)).toEqual([copy, 'here'])
  // Of Tandem's folder, only the way to the copy can be seen.
  expect(said.stdout).not.toContain(team.member(2))
  expect(said.stdout).not.toContain('tandem.db')
  expect(said.stdout).not.toContain('original')
  expect([
    readFileSync(join(other, 'a'), 'utf8'),
    readFileSync(join(team.work, 'a'), 'utf8'),
    readFileSync(join(copy, '.git/config'), 'utf8'),
  ]).toEqual(['original\n', 'original\n', '[core]\n'])
  expect([join(copy, '../x'), join(team.home, 'x'), join(team.work, 'new')].filter((path) => existsSync(path))).toEqual([])
})

test('checkpoints of a run in a copy are taken and restored', async () => {
  const before = manifestOf(copy)
  const planned = await team.checkpoints.plan({
    call_id: 'c',
    tool: 'shell.exec',
    effects: [{ does: 'execute', command: 'true', cwd: copy, language: 'shell' }],
    workspace: copy,
  })
  if (planned.outcome !== 'planned' || !planned.plan) throw new Error(JSON.stringify(planned))
  expect([planned.plan.kind, planned.plan.unprotected.map(({ cause }) => cause)]).toEqual(['filesystem_snapshot', ['outside']])
  const taken = await team.checkpoints.take(planned.plan, cursorAt(1, copy, team.member(1)))
  if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
  writeFileSync(join(copy, 'a'), 'changed\n')
  await team.checkpoints.settle(taken.checkpoint.checkpoint_id)
  expect(await team.checkpoints.savedContent(team.member(1), { path: join(copy, 'a'), size: 9, mtime: manifestTime() })).toEqual(
    Buffer.from('original\n'),
  )
  expect((await team.checkpoints.restore(taken.checkpoint.checkpoint_id, 'stop', cursorAt(2, copy, team.member(1)))).outcome).toBe(
    'restored',
  )
  expect(difference(before, manifestOf(copy))).toEqual({ missing: [], surplus: [] })
})

function manifestTime(): number {
  const facts = team.copies.base(team.member(1))?.entries.get('a')
  return facts?.kind === 'file' ? facts.mtime : 0
}
