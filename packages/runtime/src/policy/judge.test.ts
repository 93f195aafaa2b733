import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { expect, onTestFinished, test } from 'vitest'
import { commandTargets } from '../checkpoint/command/command-targets.ts'
import { type DecidableCall, decideCall as judgeWith } from './decider.ts'

const workspace = '/srv/space'
const unchanged = { among: () => [], isApproved: () => false }
const judge = (call: DecidableCall) =>
  judgeWith(call, { changes: unchanged, targetsOf: (command, cwd) => commandTargets(command, cwd).targets })

function shell(command: string, over: Partial<DecidableCall> & { readonly cwd?: string } = {}): DecidableCall {
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

test('a redirect of a command is relative to the folder of the command, not of the runtime', async () => {
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
  ['echo x > ../x.txt', {}, ['Writes /srv/x.txt, outside the workspace.']],
  ['echo x > /etc/x', {}, ['Writes /etc/x, outside the workspace.']],
  ['echo x > x.txt', { cwd: '/etc' }, ['Writes /etc/x.txt, outside the workspace.']],
  ['cd sub && echo x > x.txt', {}, ['Changes the working folder for the commands that follow.']],
])('%s: only paths outside the workspace have a warning', async (command, place, warnings) => {
  expect(await judge(shell(command, place))).toMatchObject({ decision: 'ask', warnings })
})

test.each([
  ['grep root -- -a', ['Reads ./-a, outside the workspace.']],
  ['grep root -- -*', ['Reads ./-*, outside the workspace.']],
  ['git diff -- -a', ['Uses ./-a, outside the workspace.']],
  ['diff one two', ['Reads one, outside the workspace.']],
  ['diff README.md one', ['Reads one, outside the workspace.']],
  ['diff two two/x', []],
])('%s: %j, for links that lead out of the workspace', async (command, warnings) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-judge-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['one', 'two']) mkdirSync(join(folder, name))
  symlinkSync('/etc/hostname', join(folder, 'one/x'))
  symlinkSync('x', join(folder, 'two/y'))
  symlinkSync('/etc/hostname', join(folder, '-a'))
  expect(await judge({ ...shell(command), workspace: folder })).toMatchObject({ decision: 'ask', warnings })
})

test('a link in the workspace that leads out of it has a warning', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-judge-')))
  mkdirSync(join(folder, 'space'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'space', 'link'))
  const call = { ...shell('echo x > link'), workspace: join(folder, 'space') }
  expect(await judge(call)).toMatchObject({
    decision: 'ask',
    warnings: [`Writes ${join(folder, 'space', 'link')}, outside the workspace.`],
  })
  rmSync(folder, { recursive: true })
})

test('the approval of a reading command does not cover it outside the workspace', async () => {
  const remembered = [{ kind: 'command' as const, words: ['cat'] }]
  const allowed = { decision: 'allow', covered_by: remembered }
  expect(await judge(shell('cat README.md', { remembered }))).toEqual(allowed)
  expect(await judge(shell('cat README.md', { remembered, cwd: 'sub' }))).toEqual(allowed)
  expect(await judge(shell('cat ~/.ssh/id_rsa', { remembered }))).toMatchObject({ decision: 'ask' })
  expect(await judge(shell('cat passwd', { remembered, cwd: '/etc' }))).toMatchObject({ decision: 'ask' })
})

test('reads that a link or a pattern leads out of the workspace need approval', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-judge-')))
  const space = join(folder, 'space')
  for (const name of ['src', 'dir/deep', 'plain']) mkdirSync(join(space, name), { recursive: true })
  writeFileSync(join(folder, 'secret'), '')
  writeFileSync(join(space, 'src', 'a.ts'), '')
  symlinkSync(join(folder, 'secret'), join(space, 'dir', 'shadow'))
  symlinkSync(folder, join(space, 'dir', 'deep', 'up'))
  symlinkSync('a.ts', join(space, 'src', 'b.ts'))
  const remembered = ['cat', 'ls', 'grep', 'rg', 'find', 'jq'].map((word) => ({ kind: 'command' as const, words: [word] }))
  const decided = async (command: string) => (await judge({ ...shell(command, { remembered }), workspace: space })).decision
  const asked = [
    'cat dir/s*',
    'cat dir/[s]hadow',
    'ls dir/*/up',
    'cat dir/deep/*/secret',
    'cat d*/s*',
    'cat dir/shadow',
    'cat src/*/../../../secret',
  ]
  const links = [
    'grep -R x .',
    'grep -rR x dir',
    'rg -L x',
    'rg --follow x',
    'find -L . -name x',
    'jq \'import "../secret" as x; x\' src/a.ts',
  ]
  for (const command of [...asked, ...links]) expect([command, await decided(command)]).toEqual([command, 'ask'])
  for (const command of ['cat src/*.ts', 'ls plain/*', 'grep -r x dir', 'find . -name x', 'jq . src/a.ts', 'rg x src/*'])
    expect([command, await decided(command)]).toEqual([command, 'allow'])
  expect(await judge({ ...shell('cat dir/s*'), workspace: space })).toMatchObject({
    choices: ['once', 'no'],
    warnings: ['Reads dir/s*, outside the workspace.'],
  })
  rmSync(folder, { recursive: true })
})

test('invisible characters are shown, and have a warning', async () => {
  const policy = defaultToolPolicy('fs.write')
  const call = (path: string): DecidableCall => ({ ...shell('ls'), tool: 'fs.write', policy, effects: [{ does: 'write', path }] })
  expect(await judge(call('notes\u2800.md'))).toMatchObject({
    warnings: ['notes⟨U+2800⟩.md contains an invisible character.'],
    remembers: [],
  })
  expect(await judge(call('notes\ufe0f.md'))).toMatchObject({ warnings: ['notes⟨U+FE0F⟩.md contains an invisible character.'] })
  expect(await judge(call('notes.md'))).toMatchObject({ warnings: [] })
})

test.each([
  ['touch -d @1700000000 a.txt', []],
  ['cp .npmrc backup', []],
  ['grep -o .envrc a.txt', []],
  ['cp evil conftest.py', ['conftest.py']],
  ['mv conftest.py old.py', ['conftest.py']],
  ['touch .envrc', ['.envrc']],
  ['echo x > .pre-commit-config.yaml', ['.pre-commit-config.yaml']],
  ['tee .devcontainer/devcontainer.json', ['.devcontainer/devcontainer.json']],
  ['python3 make.py GEMINI.md', ['GEMINI.md']],
])('%s writes %j, which other programs run', async (command, paths) => {
  const decision = await judge(shell(command))
  const warnings = decision.decision === 'ask' ? decision.warnings : []
  const expected = paths.map((path) => `Other programs read or run ${workspace}/${path} automatically: changing it changes what they do.`)
  expect(warnings.filter((text) => text.startsWith('Other programs'))).toEqual(expected)
})
