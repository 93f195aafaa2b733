import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertWithSeeds } from '../../test/support/checkpoint/test-seeds.ts'

const name = fc.uuid()

test('tries kept seeds after the seed of the run, each as often as it needs', async () => {
  const drawn: string[] = []
  const property = fc.asyncProperty(name, async (value) => void drawn.push(value))
  const kept = [
    { seed: 7, runs: 2 },
    { seed: 8, runs: 1 },
  ]
  await assertWithSeeds(property, kept, { numRuns: 3 })
  const expected = [{ seed: Number(process.env.TANDEM_SEED), runs: 3 }, ...kept]
  expect(drawn).toEqual(expected.flatMap(({ seed, runs }) => fc.sample(property, { seed, numRuns: runs }).flat()))
})

test('fails if a kept seed fails again, and names the seed', async () => {
  const [[wrong] = []] = fc.sample(
    fc.asyncProperty(name, async () => undefined),
    { seed: 7, numRuns: 1 },
  )
  const property = fc.asyncProperty(name, async (value) => value !== wrong)
  await expect(assertWithSeeds(property, [{ seed: 7, runs: 1 }], { numRuns: 1 })).rejects.toThrow('seed: 7')
})
