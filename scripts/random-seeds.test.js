import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './setup/paths.js'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-seeds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** With a vitest that records its arguments and exits as instructed. */
function drawSeeds(count, ending) {
  const runs = join(folder, 'runs')
  writeFileSync(join(folder, 'vitest'), `#!/bin/sh\necho "$TANDEM_SEED $*" >> ${runs}\n${ending}\n`, { mode: 0o755 })
  const env = { ...process.env, TANDEM_SEEDS: count, PATH: folder + delimiter + process.env.PATH }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}scripts/random-seeds.js`, 'one.test.ts'], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr, runs: () => readFileSync(runs, 'utf8').trim().split('\n') }
}

test('every seed is new, printed, and passed to the tests', () => {
  const { status, stdout, runs } = drawSeeds('3', 'exit 0')
  const seeds = runs().map((line) => line.split(' ')[0])
  expect([status, new Set(seeds).size]).toEqual([0, 3])
  expect(runs()).toEqual(seeds.map((seed) => `${seed} run --project rules --project local one.test.ts`))
  expect(stdout.match(/^Seed .*/gm)).toEqual(seeds.flatMap((seed, index) => [`Seed ${seed} (${index + 1} of 3)`, `Seed ${seed}: passed`]))
})

test('a seed that fails is printed again at the end, with how to repeat and keep it', () => {
  const { status, stdout, runs } = drawSeeds('2', `[ "$(wc -l < ${join(folder, 'runs')})" = 1 ]`)
  const failed = runs()[1]?.split(' ')[0]
  expect([status, stdout.trim().split('\n').slice(-3)]).toEqual([
    1,
    [
      '1 of 2 seeds passed.',
      `Seed ${failed} failed. Repeat it with TANDEM_SEED=${failed} npx vitest run FILE.`,
      'Keep a seed that failed: packages/runtime/test/support/checkpoint/test-seeds.ts lists those that npm test always tries.',
    ],
  ])
})

test('an invalid number of seeds is refused', () => {
  const { status, stderr } = drawSeeds('many', 'exit 0')
  expect([status, stderr.includes('TANDEM_SEEDS is many: set it to the number of seeds to draw, for example 5.')]).toEqual([1, true])
})
