// Sync: changes in and rows out per second, compared with pouchdb-server and bare PostgreSQL; and whether a large account costs more.
import type { Change } from '@tandem/contract/sync'
import { type Bench, type BenchRow, median } from './bench.ts'
import { countOf } from './sync-connection.ts'
import { syncPayloads } from './sync-data.ts'
import { measureGrowth } from './sync-growth.ts'
import { insertAll, limitBatch } from './sync-limit.ts'
import { measureMachine } from './sync-machine.ts'
import { bulkBody, type PouchServer, startPouchServer } from './sync-pouchdb.ts'
import { type Backend, pushBody, startBackend } from './sync-tandem.ts'

const rounds = 5
const users = 4
const batches = 8
const size = 500
const total = users * batches * size

export const bench: Bench = {
  name: 'sync',
  summary: `1 KiB payloads, batches of ${size}, ${users} users, medians of ${rounds}; PostgreSQL with fsync, pouchdb-server in memory`,
  async run(progress) {
    progress('installing pouchdb-server into a temporary folder')
    const pouch = await startPouchServer()
    const backend = await startBackend()
    let rows: BenchRow[]
    try {
      const speeds: Speeds[] = []
      // One additional round: the first is a warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const speed = { ...(await ours(backend, round)), ...(await limit(backend, round)), ...(await theirs(pouch, round)) }
        progress(
          `round ${round}: ${Object.entries(speed)
            .map(([name, value]) => `${name} ${Math.round(value)}/s`)
            .join(', ')}`,
        )
        if (round > 0) speeds.push(speed)
      }
      rows = [...speedRows(speeds), ...(await measureGrowth(backend, progress))]
    } finally {
      await Promise.all([backend.stop(), pouch.stop()])
    }
    return [...rows, ...(await measureMachine(progress))]
  },
}

interface Speeds {
  readonly push: number
  readonly pull: number
  readonly limit: number
  readonly pouch_push: number
  readonly pouch_pull: number
}

function speedRows(speeds: readonly Speeds[]): BenchRow[] {
  const of = (name: keyof Speeds) => median(speeds.map((speed) => speed[name]))
  const [push, pull, peerPush, peerPull, bare] = [of('push'), of('pull'), of('pouch_push'), of('pouch_pull'), of('limit')]
  return [
    {
      metric: 'push',
      unit: 'changes/s',
      better: 'higher',
      ours: push,
      peers: { 'pouchdb-server': peerPush },
      limit: bare,
      target: '≥ 3 × pouchdb-server and ≥ 0.5 × limit',
      met: push >= 3 * peerPush && push >= 0.5 * bare,
    },
    {
      metric: 'pull',
      unit: 'rows/s',
      better: 'higher',
      ours: pull,
      peers: { 'pouchdb-server': peerPull },
      limit: null,
      target: '≥ 3 × pouchdb-server',
      met: pull >= 3 * peerPull,
    },
  ]
}

async function ours(backend: Backend, round: number): Promise<Pick<Speeds, 'push' | 'pull'>> {
  const everybody = await Promise.all(Array.from({ length: users }, () => backend.user()))
  const bodies = batchesOf(round, pushBody)
  const push = await perSecond(() => together(everybody, bodies))
  const pages: Buffer[] = []
  const pull = await perSecond(async () => {
    for (const read of await Promise.all(everybody.map((user) => user.pullAll()))) pages.push(...read)
  })
  expectAll(countOf(pages, '"entity_id":"'))
  for (const user of everybody) user.close()
  return { push, pull }
}

async function theirs(pouch: PouchServer, round: number): Promise<Pick<Speeds, 'pouch_push' | 'pouch_pull'>> {
  const everybody = await Promise.all(Array.from({ length: users }, (_, index) => pouch.user(`user-${round}-${index}`)))
  const bodies = batchesOf(round, bulkBody)
  const pouch_push = await perSecond(() => together(everybody, bodies))
  const pages: Buffer[] = []
  const pouch_pull = await perSecond(async () => {
    for (const read of await Promise.all(everybody.map((user) => user.pullAll()))) pages.push(...read)
  })
  expectAll(countOf(pages, '"doc":{'))
  for (const user of everybody) user.close()
  return { pouch_push, pouch_pull }
}

async function limit(backend: Backend, round: number): Promise<Pick<Speeds, 'limit'>> {
  const lists = batchesOf(round, limitBatch)
  return { limit: await perSecond(() => insertAll(backend.sql, lists)) }
}

/** Each user's batches sequentially; the users concurrently. */
async function together(
  everybody: readonly { push(body: Buffer): Promise<Buffer> }[],
  bodies: readonly (readonly Buffer[])[],
): Promise<void> {
  await Promise.all(
    everybody.map(async (user, index) => {
      for (const body of bodies[index] ?? []) await user.push(body)
    }),
  )
}

function batchesOf<Batch>(round: number, make: (changes: Change[]) => Batch): Batch[][] {
  return Array.from({ length: users }, (_, user) =>
    Array.from({ length: batches }, (_, batch) => make(syncPayloads(`fact-${round}-${user}-${batch}`, size))),
  )
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (total * 1_000) / (performance.now() - started)
}

function expectAll(count: number): void {
  if (count !== total) throw new Error(`${count} rows came back, not ${total}`)
}
