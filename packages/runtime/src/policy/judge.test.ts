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
    warnings: [`Writes ${workspace}/sub/out.txt.`],
  })
})

test('a yes to a reading command does not follow it out of the workspace', async () => {
  const remembered = [{ kind: 'command' as const, words: ['cat'] }]
  expect(await judge(shell('cat README.md', { remembered }))).toEqual({ decision: 'allow' })
  expect(await judge(shell('cat README.md', { remembered, cwd: 'sub' }))).toEqual({ decision: 'allow' })
  expect(await judge(shell('cat ~/.ssh/id_rsa', { remembered }))).toMatchObject({ decision: 'ask' })
  expect(await judge(shell('cat passwd', { remembered, cwd: '/etc' }))).toMatchObject({ decision: 'ask' })
})
