// npm run sizing -- --users 1000000: what a workload needs, calculated from the costs that `npm run bench -- cost` measured.
// Without arguments it prints the examples of docs/operations/sizing.md, which a test compares with the page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What one request of a kind costs: milliseconds of processor time, and bytes. */
export interface Cost {
  readonly node: number
  readonly postgres: number
  readonly redis: number
  readonly wire: number
  readonly wal: number
  readonly disk: number
}

export type Costs = Readonly<Record<string, Cost>>

/** What the benchmark measured. */
export interface Measured {
  readonly costs: Costs
  /** Bytes of Redis per device that is online. */
  readonly redis_memory: number
}

export interface Workload {
  readonly users: number
  /** Devices per user. */
  readonly devices: number
  /** Share of the devices that is online in the busiest hour. */
  readonly online: number
  /** Of a device that is online, in that hour. */
  readonly pushes_per_hour: number
  readonly model_calls_per_hour: number
  /** Per user, on average over all days. */
  readonly changes_per_day: number
  readonly log_records_per_day: number
  readonly model_calls_per_day: number
  /** After how many days append-only entities are moved to files, as in HISTORY_DAYS; 0: never. */
  readonly history_days: number
  /** Share of the changes that create append-only entities: messages, steps and so on. */
  readonly append_only: number
  /** Share of a day's log records that is sent in the busiest hour. */
  readonly busiest_hour: number
  /** How much of a processor may be used: the rest is for peaks and for a node that fails. */
  readonly use: number
}

export const usual: Omit<Workload, 'users'> = {
  ...{ devices: 2, online: 0.25, pushes_per_hour: 30, model_calls_per_hour: 10 },
  ...{ changes_per_day: 200, log_records_per_day: 50, model_calls_per_day: 20, busiest_hour: 0.1, use: 0.5 },
  ...{ history_days: 0, append_only: 0.8 },
}

export interface Growth {
  readonly changes: number
  readonly log_records: number
  readonly model_calls: number
}

export interface Sizing {
  readonly devices_online: number
  readonly requests_per_second: number
  /** Processes of the backend: each uses one core. */
  readonly workers: number
  readonly postgres_cores: number
  /** Of its one thread. */
  readonly redis_use: number
  readonly wal_mb_per_second: number
  readonly network_mbit_per_second: number
  readonly socket_memory_gb: number
  readonly redis_memory_gb: number
  readonly connections: number
  readonly disk_gb_per_day: number
  readonly disk_gb_per_day_of: Growth
  readonly disk_gb_after_a_year: number
  /** Of these changes, what is in files instead. */
  readonly history_gb_after_a_year: number
  /** The limit of one machine of which most is used, and how much. */
  readonly nearest: { readonly name: string; readonly used: number }
  /** The limits of one machine that are exceeded, the first one first. */
  readonly breaks: readonly string[]
}

const socketBytes = 4_506
const days = { log_records: 30, model_calls: 400 }
const heartbeatSeconds = 30
const pingSeconds = 30
/** Not requests: what a request costs in addition, and messages of sockets. */
const notRequests = new Set(['session read', 'hint', 'ping'])
/** What is stored of a device is renewed this often. */
const storedHeartbeatSeconds = 600
/** The result of a session read counts for 65 s: for two more heartbeats. */
const heartbeatsPerSessionRead = 3
const [changesPerPush, recordsPerReport] = [10, 20]

/** One machine, generously: what PostgreSQL and Redis on one machine can do before the data has to be distributed. */
const limits: readonly { readonly name: string; used(one: Omit<Sizing, 'breaks' | 'nearest'>): number }[] = [
  { name: 'PostgreSQL on one machine (64 cores): distribute it with Citus', used: (one) => one.postgres_cores / 64 },
  { name: 'connections of one PostgreSQL (2,000): use a transaction pooler', used: (one) => one.connections / 2_000 },
  { name: 'WAL of one disk (300 MB/s): distribute it with Citus', used: (one) => one.wal_mb_per_second / 300 },
  {
    name: 'disk of one PostgreSQL (16 TB after a year): distribute it, or limit the history',
    used: (one) => one.disk_gb_after_a_year / 16_000,
  },
  { name: 'one Redis (a single thread): use a Cluster', used: (one) => one.redis_use },
  { name: 'memory of one Redis (64 GB): use a Cluster', used: (one) => one.redis_memory_gb / 64 },
  {
    name: 'network of one machine (10 Gbit/s): run the backend on several',
    used: (one) => one.network_mbit_per_second / 10_000,
  },
]

