import { defineConfig } from 'vitest/config'
import { testsOfRules } from './scripts/tests-of-rules.ts'

// A condition is waited for as long as a busy machine may need, not for one second.
const poll = { timeout: 60_000 }
const patience = 240_000
const exclude = ['**/node_modules/**', '**/dist/**']
const rules = testsOfRules()

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.cache/test-report.json' }]],
    // For two cores: tests also wait for processes, disks and time limits, and two more workers use that time.
    maxWorkers: 4,
    passWithNoTests: false,
    globalSetup: 'scripts/temporary-folder.js',
    projects: [
      {
        test: {
          name: 'rules',
          include: rules,
          exclude,
          isolate: false,
          setupFiles: 'scripts/seed.js',
          testTimeout: patience,
          expect: { poll },
        },
      },
      {
        test: {
          name: 'local',
          include: ['packages/{contract,runtime,desktop,cli}/{src,test}/**/*.test.ts', 'scripts/**/*.test.js', 'bench/**/*.test.ts'],
          exclude: [...exclude, ...rules],
          setupFiles: 'scripts/seed.js',
          // A result that does not match the schema of its tool fails the test.
          env: { TANDEM_STRICT_RESULTS: '1' },
          testTimeout: patience,
          hookTimeout: patience,
          expect: { poll },
        },
      },
      {
        test: {
          name: 'cloud',
          include: ['packages/server/{src,test}/**/*.test.ts', 'e2e/**/*.test.ts'],
          exclude,
          setupFiles: 'scripts/seed.js',
          // A result that does not match the schema of its tool fails the test.
          env: { TANDEM_STRICT_RESULTS: '1' },
          globalSetup: 'packages/server/test/support/global-postgres.ts',
          testTimeout: patience,
          hookTimeout: patience,
          expect: { poll },
        },
      },
    ],
  },
})
