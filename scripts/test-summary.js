// Adds up the reports of the tests, the checks and the fresh installation. A run without a report, or without a test, has failed.
import { readFileSync } from 'node:fs'
import { root } from './setup/paths.js'

const exits = process.argv.slice(2, 5).map(Number)
const folder = process.argv[5] ?? `${root}.cache`
const tests = read('test-report.json', (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  skipped: report.numPendingTests ?? 0,
}))
const checks = read('check-report.json', (report) => report)
const install = read('install-report.json', (report) => report)

let failed = tests.failed + checks.failed + install.failed
const passed = tests.passed + checks.passed + install.passed
if (failed === 0 && (exits.length < 3 || exits.some((exit) => exit !== 0))) {
  console.log('a command failed although its report counts no failure')
  failed += 1
}
if (tests.passed + tests.failed === 0) {
  console.log('no test ran')
  failed += 1
}
// Skipped tests are reported, so that they are not mistaken for passed ones.
console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`)
process.exitCode = failed === 0 ? 0 : 1

function read(name, count) {
  try {
    return count(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')))
  } catch (error) {
    console.log(`${name} can't be read: ${error.message}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
