import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testResultsIn } from './reported-tests.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-reported-tests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function printed(program: string, args: readonly string[]): string {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, VITEST: _vitest, ...env } = process.env
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env })
  return `${stdout}${stderr}`
}

test.each(['spec', 'tap'])('of node, as it prints them (%s)', (reporter) => {
  const body = `const { test } = require('node:test'); const assert = require('node:assert')
    test('a', () => undefined); test('b', () => undefined); test('c', () => assert.equal(1, 2))`
  writeFileSync(join(folder, 'a.test.cjs'), body)
  expect(testResultsIn(printed(process.execPath, ['--test', `--test-reporter=${reporter}`, 'a.test.cjs']))).toEqual({
    passed: 2,
    failed: 1,
  })
})

test('of Python, as it prints them', () => {
  const body = `import unittest
class T(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): self.assertEqual(1, 2)
    def test_c(self): raise ValueError('x')`
  writeFileSync(join(folder, 'test_a.py'), body)
  expect(testResultsIn(printed('python3', ['-m', 'unittest', 'test_a']))).toEqual({ passed: 1, failed: 2 })
})

test.each([
  [' Test Files  1 failed | 2 passed (3)\n      Tests  2 failed | 10 passed (12)\n', { passed: 10, failed: 2 }],
  ['Tests:       1 failed, 1 skipped, 5 passed, 7 total\n', { passed: 5, failed: 1 }],
  ['=== 2 failed, 10 passed, 1 warning in 0.12s ===\n', { passed: 10, failed: 2 }],
  ['12 passed in 0.52s\n', { passed: 12, failed: 0 }],
  ['  5 passing (20ms)\n  1 failing\n', { passed: 5, failed: 1 }],
  ['test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n', { passed: 4, failed: 2 }],
  ['ok  \texample.org/a\t0.01s\nFAIL\texample.org/b\t0.02s\n', { passed: 1, failed: 1 }],
  ['the tests passed, I think\n', null],
  ['', null],
])('%j', (output, results) => {
  expect(testResultsIn(output)).toEqual(results)
})

test('hostile text takes no time', () => {
  const script = `import { testResultsIn } from ${JSON.stringify(join(import.meta.dirname, 'reported-tests.ts'))}
    for (const part of ['1 a, ', ' ', '1 passed ', 'Ran 1 test in ', 'Tests ']) testResultsIn(part.repeat(1_000_000))`
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })
})
