import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './setup/paths.js'

const checks = { passed: 6, failed: 0 }
const install = { passed: 2, failed: 0 }
const tests = (numPassedTests, numFailedTests = 0, numPendingTests = 0) => ({ numPassedTests, numFailedTests, numPendingTests })

test.each([
  ['everything passes', [0, 0, 0], { tests: tests(10), checks, install }, 0, '18 passed, 0 failed'],
  ['a test was skipped', [0, 0, 0], { tests: tests(10, 0, 2), checks, install }, 0, '18 passed, 0 failed, 2 skipped'],
  ['a test fails', [1, 0, 0], { tests: tests(9, 1), checks, install }, 1, '17 passed, 1 failed'],
  ['a check fails', [0, 1, 0], { tests: tests(10), checks: { passed: 5, failed: 1 }, install }, 1, '17 passed, 1 failed'],
  ['the installation fails', [0, 0, 1], { tests: tests(10), checks, install: { passed: 0, failed: 2 } }, 1, '16 passed, 2 failed'],
  ['no test ran', [0, 0, 0], { tests: tests(0), checks, install }, 1, '8 passed, 1 failed'],
  ['there is no report of tests', [1, 0, 0], { checks, install }, 1, '8 passed, 1 failed'],
  ['there is no report of the installation', [0, 0, 1], { tests: tests(10), checks }, 1, '16 passed, 1 failed'],
  ['a command fails although its report does not', [1, 0, 0], { tests: tests(10), checks, install }, 1, '18 passed, 1 failed'],
  ['an installation fails although its report does not', [0, 0, 1], { tests: tests(10), checks, install }, 1, '18 passed, 1 failed'],
])('%s', (_what, exits, reports, status, last) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tally-'))
  const names = { tests: 'test-report', checks: 'check-report', install: 'install-report' }
  for (const [name, report] of Object.entries(reports)) writeFileSync(join(folder, `${names[name]}.json`), JSON.stringify(report))
  const run = spawnSync(process.execPath, ['scripts/test-summary.js', ...exits.map(String), folder], { cwd: root, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect([run.status, run.stdout.trimEnd().split('\n').at(-1)]).toEqual([status, last])
})
