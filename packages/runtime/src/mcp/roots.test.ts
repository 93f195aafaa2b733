import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { httpServer, stdioServer } from '../../test/support/mcp/test-mcp.ts'
import { rootsOf } from './roots.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-roots-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const whole = { workspace: '/project', roots: ['.'] }
const uriOf = (path: string) => ({ uri: pathToFileURL(path).href })

test('the workspace and the folders in its command, once each, even if some paths cannot be read', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const odd = [file, join(file, 'below'), join(folder, 'missing'), `/${'x'.repeat(5_000)}`, '/nul\0', '--flag', '']
  expect(rootsOf(stdioServer('s', [...odd, folder, '/project', folder]), whole)).toEqual([uriOf('/project'), uriOf(folder)])
  expect(rootsOf(httpServer('s', 'https://example.org/mcp'), whole)).toEqual([uriOf('/project')])
})

test.each([
  [['.'], ['/project']],
  [['/'], ['/project']],
  [
    ['docs', './docs', '/project/notes'],
    ['/project/docs', '/project/notes'],
  ],
  [['..docs'], ['/project/..docs']],
  [['/work-evil', '../x'], []],
  [[], []],
])('of the roots %j of a policy it gets %j', (roots, told) => {
  expect(rootsOf(stdioServer('s', []), { workspace: '/project', roots })).toEqual(told.map(uriOf))
})
