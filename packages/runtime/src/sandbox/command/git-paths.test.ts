import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitPathsOf } from './git-paths.ts'
import { acquirePlaceholders } from './placeholders.ts'
import { newProtectedPaths, protectionOf } from './protected-paths.ts'

let ws: string
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-git-paths-')))
})
afterEach(() => rmSync(ws, { recursive: true, force: true }))

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

test('hooks and files that the config refers to are frozen, inside the workspace', () => {
  write(
    '.git/config',
    '[core]\n\thooksPath = "tools/hooks"\n[include]\n\tpath = ../shared\n\tpath = /etc/gitconfig\n\tpath = ../not-there\n',
  )
  write('tools/hooks/pre-commit')
  write('shared')
  expect(found().frozen).toEqual(['.git/config', 'shared', 'tools/hooks'])
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
