// Three times the capacity of a node: accepted requests stay fast, the rest is refused at once. Server and database on one core, load on the other.
import { readFileSync } from 'node:fs'
import { type Bench, type BenchRow, quantile } from './bench.ts'
import { pinToCore } from './cores.ts'
import { type LoadRequest, openLoad } from './overload-load.ts'
import { syncPayloads } from './sync-data.ts'
import { bulkBody, startPouchServer } from './sync-pouchdb.ts'
import { pushBody, startBackend } from './sync-tandem.ts'

const size = 100
const users = 64
const seconds = { capacity: 8, half: 10, triple: 15 }

export const bench: Bench = {
  name: 'overload',
  summary: `pushes of ${size} changes, open loop at half and at three times capacity; server and database on core 0, load on core 1`,
  async run(progress) {
    pinToCore(1)

    progress('ours')
    const backend = await startBackend({ core: 0 })
    const ours = await measure(backend.pid, await oursTarget(backend), progress)
    await backend.stop()

    progress('installing pouchdb-server into a temporary folder')
    const pouch = await startPouchServer({ core: 0 })
    const theirs = await measure(pouch.pid, await pouchTarget(pouch), progress)
    await pouch.stop()
    return rows(ours, theirs)
  },
}

interface Target {
  readonly base: string
  shot(number: number): LoadRequest
}

async function oursTarget(backend: Awaited<ReturnType<typeof startBackend>>): Promise<Target> {
  const bodies = Array.from({ length: 400 }, (_, index) => pushBody(syncPayloads(`fact-${index}`, size)))
  const everybody = await Promise.all(Array.from({ length: users }, () => backend.token()))
  return {
    base: backend.url,
    shot(number) {
      const authorization = `Bearer ${everybody[number % users]}`
      return {
        path: '/api/v1/sync/push',
        headers: { authorization },
        body: bodies[Math.floor(number / users) % bodies.length] ?? Buffer.alloc(0),
      }
    },
  }
}

async function pouchTarget(pouch: Awaited<ReturnType<typeof startPouchServer>>): Promise<Target> {
  const bodies = Array.from({ length: 400 }, (_, index) => bulkBody(syncPayloads(`fact-${index}`, size)))
  for (let index = 0; index < users; index += 1) (await pouch.user(`user-${index}`)).close()
  return {
    base: pouch.base,
    shot: (number) => ({
      path: `/user-${number % users}/_bulk_docs`,
      headers: {},
      body: bodies[Math.floor(number / users) % bodies.length] ?? Buffer.alloc(0),
    }),
  }
}

interface Measured {
  readonly capacity: number
  readonly half: number
  readonly triple: number
  readonly goodput: number
  readonly shed: number
  readonly failed: number
  readonly growth: number
}

async function measure(pid: number, target: Target, progress: (line: string) => void): Promise<Measured> {
  const load = openLoad(target.base)
  let number = 0
  const next = () => target.shot(number++)
  try {
    await load.closed(next, 16, 3)
    const capacity = (await load.closed(next, 16, seconds.capacity)).accepted.length / seconds.capacity
    const half = await load.open(next, capacity / 2, seconds.half)
    const before = residentBytes(pid)
    const triple = await load.open(next, capacity * 3, seconds.triple)
    const growth = (residentBytes(pid) - before) / 2 ** 20
    const result = {
      capacity,
      half: quantile(half.accepted, 0.99),
      triple: quantile(triple.accepted, 0.99),
      goodput: triple.accepted.length / triple.seconds,
      shed: triple.refused,
      failed: triple.failed + half.failed,
      growth,
    }
    progress(
      `capacity ${capacity.toFixed(0)}/s; p99 at half ${result.half.toFixed(0)} ms, at three times ${result.triple.toFixed(0)} ms; refused ${result.shed}, failed ${result.failed}`,
    )
    return result
  } finally {
    load.close()
  }
}

function rows(ours: Measured, theirs: Measured): BenchRow[] {
  const ratio = (one: Measured) => one.triple / one.half
  return [
    {
      metric: `capacity, in pushes of ${size} changes`,
      unit: 'pushes/s',
      better: 'higher',
      ours: ours.capacity,
      peers: { 'pouchdb-server': theirs.capacity },
      limit: null,
      target: null,
      met: null,
    },
    {
      metric: 'p99 of accepted pushes, at 3 × capacity over at half capacity',
      unit: '×',
      better: 'lower',
      ours: ratio(ours),
      peers: { 'pouchdb-server': ratio(theirs) },
      limit: null,
      target: '≤ 3',
      met: ratio(ours) <= 3,
    },
    {
      metric: 'accepted at 3 × capacity over capacity',
      unit: '×',
      better: 'higher',
      ours: ours.goodput / ours.capacity,
      peers: { 'pouchdb-server': theirs.goodput / theirs.capacity },
      limit: 1,
      target: '≥ 0.7',
      met: ours.goodput / ours.capacity >= 0.7,
    },
    {
      metric: 'neither accepted nor shed with 429 or 503',
      unit: 'requests',
      better: 'lower',
      ours: ours.failed,
      peers: { 'pouchdb-server': theirs.failed },
      limit: 0,
      target: 'none',
      met: ours.failed === 0,
    },
    {
      metric: 'shed at 3 × capacity',
      unit: 'requests',
      better: 'higher',
      ours: ours.shed,
      peers: { 'pouchdb-server': theirs.shed },
      limit: null,
      target: 'some: whoever accepts everything has not been overloaded',
      met: ours.shed > 0,
    },
    {
      metric: 'memory grown at 3 × capacity',
      unit: 'MiB',
      better: 'lower',
      ours: ours.growth,
      peers: { 'pouchdb-server': theirs.growth },
      limit: null,
      target: 'flat (≤ 64)',
      met: ours.growth <= 64,
    },
  ]
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
