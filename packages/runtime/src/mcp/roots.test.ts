import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rootsOf } from './roots.ts'
import { httpServer, stdioServer } from './test-mcp.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-roots-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const whole = { workspace: '/work', roots: ['.'] }
const uriOf = (path: string) => ({ uri: pathToFileURL(path).href })

test('the workspace and the folders its command names, once each; nothing that can not be looked at takes them away', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const odd = [file, join(file, 'below'), join(folder, 'missing'), `/${'x'.repeat(5_000)}`, '/nul\0', '--flag', '']
  expect(rootsOf(stdioServer('s', [...odd, folder, '/work', folder]), whole)).toEqual([uriOf('/work'), uriOf(folder)])
  expect(rootsOf(httpServer('s', 'https://example.org/mcp'), whole)).toEqual([uriOf('/work')])
})

test.each([
  [['.'], ['/work']],
  [['/'], ['/work']],
  [
    ['docs', './docs', '/work/notes'],
    ['/work/docs', '/work/notes'],
  ],
  [['..docs'], ['/work/..docs']],
  [['/work-evil', '../x'], []],
  [[], []],
])('of the roots %j of a policy it is told %j', (roots, told) => {
  expect(rootsOf(stdioServer('s', []), { workspace: '/work', roots })).toEqual(told.map(uriOf))
})