/** Requests of each kind, and reads of sessions, per second in the busiest hour. */
export function ratesOf(work: Workload): Readonly<Record<string, number>> {
  const online = work.users * work.devices * work.online
  const pushes = (online * work.pushes_per_hour) / 3_600
  // Each push makes the other devices of the account that are online pull.
  const pulls = pushes * (work.devices - 1) * work.online
  const calls = (online * work.model_calls_per_hour) / 3_600
  const reports = ((work.users * work.log_records_per_day) / recordsPerReport) * (work.busiest_hour / 3_600)
  const heartbeats = online / heartbeatSeconds
  const stored = online / storedHeartbeatSeconds
  return {
    heartbeat: heartbeats - stored,
    'heartbeat that is stored': stored,
    'push of 10 changes': pushes,
    'pull of 10 rows': pulls,
    'report of 20 log records': reports,
    'model call': calls,
    // Each pull follows a hint.
    hint: pulls,
    ping: online / pingSeconds,
    // One that is stored includes it. Other requests of a device are more than the five seconds apart for which a result counts.
    'session read': (heartbeats - stored) / heartbeatsPerSessionRead + pushes + pulls + reports + calls,
  }
}

/** Bytes per user and day that the database grows by, by kind: each row with its indexes, as the benchmark measured it. */
export function growthOf(costs: Costs, work: Workload): Growth {
  const disk = (kind: string) => costs[kind]?.disk ?? Number.NaN
  return {
    changes: (work.changes_per_day * disk('push of 10 changes')) / changesPerPush,
    log_records: (work.log_records_per_day * disk('report of 20 log records')) / recordsPerReport,
    model_calls: work.model_calls_per_day * disk('model call'),
  }
}

/** Pure: the same figures and workload always have the same result. */
export function sizeOf({ costs, redis_memory }: Measured, work: Workload): Sizing {
  const devices_online = work.users * work.devices * work.online
  const rates = ratesOf(work)
  const sum = (name: keyof Cost) =>
    Object.entries(rates).reduce((total, [kind, rate]) => total + rate * (costs[kind]?.[name] ?? Number.NaN), 0)
  const workers = Math.max(2, Math.ceil(sum('node') / 1_000 / work.use))
  const growth = growthOf(costs, work)
  const moved = work.history_days === 0 ? 0 : growth.changes * work.append_only * Math.max(0, 365 - work.history_days)
  const kept =
    growth.changes * 365 -
    moved +
    growth.log_records * Math.min(365, days.log_records) +
    growth.model_calls * Math.min(365, days.model_calls)
  const requests = Object.entries(rates).filter(([kind]) => !notRequests.has(kind))
  const sizing = {
    devices_online,
    requests_per_second: requests.reduce((total, [, rate]) => total + rate, 0),
    workers,
    postgres_cores: Math.max(1, Math.ceil(sum('postgres') / 1_000 / work.use)),
    redis_use: sum('redis') / 1_000,
    wal_mb_per_second: sum('wal') / 1e6,
    network_mbit_per_second: (sum('wire') * 8) / 1e6,
    socket_memory_gb: (devices_online * socketBytes) / 1e9,
    redis_memory_gb: (devices_online * redis_memory) / 1e9,
    connections: workers * 30,
    disk_gb_per_day_of: {
      changes: (work.users * growth.changes) / 1e9,
      log_records: (work.users * growth.log_records) / 1e9,
      model_calls: (work.users * growth.model_calls) / 1e9,
    },
    disk_gb_per_day: (work.users * (growth.changes + growth.log_records + growth.model_calls)) / 1e9,
    disk_gb_after_a_year: (work.users * kept) / 1e9,
    history_gb_after_a_year: (work.users * moved) / 1e9,
  }
  const used = limits.map(({ name, used }) => ({ name, used: used(sizing) })).sort((one, other) => other.used - one.used)
  const [nearest = { name: '', used: 0 }] = used
  return { ...sizing, nearest, breaks: used.filter((limit) => limit.used > 1).map(({ name }) => name) }
}

/** The rows of `npm run bench -- cost --json`, by kind of request. */
export function measuredOf(rows: readonly { readonly metric: string; readonly ours: number }[]): Measured {
  const costs: Record<string, Record<string, number>> = {}
  for (const { metric, ours } of rows) {
    const [kind = '', name] = metric.split(': ')
    if (name !== undefined) costs[kind] = { ...costs[kind], [name]: ours }
  }
  const complete = Object.entries(costs).map(([kind, { node = 0, postgres = 0, redis = 0, wire = 0, wal = 0, disk = 0 }]) => {
    return [kind, { node, postgres, redis, wire, wal, disk }] as const
  })
  const memory = rows.find(({ metric }) => metric === 'Redis memory per device online')
  return { costs: Object.fromEntries(complete), redis_memory: memory?.ours ?? Number.NaN }
}

