// Runs the property tests with new seeds and prints them. `npm run test:seeds -- FILE…` runs only these files; TANDEM_SEEDS=5 uses five.
import { spawnSync } from 'node:child_process'

const count = Number(process.env.TANDEM_SEEDS ?? 1)
if (!Number.isSafeInteger(count) || count < 1) {
  throw new Error(`TANDEM_SEEDS is ${process.env.TANDEM_SEEDS}: set it to the number of seeds to draw, for example 5.`)
}

const failed = []
for (let drawn = 0; drawn < count; drawn += 1) {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  console.log(`\nSeed ${seed} (${drawn + 1} of ${count})`)
  const { status, error } = spawnSync('vitest', ['run', '--project', 'rules', '--project', 'local', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TANDEM_SEED: String(seed) },
    shell: process.platform === 'win32',
  })
  if (error) throw error
  console.log(`Seed ${seed}: ${status === 0 ? 'passed' : 'failed'}`)
  if (status !== 0) failed.push(seed)
}

console.log(`\n${count - failed.length} of ${count} seeds passed.`)
for (const seed of failed) {
  console.log(`Seed ${seed} failed. Repeat it with TANDEM_SEED=${seed} npx vitest run FILE.`)
}
if (failed.length > 0)
  console.log('Keep a seed that failed: packages/runtime/test/support/checkpoint/test-seeds.ts lists those that npm test always tries.')
process.exitCode = failed.length === 0 ? 0 : 1
