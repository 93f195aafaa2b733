import { expect, test } from 'vitest'
import { candidates, missingPaths, namedPaths } from './document-paths.js'

test('paths are found in code and in links; other words, addresses and placeholders are not', () => {
  const text =
    'See `run/a.ts` and [b](docs/b.md#part), `x.test.ts`, `tandem run`, [c](https://example.org/c.md),\n`bench/NAME.bench.ts` and [d](d).'
  expect(namedPaths(text)).toEqual([
    { line: 1, path: 'run/a.ts' },
    { line: 1, path: 'docs/b.md' },
    { line: 2, path: 'd' },
  ])
})

test('a path may omit packages/, src and the package', () => {
  expect(candidates('runtime/run/a.ts', 'docs/x.md', ['server'])).toEqual([
    'runtime/run/a.ts',
    'docs/runtime/run/a.ts',
    'packages/runtime/run/a.ts',
    'packages/runtime/src/run/a.ts',
    'packages/server/runtime/run/a.ts',
    'packages/server/src/runtime/run/a.ts',
  ])
})

test('a file that does not exist is reported with its document and line', () => {
  const exists = (path) => path === 'packages/runtime/src/run/there.ts'
  expect(missingPaths([['docs/x.md', '`run/there.ts`\n`run/gone.ts`']], ['runtime'], exists)).toEqual([
    'docs/x.md:2: run/gone.ts does not exist',
  ])
})
