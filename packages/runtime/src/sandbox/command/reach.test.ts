import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isInside, writableRoots } from './reach.ts'

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
