import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.js', 'bench/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.cache/test-report.json' }]],
    // Two cores: more workers than that only wait for each other.
    maxWorkers: 2,
    passWithNoTests: false,
    testTimeout: 20_000,
  },
})
