import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { type JudgedCall, judge } from './judge.ts'

const workspace = '/srv/space'

function shell(command: string, over: Partial<JudgedCall> & { readonly cwd?: string } = {}): JudgedCall {
  const { cwd = '.', ...facts } = over
  return {
    tool: 'shell.exec',
    effects: [{ does: 'execute', command, cwd, language: 'shell' }],
    workspace,
    policy: defaultToolPolicy('shell.exec'),
    remembered: [],
    sandbox_mode: 'workspace',
    enforcement: 'os',
    ...facts,
  }
}

test('what a command redirects to lies where the command runs, not where the runtime does', async () => {
  expect(await judge(shell('echo x > out.txt', { cwd: 'sub' }))).toMatchObject({
    decision: 'ask',
    remembers: [
      { kind: 'command', words: ['echo'] },
      { kind: 'path', path: `${workspace}/sub/out.txt` },
    ],
    warnings: [],
  })
})

test.each([
  ['echo x > x.txt; sleep 1', {}, []],
  ['echo x > ../x.txt', {}, ['Writes /srv/x.txt.']],
  ['echo x > /etc/x', {}, ['Writes /etc/x.']],
  ['echo x > x.txt', { cwd: '/etc' }, ['Writes /etc/x.txt.']],
  ['cd sub && echo x > x.txt', {}, [`Writes ${workspace}/x.txt.`, 'Changes the folder it works in; what follows happens there.']],
])('%s: only what leads out of the workspace is warned of', async (command, place, warnings) => {
  expect(await judge(shell(command, place))).toMatchObject({ decision: 'ask', warnings })
})

test('a link in the workspace that leads out of it is warned of', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-judge-')))
  mkdirSync(join(folder, 'space'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'space', 'link'))
  const call = { ...shell('echo x > link'), workspace: join(folder, 'space') }
  expect(await judge(call)).toMatchObject({ decision: 'ask', warnings: [`Writes ${join(folder, 'space', 'link')}.`] })
  rmSync(folder, { recursive: true })
})

test('a yes to a reading command does not follow it out of the workspace', async () => {
  const remembered = [{ kind: 'command' as const, words: ['cat'] }]
  expect(await judge(shell('cat README.md', { remembered }))).toEqual({ decision: 'allow' })
  expect(await judge(shell('cat README.md', { remembered, cwd: 'sub' }))).toEqual({ decision: 'allow' })
  expect(await judge(shell('cat ~/.ssh/id_rsa', { remembered }))).toMatchObject({ decision: 'ask' })
  expect(await judge(shell('cat passwd', { remembered, cwd: '/etc' }))).toMatchObject({ decision: 'ask' })
})
