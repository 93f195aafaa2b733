import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandTargets } from '../checkpoint/command/command-targets.ts'
import { executedFilesOf } from './executed-files.ts'
import { resolvePaths } from './resolved-paths.ts'
import { parseCommand } from './shell/understand.ts'

let workspace: string
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-places-')))
  mkdirSync(join(workspace, '.git/hooks'), { recursive: true })
  mkdirSync(join(workspace, 'src'))
  writeFileSync(join(workspace, 'src/a.ts'), '')
  symlinkSync('.git/hooks', join(workspace, 'docs'))
  symlinkSync('.git/hooks/not-there-yet', join(workspace, 'dangling'))
  symlinkSync('loop', join(workspace, 'loop'))
})
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

const at = (path: string) => join(workspace, path)

test.each([
  ['src', { real: 'src', entry: 'src', folder: true }],
  ['src/a.ts', { real: 'src/a.ts', entry: 'src/a.ts', folder: false }],
  ['src/new/deep.ts', { real: 'src/new/deep.ts', entry: 'src/new/deep.ts', folder: false }],
  ['docs', { real: '.git/hooks', entry: 'docs', folder: false }],
  ['docs/pre-commit', { real: '.git/hooks/pre-commit', entry: '.git/hooks/pre-commit', folder: false }],
  ['dangling', { real: '.git/hooks/not-there-yet', entry: 'dangling', folder: false }],
  ['loop', { real: 'loop', entry: 'loop', folder: false }],
])('%s is %j', async (path, { real, entry, folder }) => {
  const places = await resolvePaths({ effects: [{ does: 'write', path }], workspace, command: null })
  expect([...places]).toEqual([[at(path), { real: at(real), entry: at(entry), folder }]])
})

test.each([
  ['echo x > dangling', ['.git/hooks/not-there-yet']],
  ['cp evil docs/pre-commit', ['.git/hooks/pre-commit']],
  ['tee --output-error=x docs', ['.git/hooks']],
  ['cp a b', []],
  ['cp conftest.py src', ['src/conftest.py']],
  ['cp conftest.py new', []],
  ['cp src/a.ts conftest.py', ['conftest.py']],
  ['cp evil docs', ['.git/hooks', '.git/hooks/evil']],
  ['cat docs/pre-commit', []],
])('%s writes %j, which other programs run', async (text, powers) => {
  const targets = new Map([[text, commandTargets(text, workspace).targets]])
  const call = { effects: [], workspace, command: await parseCommand(text, workspace), targets }
  expect(executedFilesOf({ ...call, places: await resolvePaths(call) }).map(({ real }) => real)).toEqual(powers.map(at))
})

test('~ in a word is the home folder', async () => {
  const command = await parseCommand('cp evil ~/.bashrc', workspace)
  expect(executedFilesOf({ effects: [], workspace, command }).map(({ path }) => path)).toEqual([join(homedir(), '.bashrc')])
})
