import { expect, test } from 'vitest'
import { candidates, missingPaths, missingTests, namedPaths, namedTests } from './document-paths.js'

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

test('a test file of a table that does not exist is reported', () => {
  const table = '| what | test |\n|---|---|\n| print | `e2e/there.browser.test.ts` |\n| export | `e2e/gone.browser.test.ts` *it is saved* |'
  const exists = (path) => path === 'e2e/there.browser.test.ts'
  expect(missingPaths([['docs/features.md', table]], [], exists)).toEqual(['docs/features.md:4: e2e/gone.browser.test.ts does not exist'])
})

test('names of tests are found in italics after the path of their file', () => {
  const text = 'In `e2e/a.test.ts` *one*, *"two" is said* and *emphasis*; `a.ts` *not a test*, `b/c.test.js`'
  expect(namedTests(`# Title\n${text}`)).toEqual([
    { line: 2, path: 'e2e/a.test.ts', name: 'one' },
    { line: 2, path: 'e2e/a.test.ts', name: '"two" is said' },
  ])
})

test('a test that does not exist is reported with its document, line and file', () => {
  const source = `
    test('files are saved (twice)', async () => {})
    test.each([[1], [2]])(
      "a user's name is shown", () => {})
    test.skipIf(true)(\`completes \${words}\`, () => {})
    page.getByText('not a test')`
  const read = (path) => (path === 'packages/cli/test/a.test.ts' ? source : undefined)
  const of = (...names) => names.map((name) => `\`cli/test/a.test.ts\` *${name}*`).join('\n')
  const document = of('files are saved (twice)', 'files', "a user's", 'completes', 'files are lost', 'not a test', 'are saved')
  expect(missingTests([['docs/x.md', `${document}\n\`cli/test/gone.test.ts\` *any*`]], ['cli'], read)).toEqual(
    ['files are lost', 'not a test', 'are saved'].map(
      (name, at) => `docs/x.md:${at + 5}: cli/test/a.test.ts has no test whose name begins with "${name}"`,
    ),
  )
})
