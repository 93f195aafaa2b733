// What each kind of request costs: processor time of the server, PostgreSQL and Redis, bytes on the wire, of WAL and on the disk.
// `npm run sizing` calculates with these figures (docs/operations/sizing.md).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, BenchRow } from './bench.ts'
import { type CostBackend, type CostUser, startCostBackend, type Usage } from './cost-backend.ts'
import { tailField } from './sync-connection.ts'
import { syncPayloads } from './sync-data.ts'

const callers = 4
const counts = { warmUp: 400, few: 400, many: 1_200 }
const usualUsers = 40
const settleMs = 2_500

interface Kind {
  readonly name: string
  readonly count: number
  readonly users?: number
  /** A process that has served few requests of a kind is still compiling its code for them. */
  readonly warmUp?: number
  /** Its row is written about a second later: wait for it, before and after. */
  readonly settle?: true
  /** The cache is empty: each request is the first of its session for a long time. */
  readonly forget?: true
  send(wire: CostUser, caller: number, number: number): Promise<unknown>
}

const post = (wire: CostUser, path: string, value: object) => wire.send('POST', path, Buffer.from(JSON.stringify(value)))
const read = (wire: CostUser, path: string) => wire.send('GET', path)
const push = (size: number) => (wire: CostUser, caller: number, number: number) =>
  post(wire, '/api/v1/sync/push', { device_id: 'bench', changes: syncPayloads(`push-${size}-${caller}-${number}`, size) })
