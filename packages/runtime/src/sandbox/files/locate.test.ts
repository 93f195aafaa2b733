// For any path and any links: the result of `locate` is in the scope, and is where the kernel finds it.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testScope } from '../../../test/support/sandbox/files/test-scope.ts'
import { FileFailure, Refused } from '../../call/failure.ts'
import { openFiles } from './scoped-files.ts'

/** Any code unit, including unpaired surrogates and control characters. */
const letter = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 127 })).map((unit) => String.fromCharCode(unit))

test('locate never returns a path outside', async () => {
  const scope = testScope()
  const at = (name: string) => join(scope.workspace, name)
  for (const folder of ['a', 'a/b', 'c']) mkdirSync(at(folder))
  for (const file of ['a/f', 'a/b/f', 'f']) writeFileSync(at(file), file)
  writeFileSync(join(scope.outside, 'f'), 'secret')
  const targets = [
    'a',
    '..',
    '../..',
    'a/../..',
    scope.outside,
    '/',
    '.',
    'f',
    '../outside/f',
    'missing',
    '/proc/self/cwd',
    '/proc/self/root',
    'c/l3',
  ]
  for (const [index, target] of targets.entries()) {
    symlinkSync(target, at(`l${index}`))
    symlinkSync(target, at(`a/l${index}`))
  }
  symlinkSync('../l4', at('c/l3'))
  const files = openFiles(scope)
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'b', 'c', 'f', '..', '.', '', 'outside', 'ws', 'ws-evil', 'etc', 'proc', 'self', 'root', 'home'),
    },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: targets.length - 1 }).map((index) => `l${index}`) },
    { weight: 1, arbitrary: fc.string({ unit: letter, maxLength: 6 }) },
  )
  const start = fc.constantFrom(
    '',
    '/',
    './',
    '../',
    `${scope.workspace}/`,
    `${scope.outside}/`,
    `${scope.workspace}//`,
    'file://',
    '/proc/self/cwd/',
  )
  const path = fc.tuple(start, fc.array(step, { maxLength: 7 })).map(([begin, steps]) => begin + steps.join('/'))
  let answered = 0
  await fc.assert(
    fc.asyncProperty(path, fc.constantFrom('read' as const, 'write' as const), async (text, access) => {
      const located = await files.locate(text, access).catch((error: unknown) => {
        if (error instanceof Refused || error instanceof FileFailure) return null
        throw error
      })
      if (located === null) return
      answered++
      expect(located === scope.workspace || located.startsWith(`${scope.workspace}/`)).toBe(true)
      expect(realpathSync(dirname(located))).toBe(dirname(located))
    }),
    { numRuns: 5_000 },
  )
  expect(answered).toBeGreaterThan(200)
})
