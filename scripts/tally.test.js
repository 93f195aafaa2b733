import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './setup/paths.js'

const checks = { passed: 6, failed: 0 }
const tests = (numPassedTests, numFailedTests = 0, numPendingTests = 0) => ({ numPassedTests, numFailedTests, numPendingTests })

test.each([
  ['all is well', [0, 0], tests(10), checks, 0, '16 passed, 0 failed'],
  ['a test was skipped', [0, 0], tests(10, 0, 2), checks, 0, '16 passed, 0 failed, 2 skipped'],
  ['a test fails', [1, 0], tests(9, 1), checks, 1, '15 passed, 1 failed'],
  ['a check fails', [0, 1], tests(10), { passed: 5, failed: 1 }, 1, '15 passed, 1 failed'],
  ['no test ran', [0, 0], tests(0), checks, 1, '6 passed, 1 failed'],
  ['there is no report of tests', [1, 0], undefined, checks, 1, '6 passed, 1 failed'],
  ['a command fails although its report does not', [1, 0], tests(10), checks, 1, '16 passed, 1 failed'],
])('%s', (_what, exits, testReport, checkReport, status, last) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tally-'))
  if (testReport) writeFileSync(join(folder, 'test-report.json'), JSON.stringify(testReport))
  writeFileSync(join(folder, 'check-report.json'), JSON.stringify(checkReport))
  const run = spawnSync(process.execPath, ['scripts/tally.js', ...exits.map(String), folder], { cwd: root, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect([run.status, run.stdout.trimEnd().split('\n').at(-1)]).toEqual([status, last])
})
