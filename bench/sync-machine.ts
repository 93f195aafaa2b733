// The sync benchmark with all cores of the machine: as many processes of each subject as there are cores, and what each of them costs.
import { availableParallelism } from 'node:os'
import { type BenchRow, median } from './bench.ts'
import { treeMilliseconds } from './process-cpu.ts'
import { syncPayloads } from './sync-data.ts'
import { bulkBody, type PouchServer, startPouchServer } from './sync-pouchdb.ts'
import { type Backend, pushBody, startBackend } from './sync-tandem.ts'

const rounds = 3
const [batches, size] = [8, 500]

interface Speed {
  readonly rate: number
  /** Milliseconds of processor time per 1,000 changes, with the database and the cache. */
  readonly cost: number
}

export async function measureMachine(progress: (line: string) => void): Promise<BenchRow[]> {
  const cores = availableParallelism()
  const users = 4 * cores
  progress(`starting ${cores} processes of each`)
  const ours = await startBackend({ workers: cores })
  const theirs: PouchServer[] = []
  try {
    for (let n = 0; n < cores; n += 1) theirs.push(await startPouchServer())
    const speeds: { ours: Speed; theirs: Speed }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const speed = { ours: await pushOurs(ours, users, round), theirs: await pushTheirs(theirs, users, round) }
      progress(`round ${round}: ours ${Math.round(speed.ours.rate)}/s, pouchdb-server ${Math.round(speed.theirs.rate)}/s`)
      if (round > 0) speeds.push(speed)
    }
    const of = (subject: 'ours' | 'theirs', name: keyof Speed) => median(speeds.map((speed) => speed[subject][name]))
    const shared = { limit: null, target: null, met: null }
    return [
      {
        ...{ metric: `push, whole machine (${cores} processes each)`, unit: 'changes/s', better: 'higher', ...shared },
        ...{ ours: of('ours', 'rate'), peers: { 'pouchdb-server': of('theirs', 'rate') } },
      },
      {
        ...{ metric: 'push, processor time per 1,000 changes, with database and cache', unit: 'ms', better: 'lower', ...shared },
        ...{ ours: of('ours', 'cost'), peers: { 'pouchdb-server': of('theirs', 'cost') } },
      },
    ]
  } finally {
    await ours.sql.end()
    await Promise.all([ours.stop(), ...theirs.map((server) => server.stop())])
  }
}

async function pushOurs(backend: Backend, users: number, round: number): Promise<Speed> {
  const everybody = await Promise.all(Array.from({ length: users }, () => backend.user()))
  const pids = [backend.pid, ...(backend.redis_pid === undefined ? [] : [backend.redis_pid])]
  const speed = await measured(pids, everybody, (user, batch) => pushBody(syncPayloads(`machine-${round}-${user}-${batch}`, size)))
  for (const user of everybody) user.close()
  return speed
}

async function pushTheirs(servers: readonly PouchServer[], users: number, round: number): Promise<Speed> {
  const everybody = await Promise.all(
    Array.from({ length: users }, (_, user) => {
      const server = servers[user % servers.length]
      if (!server) throw new Error('no server')
      return server.user(`machine-${round}-${user}`)
    }),
  )
  const pids = servers.map(({ pid }) => pid)
  const speed = await measured(pids, everybody, (user, batch) => bulkBody(syncPayloads(`machine-${round}-${user}-${batch}`, size)))
  for (const user of everybody) user.close()
  return speed
}

async function measured(
  pids: readonly number[],
  everybody: readonly { push(body: Buffer): Promise<Buffer> }[],
  body: (user: number, batch: number) => Buffer,
): Promise<Speed> {
  const bodies = everybody.map((_, user) => Array.from({ length: batches }, (_, batch) => body(user, batch)))
  const used = () => pids.reduce((sum, pid) => sum + treeMilliseconds(pid), 0)
  const [started, before] = [performance.now(), used()]
  await Promise.all(
    everybody.map(async (user, index) => {
      for (const one of bodies[index] ?? []) await user.push(one)
    }),
  )
  const changes = everybody.length * batches * size
  return { rate: (changes * 1_000) / (performance.now() - started), cost: ((used() - before) * 1_000) / changes }
}