const folder = join(import.meta.dirname, '../docs/operations')
export const costFile = join(folder, 'cost.json')
export const pageFile = join(folder, 'sizing.md')

export function readMeasured(file: string = costFile): Measured {
  return measuredOf(JSON.parse(readFileSync(file, 'utf8')).rows)
}

export const exampleUsers = [10_000, 1_000_000, 10_000_000]

/** The parts of the page that are calculated. */
export function exampleText(measured: Measured): string {
  const sizings = exampleUsers.map((users) => sizeOf(measured, { users, ...usual }))
  const line = (name: string, value: (one: Sizing) => string) => `| ${name} | ${sizings.map(value).join(' | ')} |`
  return [
    `| users | ${exampleUsers.map(figure).join(' | ')} |`,
    `|---|${exampleUsers.map(() => '---').join('|')}|`,
    line('devices online', (one) => figure(one.devices_online)),
    line('requests per second', (one) => figure(one.requests_per_second)),
    line('worker processes of the backend', (one) => figure(one.workers)),
    line('cores of PostgreSQL', (one) => figure(one.postgres_cores)),
    line('use of one Redis thread', (one) => `${figure(one.redis_use * 100)} %`),
    line('WAL, MB per second', (one) => figure(one.wal_mb_per_second)),
    line('network, Mbit per second', (one) => figure(one.network_mbit_per_second)),
    line('memory of sockets, GB', (one) => figure(one.socket_memory_gb)),
    line('memory of Redis, GB', (one) => figure(one.redis_memory_gb)),
    line('connections to PostgreSQL', (one) => figure(one.connections)),
    line('growth of the disk, GB per day', (one) => figure(one.disk_gb_per_day)),
    line('of which changes', (one) => figure(one.disk_gb_per_day_of.changes)),
    line('of which log records, until they are 30 days old', (one) => figure(one.disk_gb_per_day_of.log_records)),
    line('of which model calls, until they are 400 days old', (one) => figure(one.disk_gb_per_day_of.model_calls)),
    line('disk after a year, GB', (one) => figure(one.disk_gb_after_a_year)),
    line('nearest limit of one machine', (one) => `${nameOf(one.nearest.name)}: ${figure(one.nearest.used * 100)} %`),
    line('what breaks first', (one) => one.breaks.join('; then ') || 'nothing'),
  ].join('\n')
}

/** Without the advice. */
function nameOf(limit: string): string {
  return limit.split(':')[0] ?? ''
}

export function costText({ costs }: Measured): string {
  const names = ['node', 'postgres', 'redis', 'wire', 'wal', 'disk'] as const
  return [
    '| request | server, ms | PostgreSQL, ms | Redis, ms | on the wire, bytes | WAL, bytes | disk, bytes |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(costs).map(([kind, cost]) => `| ${kind} | ${names.map((name) => figure(cost[name])).join(' | ')} |`),
  ].join('\n')
}

function figure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(2)))
}

const shares = ['online', 'append_only', 'busiest_hour', 'use']

/** What the arguments say: a workload, or none for the examples of the page. A wrong one is refused, or its result would look right. */
export function readArguments(args: readonly string[]): { cost?: string; work?: Workload } | { problem: string } {
  const names = ['users', ...Object.keys(usual)]
  const given: Record<string, number> = {}
  let cost: string | undefined
  for (let at = 0; at < args.length; at += 2) {
    const [name = '', text = ''] = [args[at]?.replace(/^--/, ''), args[at + 1]]
    const value = Number(text)
    if (name === 'cost' && text !== '') cost = text
    else if (!names.includes(name))
      return { problem: `"${args[at]}" is not understood; use ${names.map((one) => `--${one} N`).join(', ')}` }
    else if (!/^[\d.]+(e\d+)?$/.test(text) || !Number.isFinite(value)) return { problem: `--${name} needs a number` }
    else if (shares.includes(name) && value > 1) return { problem: `--${name} is a share, at most 1` }
    else if (['users', 'use'].includes(name) && value === 0) return { problem: `--${name} must be more than 0` }
    else given[name] = value
  }
  const file = cost === undefined ? {} : { cost }
  const { users, ...rest } = given
  if (users !== undefined) return { ...file, work: { ...usual, ...rest, users } }
  return Object.keys(rest).length === 0 ? file : { problem: 'name the number of users, such as --users 50000' }
}

if (import.meta.main) {
  const read = readArguments(process.argv.slice(2))
  if ('problem' in read) {
    console.error(`sizing: ${read.problem}`)
    process.exitCode = 2
  } else {
    const measured = readMeasured(read.cost)
    console.log(read.work ? JSON.stringify(sizeOf(measured, read.work), undefined, 2) : `${costText(measured)}\n\n${exampleText(measured)}`)
  }
}
