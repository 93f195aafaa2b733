// With real git and both backends of the real sandbox: what git executes or follows cannot be planted, and git works.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CommandTestEnvironment,
  createCommandTestEnvironment,
  runText,
} from '../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { protectedPathNames } from '../../policy/executed-files.ts'
import { bubblewrapBackend } from './bubblewrap-backend.ts'
import { type CommandSandbox, openCommandSandbox } from './sandbox.ts'

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

describe.each(['sandbox-runtime', 'bubblewrap'] as const)('%s', (backend) => {
  let ground: CommandTestEnvironment
  let sandbox: CommandSandbox

  beforeAll(() => {
    ground = createCommandTestEnvironment()
    const plain = async () => ({ backend: bubblewrapBackend(), missing: '' })
    sandbox = openCommandSandbox({
      clock: systemClock,
      home: ground.home,
      temp: join(ground.root, 'self-test'),
      frozen: protectedPathNames,
      ...(backend === 'bubblewrap' ? { choose: plain } : {}),
    })
  })
  afterAll(async () => {
    await sandbox.stop()
    ground.remove()
  })

  const at = (...names: string[]) => join(ground.workspace, ...names)
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env: { ...process.env, ...person }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const run = (text: string, cwd = ground.workspace) => runText(sandbox.runner(ground.scope()), text, cwd, { env: person })

  function makeRepository(folder: string): void {
    mkdirSync(folder, { recursive: true })
    git(folder, 'init', '-q', '-b', 'main')
    writeFileSync(join(folder, 'file'), 'one\n')
    git(folder, 'add', 'file')
    git(folder, 'commit', '-qm', 'one')
  }

  beforeEach(() => makeRepository(ground.workspace))
  afterEach(() => {
    for (const name of readdirSync(ground.workspace)) rmSync(at(name), { recursive: true, force: true })
  })

  test('the expected backend is used', async () => {
    expect(await sandbox.selfTest()).toMatchObject({ state: 'enforced', backend })
  })

  test('what git follows can be neither changed nor created, in the repository and in a nested one', async () => {
    const deep = at('a', 'b', 'c', 'deep')
    makeRepository(deep)
    for (const folder of [ground.workspace, deep]) rmSync(join(folder, '.git', 'info'), { recursive: true })
    rmSync(join(deep, '.git', 'hooks'), { recursive: true })
    const plant = (folder: string) => `
      cd ${folder}/.git
      echo ../evil > commondir
      echo '[core] fsmonitor = evil' >> config
      rm -rf hooks; mkdir -p hooks; echo evil > hooks/pre-commit
      mkdir -p info; echo '* filter=evil' > info/attributes
      mkdir -p modules/sub; echo evil > modules/sub/config
      echo /evil > objects/info/alternates
      mv config config.old; mv hooks hooks.old; cp HEAD commondir; ln -sf HEAD commondir; ln -s HEAD info/grafts
    `
    const before = [ground.workspace, deep].map(contentOf)
    await run(`${plant(ground.workspace)}\n${plant(deep)}\ntrue`)
    expect([ground.workspace, deep].map(contentOf)).toEqual(before)
    // Nothing new exists there, and git works outside.
    expect(existsSync(join(deep, '.git', 'commondir'))).toBe(false)
    expect(git(deep, 'status', '--short')).toBe('')
  })

  test('its parent folders cannot be moved away and recreated', async () => {
    makeRepository(at('a', 'nested'))
    await run(
      'mv .git .was; mkdir .git; echo evil > .git/config; mv a/nested a/was; mkdir -p a/nested/.git; echo evil > a/nested/.git/config; mv a was; mkdir -p a/nested/.git; echo evil > a/nested/.git/config; true',
    )
    expect([at('.git', 'config'), at('a', 'nested', '.git', 'config')].map((file) => readFileSync(file, 'utf8').includes('evil'))).toEqual([
      false,
      false,
    ])
  })

  test('a submodule, a linked worktree, its .git file, and hooks and config files that the config refers to are protected as well', async () => {
    makeRepository(join(ground.outside, backend))
    git(ground.workspace, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(ground.outside, backend), 'sub')
    git(ground.workspace, 'worktree', 'add', '-q', at('tree'), '-b', 'tree')
    mkdirSync(at('my-hooks'))
    writeFileSync(at('shared-config'), '[alias]\n')
    git(ground.workspace, 'config', 'core.hooksPath', 'my-hooks')
    git(ground.workspace, 'config', 'include.path', '../shared-config')
    git(ground.workspace, 'config', 'extensions.worktreeConfig', 'true')
    const files = [
      ['.git', 'modules', 'sub', 'config'],
      ['.git', 'modules', 'sub', 'hooks', 'post-checkout'],
      ['.git', 'modules', 'sub', 'commondir'],
      ['.git', 'modules', 'other', 'config'],
      ['.git', 'worktrees', 'tree', 'commondir'],
      ['.git', 'worktrees', 'tree', 'gitdir'],
      ['.git', 'worktrees', 'tree', 'config.worktree'],
      ['.git', 'config.worktree'],
      ['sub', '.git'],
      ['tree', '.git'],
      ['my-hooks', 'pre-commit'],
      ['shared-config'],
    ].map((names) => at(...names))
    const text = () => files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : null))
    const before = text()
    await run(files.map((file) => `mkdir -p "$(dirname ${file})"; echo evil > ${file}; rm -f ${file}`).join('\n'))
    expect(text()).toEqual(before)
    // From the worktree as well: its own files are in the repository next to it.
    await run(files.map((file) => `echo evil > ${file}`).join('\n'), at('tree'))
    expect(text()).toEqual(before)
  })

  test('git works: commits, branches, merges, rebases, stashes, tags, worktrees and maintenance', async () => {
    const said = await run(`set -e
      git checkout -q -b side; echo two > two; git add two; git commit -qm two
      git checkout -q main; echo three > three; git add three; git commit -qm three
      git merge -q side -m merged; git tag v1
      git checkout -q -b next HEAD~1; echo four > four; git add four; git commit -qm four; git rebase -q main
      echo five >> file; git stash -q; git stash pop -q; git commit -qam five
      git cherry-pick -n side || true; git reset -q --hard
      git worktree add -q inner -b inner; git -C inner status --short; git worktree remove inner
      # Lists for servers that only hand out files would go into info/, which is frozen.
      git -c repack.updateServerInfo=false gc -q; git fsck; git log --format=%s | sort | paste -sd,`)
    expect({ code: said.exit.code, stderr: said.stderr, stdout: said.stdout }).toEqual({
      code: 0,
      stderr: expect.not.stringContaining('Read-only'),
      stdout: expect.stringContaining('five,four,merged,one,three,two'),
    })
    expect(git(ground.workspace, 'status', '--short')).toBe('')
    expect(readdirSync(at('.git')).includes('commondir')).toBe(false)
  })

  test('a git operation that is not allowed reports why', async () => {
    const said = await run('git config user.name other; git remote add evil /evil; git submodule add -q ./x y; true')
    expect(said.stderr).toMatch(/could not (?:lock|write) config file/)
    expect(git(ground.workspace, 'config', '--get-regexp', '.*')).not.toMatch(/evil|other/)
  })

  test('git works outside while a command runs, and placeholders are removed with the last command that needs them', async () => {
    const wait = (name: string) =>
      `touch ${name}; while [ ! -e ${name}-over ]; do sleep 0.05; done; echo ../evil > .git/commondir; mkdir -p .git/modules/x; true`
    const first = run(wait('first'))
    await expect.poll(() => existsSync(at('first'))).toBe(true)
    const second = run(wait('second'))
    await expect.poll(() => existsSync(at('second'))).toBe(true)
    writeFileSync(at('file'), 'changed outside\n')
    git(ground.workspace, 'commit', '-qam', 'outside')
    writeFileSync(at('first-over'), '')
    await first
    expect(git(ground.workspace, 'log', '--format=%s')).toBe('outside\none\n')
    writeFileSync(at('second-over'), '')
    await second
    expect(['commondir', 'modules'].map((name) => existsSync(at('.git', name)))).toEqual([false, false])
  })

  test('a new repository and an unfinished rebase are reported', async () => {
    const made = await run(
      'git init -q new; mkdir -p .git/rebase-merge; echo "exec evil" > .git/rebase-merge/git-rebase-todo; git init -q --bare bare.git',
    )
    expect(made.exit.violations.map(({ resource, blocked }) => [resource, blocked]).sort()).toEqual([
      [at('.git', 'rebase-merge'), false],
      [at('bare.git'), false],
      [at('new', '.git'), false],
    ])
  })
})

/** Everything that git follows, as text. */
function contentOf(folder: string): Record<string, string> {
  const names = [
    'config',
    'commondir',
    'hooks/pre-commit',
    'info/attributes',
    'info/grafts',
    'modules/sub/config',
    'objects/info/alternates',
  ]
  const files = names.map((name) => join(folder, '.git', name)).filter((file) => existsSync(file))
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]))
}