const modelCall = (model: string) => (wire: CostUser) =>
  post(wire, '/api/v1/llm/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] })

const vitals = { app_version: '0.1.0', sandbox_mode: 'workspace', running_runs: 0, paused_runs: 0, sync_lag: { pending_changes: 0 } }
const record = { ts: '2026-01-01T00:00:00.000Z', level: 'info', message: 'The run has ended. '.repeat(5), fields: [] }

/** Reported as the difference to a pull of a session that is cached. */
const pullWithSession = 'pull without changes that reads its session'

const kinds: readonly Kind[] = [
  {
    name: 'heartbeat',
    ...{ count: counts.many, warmUp: 2_000 },
    send: (wire, _, n) => post(wire, '/api/v1/device/heartbeat', { device_id: `d${Math.floor(n / 40) % 10}`, ...vitals }),
  },
  {
    name: 'heartbeat that is stored',
    ...{ count: counts.few, users: counts.few, forget: true },
    send: (wire) => post(wire, '/api/v1/device/heartbeat', { device_id: 'd0', ...vitals }),
  },
  { name: 'push of 1 change', count: counts.few, send: push(1) },
  { name: 'push of 10 changes', count: counts.few, send: push(10) },
  { name: 'push of 100 changes', count: counts.few / 4, send: push(100) },
  {
    name: 'pull without changes',
    count: counts.many,
    send: (wire, caller) => read(wire, `/api/v1/sync/pull?cursor_ts=${cursors[caller]}&device_id=bench`),
  },
  {
    name: pullWithSession,
    ...{ count: counts.few, users: counts.few, forget: true },
    send: (wire, caller) => read(wire, `/api/v1/sync/pull?cursor_ts=${cursors[caller]}&device_id=bench`),
  },
  { name: 'pull of 10 rows', count: counts.few, send: (wire) => read(wire, '/api/v1/sync/pull?limit=10') },
  { name: 'pull of 500 rows', count: counts.few / 4, send: (wire) => read(wire, '/api/v1/sync/pull?limit=500') },
  {
    name: 'report of 20 log records',
    count: counts.few / 4,
    send: (wire) => post(wire, '/api/v1/logs', { records: Array.from({ length: 20 }, () => record) }),
  },
  // The provider is a process on loopback that answers at once. One call of each user: several would be written in one transaction.
  { name: 'model call', ...{ count: counts.few, users: counts.few, settle: true }, send: modelCall('openai/mock') },
  { name: 'model call of the scripted model', ...{ count: counts.few, users: counts.few, settle: true }, send: modelCall('demo/scripted') },
]
/** Of the callers, after their first push. */
let cursors: string[] = []

export const bench: Bench = {
  name: 'cost',
  summary: 'processor time and bytes per request, by kind; the server, PostgreSQL with fsync and Redis on this machine',
  async run(progress) {
    const backend = await startCostBackend()
    try {
      const rows: BenchRow[] = []
      const measured = new Map<string, Cost>()
      for (const each of kinds) {
        const whole = await measure(backend, each)
        measured.set(each.name, whole)
        const base = each.name === pullWithSession ? measured.get('pull without changes') : undefined
        const [kind, cost] = base ? [{ name: 'session read' }, less(whole, base)] : [each, whole]
        progress(
          `${kind.name}: ${Object.entries(cost)
            .map(([name, value]) => `${name} ${value.toFixed(2)}`)
            .join(', ')}`,
        )
        for (const [name, value] of Object.entries(cost)) rows.push(row(`${kind.name}: ${name}`, name, value))
      }
      for (const [kind, cost] of Object.entries(await measureSockets(backend))) {
        progress(`${kind}: wire ${cost.wire.toFixed(1)}, node ${cost.node.toFixed(3)}`)
        for (const [name, value] of Object.entries(cost)) rows.push(row(`${kind}: ${name}`, name, value))
      }
      const memory = await measureRedisMemory(backend)
      progress(`Redis memory per device online: ${memory.toFixed(0)}`)
      rows.push(row('Redis memory per device online', 'memory', memory))
      return rows
    } finally {
      await backend.stop()
    }
  },
}

type Cost = Usage & { readonly wire: number }

function less(cost: Cost, base: Cost): Cost {
  const of = (name: keyof Cost) => Math.max(0, cost[name] - base[name])
  return { node: of('node'), postgres: of('postgres'), redis: of('redis'), wire: 0, wal: of('wal'), disk: of('disk') }
}

async function measure(backend: CostBackend, kind: Kind): Promise<Cost> {
  // Many users: the limits of one would refuse the load.
  const users = await Promise.all(Array.from({ length: kind.users ?? usualUsers }, () => backend.user()))
  const run = async (from: number, count: number) => {
    let next = from
    const caller = async () => {
      for (let number = next++; number < from + count; number = next++) {
        const index = number % users.length
        const user = users[index]
        if (!user) continue
        await kind.send(user, index, number)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }
  const changes = syncPayloads('first', kind.name.includes('500') ? 500 : 10)
  cursors = []
  for (const user of users) cursors.push(tailField(await post(user, '/api/v1/sync/push', { device_id: 'bench', changes }), 'cursor_ts'))
  const warmUp = kind.warmUp ?? Math.min(counts.warmUp, kind.count)
  await run(0, warmUp)
  const settle = () => (kind.settle ? sleep(settleMs) : undefined)
  await settle()
  if (kind.forget) await backend.forget()
  const cost = await costOf(
    backend,
    kind.count,
    () => users.reduce((sum, user) => sum + user.traffic(), 0),
    async () => {
      await run(warmUp, kind.count)
      await settle()
    },
  )
  for (const user of users) user.close()
  return cost
}

async function costOf(backend: CostBackend, count: number, traffic: () => number, work: () => Promise<unknown>): Promise<Cost> {
  const [before, sent] = [await backend.usage(), traffic()]
  await work()
  const after = await backend.usage()
  const each = (name: keyof Usage) => Math.max(0, after[name] - before[name]) / count
  const wire = (traffic() - sent) / count
  return { node: each('node'), postgres: each('postgres'), redis: each('redis'), wire, wal: each('wal'), disk: each('disk') }
}

/** A hint that another node sends to one socket, and a ping. Too little processor time is used for a ping to be measured. */
async function measureSockets(backend: CostBackend): Promise<Record<string, Cost>> {
  const users = await Promise.all(Array.from({ length: usualUsers }, () => backend.user()))
  const sockets = await Promise.all(users.map((user) => user.listen()))
  const traffic = () => sockets.reduce((sum, socket) => sum + socket.traffic(), 0)
  const hints = (rounds: number) =>
    Promise.all(
      users.map(async (user, index) => {
        for (let round = 0; round < rounds; round += 1) {
          const heard = sockets[index]?.heard()
          user.hint()
          await heard
        }
      }),
    )
  await hints(10)
  const hint = await costOf(backend, 30 * usualUsers, traffic, () => hints(30))
  const [sent, pinged] = [traffic(), sockets.map(({ pings }) => pings)]
  const pings = () => sockets.map((socket, index) => socket.pings - (pinged[index] ?? 0))
  while (pings().includes(0)) await sleep(1_000)
  const ping = (traffic() - sent) / pings().reduce((sum, count) => sum + count, 0)
  for (const user of users) user.close()
  for (const socket of sockets) socket.close()
  return { hint, ping: { node: 0, postgres: 0, redis: 0, wire: ping, wal: 0, disk: 0 } }
}

/** Right after a heartbeat, a push and a pull of each device, of which every limit is still counted. */
async function measureRedisMemory(backend: CostBackend): Promise<number> {
  const devices = counts.many
  await backend.forget()
  const before = await backend.redisMemory()
  const caller = async (index: number) => {
    for (let done = index; done < devices; done += callers) {
      const user = await backend.user()
      await post(user, '/api/v1/device/heartbeat', { device_id: 'd0', ...vitals })
      await push(1)(user, done, 0)
      await read(user, '/api/v1/sync/pull?limit=10')
      user.close()
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  return ((await backend.redisMemory()) - before) / devices
}

const units: Readonly<Record<string, string>> = { node: 'ms', postgres: 'ms', redis: 'ms' }
const heartbeatTarget = 0.5

function row(metric: string, name: string, value: number): BenchRow {
  const judged =
    metric === 'heartbeat: node' ? { target: `≤ ${heartbeatTarget}`, met: value <= heartbeatTarget } : { target: null, met: null }
  return { metric, unit: units[name] ?? 'bytes', better: 'lower', ours: value, peers: {}, limit: null, ...judged }
}
