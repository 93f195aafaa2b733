// The decision about checkpoints quotes the tests that prevent failures of peers. A test that is renamed must be renamed there, too.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const here = new URL('.', import.meta.url).pathname
const decision = readFileSync(new URL('../../../../docs/decisions/0027-checkpoints.md', import.meta.url), 'utf8')

/** In the last column: files, each with the beginnings of its tests. */
function quotedTests(): { readonly file: string; readonly title: string }[] {
  const cells = decision.split('\n').flatMap((line) => /^\|.*\| (`[\w-]+`: .*) \|$/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => {
    let file = ''
    return cell.split('; ').map((part) => {
      const [, name = file, title = part] = /^`([\w-]+)`: (.*)$/.exec(part) ?? []
      file = name
      return { file, title: title.replaceAll('`', '') }
    })
  })
}

test('the tests that the decision quotes exist', () => {
  const quoted = quotedTests()
  expect(quoted.length).toBeGreaterThan(20)
  const missing = quoted.filter(({ file, title }) =>
    globSync(`**/${file}.test.ts`, { cwd: here }).every(
      (path) =>
        !readFileSync(here + path, 'utf8')
          .replaceAll('`', '')
          .includes(title),
    ),
  )
  expect(missing).toEqual([])
})
