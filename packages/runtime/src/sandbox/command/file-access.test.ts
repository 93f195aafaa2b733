import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isInside } from '../../path/inside.ts'
import { fileAccessOf, writableRoots } from './file-access.ts'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-reach-')))
  mkdirSync(join(folder, 'ws/a'), { recursive: true })
  mkdirSync(join(folder, 'ws-evil'))
  symlinkSync(join(folder, 'ws-evil'), join(folder, 'ws/link'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  [['.'], ['ws']],
  [['a'], ['ws/a']],
  [['/'], ['ws']],
  [['a', 'a/', './a'], ['ws/a']],
  [['../ws-evil'], []],
  [['link'], []],
  [['not-there'], []],
  [[], []],
])('roots %j make %j writable', (roots, writable) => {
  expect(writableRoots(join(folder, 'ws'), roots)).toEqual(writable.map((name) => join(folder, name)))
})

test('a prefix is not a parent', () => {
  expect([isInside('/ws-evil', '/ws'), isInside('/ws/..a', '/ws'), isInside('/ws', '/ws'), isInside('/', '/ws')]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('folders with secrets are hidden from commands, unless the policy lists them', () => {
  const home = join(folder, 'person')
  for (const name of ['.ssh', '.config/gcloud', '.mozilla', '.cargo']) mkdirSync(join(home, name), { recursive: true })
  writeFileSync(join(home, '.netrc'), 'machine x')
  mkdirSync(join(folder, 'tandem'))
  const policy = defaultToolPolicy('shell.exec')
  const hidden = (roots: string[]) => {
    const place = {
      workspace: join(folder, 'ws'),
      temp: join(folder, 'ws-evil'),
      home: join(folder, 'tandem'),
      sandbox_mode: 'workspace' as const,
    }
    const scope = { ...place, policy: { ...policy, fs_scope: { roots, globs: ['**'] } } }
    return fileAccessOf(scope, { argv: [] }, { environment: { HOME: home }, frozen: [] }).hidden
  }
  const at = (...names: string[]) => names.map((name) => join(folder, name))
  expect(hidden(['.'])).toEqual(at('person/.ssh', 'person/.netrc', 'person/.config/gcloud', 'person/.mozilla', 'tandem'))
  expect(hidden(['.', join(home, '.ssh')])).toEqual(at('person/.netrc', 'person/.config/gcloud', 'person/.mozilla', 'tandem'))
  expect(hidden(['.', home])).toEqual(at('person/.ssh', 'person/.netrc', 'person/.config/gcloud', 'person/.mozilla', 'tandem'))
})

test('strict mode shows a program with its project, wherever it is, and shows nothing that is always hidden', () => {
  const at = (name: string) => join(folder, name)
  for (const name of ['servers/node_modules', 'servers/pack/dist', 'closed/node_modules', 'closed/tandem', 'lone'])
    mkdirSync(at(name), { recursive: true })
  const files = {
    server: at('servers/pack/dist/index.js'),
    own: at('closed/tandem/keys'),
    beside: at('closed/index.js'),
    lone: at('lone/x.py'),
  }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const scope = {
    workspace: at('ws'),
    temp: at('ws-evil'),
    home: at('closed/tandem'),
    sandbox_mode: 'strict' as const,
    policy: defaultToolPolicy('shell.exec'),
  }
  const shownFor = (...argv: string[]) => {
    const shown = (words: string[]) => fileAccessOf(scope, { argv: words }, { environment: { PATH: '' }, frozen: [] }).shown
    return shown(['node', ...argv]).filter((path) => !shown([]).includes(path))
  }
  expect(shownFor(files.server)).toEqual([at('servers')])
  expect(shownFor(files.own, at('closed'), tmpdir())).toEqual([])
  expect(shownFor(files.beside)).toEqual([files.beside])
  expect(shownFor(files.lone, '/usr/bin/env', 'relative.js', at('not-there'))).toEqual([files.lone])
})
