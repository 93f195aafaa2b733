import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { gitPathsOf } from './git-paths.ts'
import { acquirePlaceholders } from './placeholders.ts'
import { newProtectedPaths, protectionOf } from './protected-paths.ts'

let ws: string
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-git-paths-')))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(ws, { recursive: true, force: true })
})

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(ws, path)), { recursive: true })
  writeFileSync(join(ws, path), text)
}

function found(folder = '.') {
  const { frozen, missing } = gitPathsOf(join(ws, folder), ws)
  const named = (path: string) => relative(ws, path)
  return { frozen: frozen.map(named).sort(), missing: Object.fromEntries(missing.map(({ path, text }) => [named(path), text])) }
}

/** The placeholder for each name in an empty git directory; null is a folder. */
const empty = {
  '.git/config': '',
  '.git/commondir': './././.',
  '.git/hooks': null,
  '.git/info': null,
  '.git/modules': null,
  '.git/objects/info/alternates': '',
}

const without = (path: string) => Object.fromEntries(Object.entries(empty).filter(([name]) => name !== path))

test('an empty git directory has a placeholder for each name that git follows', () => {
  mkdirSync(join(ws, '.git'))
  expect(found()).toEqual({ frozen: [], missing: empty })
})

test.each(Object.entries(empty))('%s is frozen if it exists', (path, text) => {
  if (text === null) mkdirSync(join(ws, path), { recursive: true })
  // With another repository as the common directory, the names are looked up there.
  else write(path, path === '.git/commondir' ? '../elsewhere' : 'x')
  expect(found().frozen).toEqual([path])
  expect(found().missing).not.toHaveProperty([path])
})

test('config.worktree counts if the config enables it; old locations of remotes count if they exist', () => {
  write('.git/config', '[extensions]\n\tworktreeConfig = true\n')
  write('.git/remotes/origin')
  expect(found().missing).toEqual({ ...empty, '.git/config': undefined, '.git/config.worktree': '' })
  expect(found().frozen).toEqual(['.git/config', '.git/remotes'])
})

test('hooks and files that the config refers to are frozen, inside the workspace; missing ones have placeholders', () => {
  write(
    '.git/config',
    '[core]\n\thooksPath = "tools/hooks"\n[include]\n\tpath = ../shared\n\tpath = /etc/gitconfig\n\tpath = ../not-there\n',
  )
  write('tools/hooks/pre-commit')
  write('shared')
  expect(found()).toEqual({ frozen: ['.git/config', 'shared', 'tools/hooks'], missing: { ...without('.git/config'), 'not-there': '' } })
})

test('what an included config refers to counts as well, with and without a condition, also on one line', () => {
  write('.git/config', '[include] path = ../team.gitconfig\n[includeIf "onbranch:x"]path = ../branch.gitconfig ; comment\n')
  write('team.gitconfig', '[CORE]hooksPath=tools/hooks\n[include]\npath = "deep/more.gitconfig"\n')
  write('branch.gitconfig', '[core]\n\thookspath = \\\nbranch-hooks\n')
  write('tools/hooks/pre-commit')
  expect(found()).toEqual({
    frozen: ['.git/config', 'branch.gitconfig', 'team.gitconfig', 'tools/hooks'],
    missing: { ...without('.git/config'), 'branch-hooks': null, 'deep/more.gitconfig': '' },
  })
})

test('hooks of the configuration of the user and of config.worktree count in every repository', () => {
  vi.stubEnv('HOME', join(ws, 'home'))
  write('home/.gitconfig', '[core]\nhooksPath = .team-hooks\n')
  write('.git/config', '[extensions]\nworktreeConfig = true\n')
  write('.git/config.worktree', '[core]\nhooksPath = own-hooks\n')
  expect(found().missing).toMatchObject({ '.team-hooks': null, 'own-hooks': null })
})

test('the hooks of a repository outside are found in its linked worktree', () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-git-paths-')))
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  mkdirSync(join(outside, '.git/worktrees/tree'), { recursive: true })
  writeFileSync(join(outside, '.git/config'), '[core]\nhooksPath = tools/hooks\n')
  writeFileSync(join(outside, '.git/worktrees/tree/commondir'), '../..\n')
  write('.git', `gitdir: ${join(outside, '.git/worktrees/tree')}\n`)
  write('tools/hooks/pre-commit')
  expect(found()).toEqual({ frozen: ['.git', 'tools/hooks'], missing: {} })
})

test('a missing path behind a link has its placeholder where the link leads; a link that was replaced is reported', () => {
  write('.git/config', '[core]\nhooksPath = tools/hooks\n')
  mkdirSync(join(ws, 'real/deep'), { recursive: true })
  symlinkSync('real/deep', join(ws, 'tools'))
  expect(found().missing).toMatchObject({ 'real/deep/hooks': null })
  mkdirSync(join(ws, 'real/deep/hooks'))
  const before = protectionOf(ws, ws, [])
  expect(newProtectedPaths(before, protectionOf(ws, ws, []))).toEqual([])
  rmSync(join(ws, 'tools'))
  write('tools/hooks/pre-commit')
  expect(newProtectedPaths(before, protectionOf(ws, ws, []))).toEqual([join(ws, 'tools/hooks')])
})

