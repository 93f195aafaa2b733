import { expect, test } from 'vitest'
import { errorLines } from './error-lines.ts'
import { expectedRows, isExpected } from './expected.ts'

const ended = (program: string | null, exit_code: number, output = '', words: readonly string[] = []) =>
  isExpected({ program, words, exit_code, timed_out: false, output, lines: errorLines(output), condition: null })

test.each(expectedRows)('$programs with $exit_code: $reason', ({ programs, words = [], exit_code }) => {
  for (const program of programs.split(' ')) {
    expect(ended(program, exit_code, '', words)).toBe(true)
    expect(ended(program, exit_code + 1, '', words)).toBe(false)
  }
})

test.each([
  ['grep', 1, 'grep: a: No such file or directory'],
  ['diff', 1, 'bash: line 1: diff: command not found'],
  ['node', 1, ''],
  [null, 1, ''],
  ['node', 1, '2 warnings, 1 error'],
  ['node', 2, '2 warnings'],
])('%s with %i and %j is a failure', (program, exit_code, output) => {
  expect(ended(program, exit_code, output)).toBe(false)
})

test('a check that only has warnings is a result', () => {
  expect(ended('node', 1, 'src/a.js:3 warning unused variable\n✖ 1 problem (0 errors, 1 warning)')).toBe(true)
  expect(ended('python', 1, 'a.py:3: Warnung: Zeile zu lang')).toBe(true)
})

test('a check that lists places and what it found there is a result, a compiler that reports an error is not', () => {
  expect(ended('python', 1, 'README.md:3:1 S166 sentence ends with a period\n1 finding')).toBe(true)
  expect(ended('gcc', 1, 'main.c:3:1: error: unknown type name')).toBe(false)
  expect(ended('python', 1, 'README.md:3:1 S166 sentence\nsomething else')).toBe(false)
})

test('a program that is asked to print nothing answers with its exit code', () => {
  expect(ended('git', 1, '', ['rev-parse', '--verify', '--quiet', 'v1'])).toBe(true)
  expect(ended('awk', 1, '', ['/^## 2/ { found = 1 } END { exit !found }', 'a.md'])).toBe(true)
  expect(ended('jq', 1, 'null\n', ['-e', '.license', 'a.json'])).toBe(true)
  expect(ended('lsof', 1, '', ['-i', 'tcp:80'])).toBe(true)
  expect(ended('git', 128, '')).toBe(false)
  expect(ended('git', 1, 'On branch main')).toBe(false)
})

test('a list of findings is a result only if it names no condition', () => {
  const output = 'README.md:3: link without a text'
  const check = { program: 'perl', words: ['links.pl'], exit_code: 2, timed_out: false, output, lines: errorLines(output) }
  expect(isExpected({ ...check, condition: null })).toBe(true)
  expect(isExpected({ ...check, condition: 'failed_test' })).toBe(false)
  expect(isExpected({ ...check, condition: null, exit_code: 4 })).toBe(false)
})

test('a search that was stopped by its time limit is a failure', () => {
  expect(isExpected({ program: 'grep', words: [], exit_code: 1, timed_out: true, output: '', lines: [], condition: 'timed_out' })).toBe(
    false,
  )
})
