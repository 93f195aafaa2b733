// Two to five devices, a cloud, and everything that can go wrong between them. `npm run test:sync` tries 20,000 histories instead of 200;
// `SEED=7` tries one. A seed that failed is kept in kept-seeds.json forever.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bugs } from '../../test/support/sync/test-bugs.ts'
import { type Fault, simulate } from '../../test/support/sync/test-simulation.ts'

const keptFile = new URL('./kept-seeds.json', import.meta.url)
const kept = JSON.parse(readFileSync(keptFile, 'utf8')) as number[]
const first = Number(process.env.SEED ?? 1)
const count = Number(process.env.SEEDS ?? (process.env.SEED === undefined ? 100 : 1))
const patience_ms = 60_000 + count * 3_000

test(`${count} histories of devices end in one state, from seed ${first}`, { timeout: patience_ms }, async () => {
  expect(await faultsOf(Array.from({ length: count }, (_, index) => first + index))).toEqual([])
})

test('histories that failed once succeed', async () => {
  expect(await faultsOf(kept)).toEqual([])
})

test.for(Object.entries(bugs))('finds a planted bug within 200 seeds: %s', async ([, planted]) => {
  let fault: Fault | null = null
  for (let seed = 1; seed <= 200 && fault === null; seed += 1) fault = await simulate(seed, planted)
  expect(fault).not.toBe(null)
})

test('a seed determines everything: the same history ends the same, to the last id', async () => {
  const planted = bugs['what arrives last wins']
  let fault: Fault | null = null
  for (let seed = 1; seed <= 200 && fault === null; seed += 1) fault = await simulate(seed, planted)
  expect(fault).not.toBe(null)
  expect(await simulate(fault?.seed ?? 0, planted)).toEqual(fault)
})

async function faultsOf(seeds: readonly number[]): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for (const seed of seeds) {
    const fault = await simulate(seed)
    if (fault) faults.push(fault)
  }
  const fresh = faults.map(({ seed }) => seed).filter((seed) => !kept.includes(seed))
  if (fresh.length > 0) writeFileSync(keptFile, `${JSON.stringify([...kept, ...fresh])}\n`)
  return faults
}
