// For tests: several nodes with one cache and one ledger, in a simulation where every command and response has its own delay, nodes die and
// the clock is controlled. One seed is one history.
import type { Cache } from '../../src/cache/cache.ts'
import { openInProcessCache } from '../../src/cache/in-process.ts'
import { type CallSlot, type CallSlots, openCallSlots, renewSeconds, slotLeaseSeconds } from '../../src/llm/meter/call-slots.ts'
import type { BudgetClaim } from '../../src/llm/meter/claim.ts'
import { readClaim } from '../../src/llm/meter/claim.ts'

export interface ClusterSimulation {
  readonly nodes: readonly Node[]
  /** The ledger's sum of the month. */
  sum(): number
  /** What pending calls, ended or not, may still add to the sum. */
  underWay(): Call[]
  /** Everything that is claimed or about to be. */
  claimed(): number
  /** One random step of the possible ones. */
  step(): Promise<boolean>
  /** Runs until nothing is left to do. */
  settleDown(): Promise<void>
  /** Advances the clock by seconds; living nodes renew in time. */
  pass(seconds: number): Promise<void>
  /** The cache loses everything. */
  forget(): Promise<void>
  claims(): Promise<BudgetClaim[]>
}

interface Call {
  readonly node: Node
  readonly place: CallSlot
  readonly reserved: number
  actual: number | undefined
}

interface Node {
  places: CallSlots
  begin(tokens: number): void
  /** Ends one of its calls, at a part of the reserved cost. */
  end(part: number): void
  /** Restarts with nothing in memory. */
  crash(): void
  /** Tokens of calls that have no response yet. */
  asked: number
  readonly refused: string[]
}

const user_id = '01890000-0000-7000-8000-000000000001'
const month = '2026-09'

export function openClusterSimulation(
  random: () => number,
  nodeCount: number,
  limits: { calls_in_flight: number; tokens_per_month: number },
): ClusterSimulation {
  let time = 0
  let sum = 0
  let made = 0
  const under = new Set<Call>()
  const cache = openInProcessCache({ log: () => undefined, clock: { now: () => time, every: () => () => undefined } })
  /** What can happen next, by its actor: commands and responses of one connection keep their order. */
  const lanes = new Map<string, (() => Promise<void>)[]>()

  function later<T>(lane: string, run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const queue = lanes.get(lane) ?? []
      lanes.set(lane, queue)
      queue.push(async () => {
        const answer = run()
        answer.catch(() => undefined)
        const answers = lanes.get(`${lane} answers`) ?? []
        lanes.set(`${lane} answers`, answers)
        answers.push(async () => void (await answer.then(resolve, reject)))
      })
    })
  }

  function wire(lane: string): Cache {
    return {
      ...cache,
      get: (key) => later(lane, () => cache.get(key)),
      getMany: (keys) => later(lane, () => cache.getMany(keys)),
      set: (key, value, ttl) => later(lane, () => cache.set(key, value, ttl)),
      add: (key, value, ttl) => later(lane, () => cache.add(key, value, ttl)),
      delete: (...keys) => later(lane, () => cache.delete(...keys)),
    }
  }

  function openNode(index: number): Node {
    let life = 0
    const open = (): CallSlots => {
      const lane = `node ${index} life ${life}`
      return openCallSlots({
        cache: wire(lane),
        limits,
        now: () => time,
        readSum: () => later(`${lane} database`, async () => sum),
        writeRows: async () => undefined,
        pause: () => later(`${lane} pause ${Math.floor(random() * 3)}`, async () => undefined),
        failed: (error) => {
          throw error
        },
      })
    }
    const node: Node = {
      places: open(),
      asked: 0,
      refused: [],
      begin(tokens) {
        const { places } = node
        made += 1
        node.asked += tokens
        void places.take({ user_id, month, tokens, generation_id: `call-${made}` }).then((verdict) => {
          if (node.places !== places) return
          node.asked -= tokens
          if (verdict.ok) under.add({ node, place: verdict.place, reserved: tokens, actual: undefined })
          else node.refused.push(verdict.reason)
        })
      },
      end(part) {
        const call = [...under].find((one) => one.node === node && one.actual === undefined)
        if (!call) return
        const { places } = node
        const actual = Math.floor(call.reserved * part)
        call.actual = actual
        places.settle(call.place, actual)
        void later(`node ${index} life ${life} database`, async () => {
          sum += actual
          under.delete(call)
          return sum
        }).then((total) => places.release(call.place, total))
      },
      crash() {
        for (const lane of [...lanes.keys()]) if (lane.startsWith(`node ${index} life ${life}`)) lanes.delete(lane)
        for (const call of under) if (call.node === node) under.delete(call)
        life += 1
        node.asked = 0
        node.places = open()
      },
    }
    return node
  }

  const nodes = Array.from({ length: nodeCount }, (_, index) => openNode(index))

  async function step(): Promise<boolean> {
    const ready = [...lanes].filter(([, queue]) => queue.length > 0)
    const [, queue] = ready[Math.floor(random() * ready.length)] ?? []
    const run = queue?.shift()
    if (!run) return false
    await run()
    // Code that waits for the response runs before anything else happens.
    await new Promise((resolve) => setImmediate(resolve))
    return true
  }

  async function settleDown(): Promise<void> {
    while (await step());
  }

  return {
    nodes,
    sum: () => sum,
    underWay: () => [...under],
    claimed: () =>
      [...nodes.map(({ asked }) => asked), ...[...under].map(({ reserved }) => reserved)].reduce((sum, tokens) => sum + tokens, 0),
    step,
    settleDown,
    async pass(seconds) {
      for (let left = seconds; left > 0; left -= renewSeconds) {
        time += Math.min(left, renewSeconds) * 1_000
        for (const { places } of nodes) void places.renew()
        await settleDown()
      }
    },
    async forget() {
      const keys = await everyKey()
      await cache.delete(...keys)
    },
    async claims() {
      const values = await cache.getMany((await everyKey()).filter((key) => key.startsWith('llm:place:')))
      return values.filter((value) => value !== undefined).map(readClaim)
    },
  }

  async function everyKey(): Promise<string[]> {
    const places = Array.from({ length: limits.calls_in_flight + 16 }, (_, n) => n)
    const seed = `llm:spent:${user_id}:${month}`
    return [seed, ...places.flatMap((n) => [`llm:place:${user_id}:${n}`, `${seed}:${n}`])]
  }
}

/** Longer than anything that a dead node leaves behind. */
export const leaseSeconds = slotLeaseSeconds + renewSeconds
