// What each kind of request costs: processor time of the server, PostgreSQL and Redis, bytes on the wire, of WAL and on the disk.
// `npm run sizing` calculates with these figures (docs/operations/sizing.md).
import type { Bench, BenchRow } from './bench.ts'
import { type CostBackend, startCostBackend, type Usage } from './cost-backend.ts'
import { type BenchConnection, tailField } from './sync-connection.ts'
import { syncPayloads } from './sync-data.ts'

const callers = 4
const counts = { warmUp: 400, few: 400, many: 1_200 }
const usualUsers = 40

interface Kind {
  readonly name: string
  readonly count: number
  readonly users?: number
  /** The cache is empty: each request is the first of its session for a long time. */
  readonly forget?: true
  send(wire: BenchConnection, caller: number, number: number): Promise<{ sent: number; received: Buffer }>
}

const post = async (wire: BenchConnection, path: string, value: object) => {
  const body = Buffer.from(JSON.stringify(value))
  return { sent: body.length, received: await wire.send('POST', path, body) }
}
const read = async (wire: BenchConnection, path: string) => ({ sent: 0, received: await wire.send('GET', path) })
const push = (size: number) => (wire: BenchConnection, caller: number, number: number) =>
  post(wire, '/api/v1/sync/push', { device_id: 'bench', changes: syncPayloads(`push-${size}-${caller}-${number}`, size) })

const vitals = { app_version: '0.1.0', sandbox_mode: 'workspace', running_runs: 0, paused_runs: 0, sync_lag: { pending_changes: 0 } }
const record = { ts: '2026-01-01T00:00:00.000Z', level: 'info', message: 'The run has ended. '.repeat(5), fields: [] }

/** Reported as the difference to a pull of a session that is cached. */
const pullWithSession = 'pull without changes that reads its session'

const kinds: readonly Kind[] = [
  {
    name: 'heartbeat',
    count: counts.many,
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
  {
    name: 'model call',
    count: counts.few,
    send: (wire) => post(wire, '/api/v1/llm/chat/completions', { model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] }),
  },
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
  let wire = 0
  const run = async (from: number, count: number) => {
    let next = from
    const caller = async () => {
      for (let number = next++; number < from + count; number = next++) {
        const index = number % users.length
        const user = users[index]
        if (!user) continue
        const { sent, received } = await kind.send(user, index, number)
        wire += sent + received.length
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }
  const changes = syncPayloads('first', kind.name.includes('500') ? 500 : 10)
  cursors = []
  for (const user of users)
    cursors.push(tailField((await post(user, '/api/v1/sync/push', { device_id: 'bench', changes })).received, 'cursor_ts'))
  await run(0, Math.min(counts.warmUp, kind.count))
  wire = 0
  if (kind.forget) await backend.forget()
  const before = await backend.usage()
  await run(kind.count, kind.count)
  const after = await backend.usage()
  for (const user of users) user.close()
  const each = (name: keyof Usage) => Math.max(0, after[name] - before[name]) / kind.count
  return {
    node: each('node'),
    postgres: each('postgres'),
    redis: each('redis'),
    wire: wire / kind.count,
    wal: each('wal'),
    disk: each('disk'),
  }
}

const units: Readonly<Record<keyof Cost, string>> = { node: 'ms', postgres: 'ms', redis: 'ms', wire: 'bytes', wal: 'bytes', disk: 'bytes' }

function row(metric: string, name: string, value: number): BenchRow {
  const unit = Object.entries(units).find(([known]) => known === name)?.[1] ?? ''
  return { metric, unit, better: 'lower', ours: value, peers: {}, limit: null, target: null, met: null }
}
