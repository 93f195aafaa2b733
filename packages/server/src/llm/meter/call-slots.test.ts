import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClusterSimulation, leaseSeconds, openClusterSimulation } from '../../../test/support/cluster-simulation.ts'
import { openInProcessCache } from '../../cache/in-process.ts'
import { openCallSlots } from './call-slots.ts'

const limits = { calls_in_flight: 4, tokens_per_month: 1_000 }

const deed = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('begin' as const), node: fc.nat(2), tokens: fc.integer({ min: 1, max: 200 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('end' as const), node: fc.nat(2), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 14, arbitrary: fc.record({ do: fc.constant('steps' as const), count: fc.integer({ min: 1, max: 25 }) }) },
  // Just above what is left: admitted only if a token was lost.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('grab' as const), node: fc.nat(2), over: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), node: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 150 })),
    }),
  },
)
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never
const forgetting = fc.record({ do: fc.constant('forget' as const) })
const seed = fc.integer()

async function run(world: ClusterSimulation, deeds: readonly (Deed | { do: 'forget' })[], check: () => void): Promise<void> {
  for (const one of deeds) {
    switch (one.do) {
      case 'begin':
        world.nodes[one.node]?.begin(one.tokens)
        break
      case 'grab':
        world.nodes[one.node]?.begin(Math.max(0, limits.tokens_per_month - atMost(world)) + one.over)
        break
      case 'end':
        world.nodes[one.node]?.end(one.part)
        break
      case 'crash':
        world.nodes[one.node]?.crash()
        break
      case 'pass':
        await world.pass(one.seconds)
        break
      case 'forget':
        await world.forget()
        break
      case 'steps':
        for (let step = 0; step < one.count; step += 1) {
          await world.step()
          check()
        }
    }
    check()
  }
}

/** The sum if every admitted call costs its maximum. */
function atMost(world: ClusterSimulation): number {
  return world.sum() + world.underWay().reduce((sum, { reserved, actual }) => sum + (actual ?? reserved), 0)
}

/** Ends all calls in progress at their maximum cost; then claims of dead nodes expire. */
async function finish(world: ClusterSimulation): Promise<void> {
  await world.settleDown()
  for (const { node } of world.underWay()) node.end(1)
  await world.settleDown()
  await world.pass(leaseSeconds)
}

test('for any history of calls and nodes, the sum never exceeds the budget, and no claim outlives its call by more than a lease', async () => {
  await fc.assert(
    fc.asyncProperty(seed, fc.array(deed, { minLength: 30, maxLength: 200, size: 'max' }), async (seed, deeds) => {
      const world = openClusterSimulation(randomOf(seed), 3, limits)
      await run(world, deeds, () => {
        const open = world.underWay().filter(({ actual }) => actual === undefined)
        expect(open.length).toBeLessThanOrEqual(limits.calls_in_flight)
        expect(atMost(world)).toBeLessThanOrEqual(limits.tokens_per_month)
      })
      await finish(world)
      expect(await world.claims()).toEqual([])
      // The rest can be spent to the last token, and not one more.
      const left = limits.tokens_per_month - world.sum()
      const [first, second] = world.nodes
      second?.begin(left + 1)
      await world.settleDown()
      expect(second?.refused.at(-1)).toBe('spent')
      if (left > 0) first?.begin(left)
      await world.settleDown()
      expect(world.underWay().map(({ reserved }) => reserved)).toEqual(left > 0 ? [left] : [])
    }),
    { numRuns: 120, endOnFailure: true },
  )
})

test('a cache that loses its data gives away no more than was claimed at that moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      seed,
      fc.array(fc.oneof({ weight: 25, arbitrary: deed }, { weight: 1, arbitrary: forgetting }), {
        minLength: 30,
        maxLength: 200,
        size: 'max',
      }),
      async (seed, deeds) => {
        const world = openClusterSimulation(randomOf(seed), 3, limits)
        let given = 0
        for (const one of deeds) {
          if (one.do === 'forget') given += world.claimed()
          await run(world, [one], () => expect(world.sum()).toBeLessThanOrEqual(limits.tokens_per_month + given))
        }
        await finish(world)
        expect(await world.claims()).toEqual([])
      },
    ),
    { numRuns: 100, endOnFailure: true },
  )
})

test('of two calls that compete for the last slot, one gets it', async () => {
  await fc.assert(
    fc.asyncProperty(seed, async (seed) => {
      const world = openClusterSimulation(randomOf(seed), 2, limits)
      for (const node of world.nodes) node.begin(600)
      await world.settleDown()
      expect(world.underWay().length).toBeLessThanOrEqual(1)
      // Never both refused permanently because of each other.
      for (const node of world.nodes) if (node.refused.length > 0) node.begin(400)
      await world.settleDown()
      expect(world.underWay().reduce((sum, { reserved }) => sum + reserved, 0)).toBeGreaterThanOrEqual(400)
    }),
    { numRuns: 100, endOnFailure: true },
  )
})

test('of sums reported in the wrong order, the largest counts', async () => {
  const cache = openInProcessCache({ log: () => undefined })
  const ground = {
    ...{ cache, limits, now: () => 0, readSum: async () => 0, writeRows: async () => undefined, pause: async () => undefined },
    failed: (error: unknown) => {
      throw error
    },
  }
  const [first, second] = [openCallSlots(ground), openCallSlots(ground)]
  const call = (generation_id: string, tokens: number) => ({ user_id: 'mara', month: '2026-09', generation_id, tokens })
  const [one, two] = [await first.take(call('one', 100)), await second.take(call('two', 100))]
  if (!one.ok || !two.ok) throw new Error('both fit')
  second.release(two.place, 200)
  await second.idle()
  first.release(one.place, 100)
  await first.idle()
  expect(await first.take(call('three', 801))).toEqual({ ok: false, reason: 'spent', spent: 200 })
  expect(await first.take(call('four', 800))).toMatchObject({ ok: true })
  // Another month has its own sums.
  expect(await second.take({ ...call('five', 200), month: '2026-10' })).toMatchObject({ ok: true })
  await cache.close()
})

function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