test('a linked worktree includes its own directory and the shared one', () => {
  write('main/.git/config')
  write('main/.git/worktrees/tree/commondir', '../..\n')
  write('main/.git/worktrees/tree/gitdir', join(ws, 'tree/.git'))
  write('tree/.git', `gitdir: ${join(ws, 'main/.git/worktrees/tree')}\n`)
  const shared = ['main/.git/config', 'main/.git/worktrees/tree/commondir', 'main/.git/worktrees/tree/gitdir']
  expect([...new Set(found('tree').frozen)]).toEqual([...shared, 'tree/.git'])
  expect(found('main').frozen).toEqual(shared)
})

test('paths outside the workspace and missing paths are ignored', () => {
  write('out/.git', 'gitdir: /usr/share\n')
  write('nowhere/.git', 'gitdir: ../not-there\n')
  write('odd/.git', 'no such line')
  expect([found('out'), found('nowhere'), found('odd'), found('none')]).toEqual([
    { frozen: ['out/.git'], missing: {} },
    { frozen: ['nowhere/.git'], missing: {} },
    { frozen: ['odd/.git'], missing: {} },
    { frozen: [], missing: {} },
  ])
})

test('placeholders are created, shared, and removed with the last command that needs them; replaced ones are kept', () => {
  write('.git/HEAD', 'ref: refs/heads/main\n')
  mkdirSync(join(ws, '.git/objects'))
  const at = (name: string) => join(ws, '.git', name)
  const protection = () => protectionOf(ws, ws, [])
  const hold = ({ missing, frozen }: ReturnType<typeof protection>) => acquirePlaceholders(missing, frozen)
  const first = hold(protection())
  expect(first.paths).toEqual(Object.keys(empty).map((path) => join(ws, path)))
  expect([readFileSync(at('commondir'), 'utf8'), readFileSync(at('config'), 'utf8')]).toEqual(['./././.', ''])
  const second = hold(protection())
  first.release()
  first.release()
  expect(Object.keys(empty).filter((path) => !existsSync(join(ws, path)))).toEqual([])
  writeFileSync(at('config'), '[user]\n')
  writeFileSync(join(at('hooks'), 'pre-commit'), '')
  second.release()
  expect(Object.keys(empty).filter((path) => existsSync(join(ws, path)))).toEqual(['.git/config', '.git/hooks'])
  expect(newProtectedPaths(protection(), protection())).toEqual([])
})

test('the folders above a placeholder are created, and removed with the last command that needs them', () => {
  write('.git/config', '[core]\nhooksPath = a/b/hooks\n')
  const hold = () => {
    const { missing, frozen } = protectionOf(ws, ws, [])
    return acquirePlaceholders(missing, frozen)
  }
  const [first, second] = [hold(), hold()]
  expect(first.paths).toContain(join(ws, 'a/b/hooks'))
  expect(first.paths).not.toContain(join(ws, 'a'))
  first.release()
  expect(existsSync(join(ws, 'a/b/hooks'))).toBe(true)
  second.release()
  expect(existsSync(join(ws, 'a'))).toBe(false)
  const third = hold()
  write('a/kept')
  third.release()
  expect(readdirSync(join(ws, 'a'))).toEqual(['kept'])
})

test('a placeholder left by a crash is removed by the next command', () => {
  write('.git/commondir', './././.')
  const { missing, frozen } = protectionOf(ws, ws, [])
  expect(frozen).toEqual([])
  acquirePlaceholders(missing, frozen).release()
  expect(existsSync(join(ws, '.git/commondir'))).toBe(false)
})

test('nothing is created through a link', () => {
  mkdirSync(join(ws, '.git'))
  mkdirSync(join(ws, 'elsewhere'))
  symlinkSync(join(ws, 'elsewhere'), join(ws, '.git/objects'))
  const { missing, frozen } = protectionOf(ws, ws, [])
  const held = acquirePlaceholders(missing, frozen)
  expect(held.paths.map((path) => relative(ws, path))).not.toContain('.git/objects/info/alternates')
  expect(existsSync(join(ws, 'elsewhere/info'))).toBe(false)
  held.release()
})

test('beyond the limit of repositories, the whole .git is frozen', () => {
  for (let index = 0; index < 60; index += 1) write(`r${index}/.git/config`)
  const { frozen, missing } = protectionOf(ws, join(ws, 'r59'), [])
  const whole = frozen.filter((path) => path.endsWith('.git'))
  expect([whole.length, frozen.length - whole.length]).toEqual([10, 50])
  // The repository of the working directory is among the first.
  expect(whole).not.toContain(join(ws, 'r59/.git'))
  expect(missing.some(({ path }) => whole.some((one) => path.startsWith(one)))).toBe(false)
})
