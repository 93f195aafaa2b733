// Long-term memory at growing sizes: searches, additions, flushes, the prompt section, and what is stored.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { benchMemories } from './memory-data.ts'
import type { Filled } from './memory-fill.ts'
import { counts, type Measured, type MeasuredPeer, type MeasuredTandem, type Times, timed } from './memory-times.ts'
import { installPeer } from './peer.ts'

const sizes = (process.env.MEMORIES ?? '1000,10000,100000').split(',').map(Number)
/** More would take the peer hours. */
const mostForPeer = 10_000
const peerMinutes = 30
/** Its store needs `better-sqlite3`; this version is prebuilt. */
const mem0 = { mem0ai: '3.3.1', 'better-sqlite3': '13.0.3' }

type Progress = (line: string) => void

export const bench: Bench = {
  name: 'memory',
  summary: `search, add, flush of ${counts.messages} messages without a model, prompt section and growth at ${sizes.join(', ')} memories, beside mem0ai`,
  async run(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
    const peer = installPeer(mem0, { 'better-sqlite3': mem0['better-sqlite3'] })
    const embedder = start('memory-embedder.ts', [String(counts.messages)])
    try {
      const [{ url }] = (await once(embedder, 'message')) as [{ url: string }]
      const rows: BenchRow[] = []
      for (const size of sizes) rows.push(...(await rowsAt(size, join(folder, String(size)), peer.folder, url, progress)))
      return rows
    } finally {
      embedder.kill()
      peer.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function rowsAt(size: number, home: string, peerFolder: string, url: string, progress: Progress): Promise<BenchRow[]> {
  progress(`${size} memories`)
  const filled = await result<Filled>('memory-fill.ts', [home, url, String(size)])
  progress(`${filled.active} of them are active`)
  const ours = await result<MeasuredTandem>('memory-tandem.ts', [home, url, String(size)])
  progress(`the flushes wrote ${ours.flushed} memories; Tandem: ${medians(ours)}`)
  const theirs = size > mostForPeer ? null : await measuredPeer(peerFolder, url, size, progress)
  if (theirs) progress(`mem0ai: ${medians(theirs)}`)
  const bare = await bareInserts(`${home}-bare.db`)

  type Metric = 'search' | 'add' | 'addAndFind' | 'flush'
  const row = (metric: string, unit: string, mine: number, rest: Partial<BenchRow> = {}): BenchRow => ({
    ...{ metric: `${metric}, ${size} memories`, unit, better: 'lower', ours: mine, peers: {}, limit: null, target: null, met: null },
    ...rest,
  })
  const atMost = (mine: number, most: number) => ({ target: `at most ${most} ms`, met: mine <= most })
  const beside = (metric: string, name: Metric, fraction: number, more: Partial<BenchRow> = {}) => {
    const [mine, peer] = [ours, theirs].map((one) => (one ? quantile(one[name].took, fraction) : null))
    const target = peer === null || peer === undefined ? {} : { target: 'at most mem0ai', met: (mine ?? 0) <= peer }
    return row(metric, 'ms', mine ?? 0, { ...(peer ? { peers: { mem0ai: peer } } : {}), ...target, ...more })
  }
  const blocked = (metric: string, { blocked: mine }: Times, name: Metric | null, most: number) =>
    row(`${metric}, main thread blocked, longest`, 'ms', mine, {
      ...(theirs && name ? { peers: { mem0ai: theirs[name].blocked } } : {}),
      ...atMost(mine, most),
    })
  const perMemory = (bytes: number) => bytes / size
  const firstFlush = ours.flush.took[0] ?? 0
  return [
    beside('search, p50', 'search', 0.5),
    beside('search, p99', 'search', 0.99),
    blocked('search', ours.search, 'search', 20),
    beside('add, p50', 'add', 0.5, { limit: quantile(bare.took, 0.5) }),
    beside('add, p99', 'add', 0.99, { limit: quantile(bare.took, 0.99) }),
    beside('add until a search finds it, p50', 'addAndFind', 0.5),
    beside('add until a search finds it, p99', 'addAndFind', 0.99),
    row(`flush of ${counts.messages} messages, first after the start`, 'ms', firstFlush, atMost(firstFlush, 500)),
    beside(`flush of ${counts.messages} messages, p50`, 'flush', 0.5),
    blocked(`flush of ${counts.messages} messages`, ours.flush, 'flush', 100),
    row('prompt section, p50', 'ms', quantile(ours.prompt.took, 0.5), atMost(quantile(ours.prompt.took, 0.5), 50)),
    row('prompt section, p99', 'ms', quantile(ours.prompt.took, 0.99), atMost(quantile(ours.prompt.took, 0.99), 200)),
    blocked('prompt section', ours.prompt, null, 20),
    row('database, per memory', 'bytes', perMemory(filled.database_bytes), { limit: perMemory(filled.text_bytes) }),
    row('recall index, per memory', 'bytes', perMemory(filled.recall_bytes)),
    row('both, per memory', 'bytes', perMemory(filled.database_bytes + filled.recall_bytes), {
      ...(theirs ? { peers: { mem0ai: perMemory(theirs.bytes) } } : {}),
    }),
  ]
}

function medians({ search, add, flush }: Measured): string {
  const [found, added, flushed] = [search, add, flush].map(({ took }) => median(took).toFixed(0))
  return `a search ${found} ms, an addition ${added} ms, a flush ${flushed} ms`
}

/** The limit of an addition: one row with the same text, on disk. */
async function bareInserts(path: string): Promise<Times> {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE memories (id INTEGER PRIMARY KEY, content TEXT)')
  const insert = database.prepare('INSERT INTO memories (content) VALUES (?)')
  const times = await timed(benchMemories(0, counts.adds), async ({ content }) => void insert.run(content))
  database.close()
  return times
}

/** Null when it needs too much time. */
async function measuredPeer(folder: string, url: string, size: number, progress: Progress): Promise<MeasuredPeer | null> {
  // It would report its use over the network, and write to the home folder.
  const environment = { ...process.env, HOME: folder, MEM0_DIR: join(folder, 'mem0'), MEM0_TELEMETRY: 'false' }
  const child = start('memory-mem0.ts', [folder, url, String(size)], environment)
  const limit = setTimeout(() => child.kill('SIGKILL'), peerMinutes * 60_000)
  try {
    return await reply<MeasuredPeer>(child)
  } catch (error) {
    if (child.signalCode !== 'SIGKILL') throw error
    progress(`mem0ai is left out at ${size} memories: it needs more than ${peerMinutes} minutes`)
    return null
  } finally {
    clearTimeout(limit)
  }
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  return fork(join(import.meta.dirname, program), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env })
}

async function result<Value>(program: string, args: readonly string[]): Promise<Value> {
  return await reply<Value>(start(program, args))
}

async function reply<Value>(child: ChildProcess): Promise<Value> {
  const ended = once(child, 'exit')
  const first = await Promise.race([once(child, 'message'), ended.then(() => null)])
  if (first === null) throw new Error(`${child.spawnargs[1]} ended with ${child.exitCode ?? child.signalCode}`)
  await ended
  return first[0]
}
