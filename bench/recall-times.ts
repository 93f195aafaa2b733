// How long searches and indexing take, and what they need.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import type { RecallIndex } from '../packages/runtime/src/recall/index/recall-index.ts'
import { openRecall } from '../packages/runtime/src/recall/recall.ts'
import { openSettings } from '../packages/runtime/src/settings/settings.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { openWorkerCalls } from '../packages/runtime/src/thread/worker-calls.ts'
import { type BenchRow, quantile } from './bench.ts'
import { manyTexts, queriesFor, scope, seeded } from './recall-data.ts'
import { bareFts5, type OramaPeer } from './recall-peers.ts'

const space = 'history'
const [model, dimension] = ['random 512', 512]
const sizes = [1_000, 10_000, 100_000]
/** What Orama may need at most. */
const [oramaMegabytes, oramaMinutes] = [4_096, 3]

type Calls = ReturnType<typeof openWorkerCalls<RecallIndex>>
type Progress = (line: string) => void

export async function times(folder: string, peer: OramaPeer, progress: Progress): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of sizes) rows.push(...(await timesAt(size, join(folder, `${size}.db`), peer, progress)))
  return rows
}

async function timesAt(size: number, path: string, peer: OramaPeer, progress: Progress): Promise<BenchRow[]> {
  progress(`${size} texts`)
  const texts = manyTexts(size)
  const entry = new URL('../packages/runtime/src/recall/recall-thread.js', import.meta.url)
  const calls = openWorkerCalls<RecallIndex>({ entry, name: 'recall', workerData: { path } })
  const began = performance.now()
  for (let at = 0; at < size; at += 256) await calls.call('apply', [{ space, texts: texts.slice(at, at + 256), removed: [] }])
  const indexing = (performance.now() - began) / size
  await putVectors(calls, size)
  await calls.call('tidy', [20_000])
  const queries = queriesFor(texts)
  const random = seeded(5)
  const vector = () => ({ model, vector: Float32Array.from({ length: dimension }, () => random() - 0.5) })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const words = await timed(queries, (query) => calls.call('search', [{ scope: [scope], query, channels: ['lexical'] }, null]))
  const both = await timed(queries, (query) => calls.call('search', [{ scope: [scope], query }, vector()]))
  delay.disable()
  const idle = await idleDelay()
  const figures = await calls.call('figures', [])
  await calls.call('close', [])
  await calls.terminate()
  const bare = bareFts5(texts)
  const barely = await timed(queries, (query) => bare.search(query, 10))
  bare.close()
  const other = oramaTimes(peer.folder, size, progress)
  const memory = memoryOf(path)
  const most = size === 10_000 ? 10 : size === 100_000 ? 60 : null
  const row = (metric: string, ours: number, limit: number | null = null, unit = 'ms'): BenchRow => ({
    ...{ metric: `${metric}, ${size} texts`, unit, better: 'lower', ours, peers: {}, limit: null },
    target: limit === null ? null : `at most ${limit} ${unit}`,
    met: limit === null ? null : ours <= limit,
  })
  const beside = (fraction: number, orama: number | undefined) => ({
    'bare FTS5': quantile(barely, fraction),
    ...(orama === undefined ? {} : { Orama: orama }),
  })
  return [
    { ...row('search by words, p50', quantile(words, 0.5), most), peers: beside(0.5, other?.p50) },
    { ...row('search by words, p99', quantile(words, 0.99), most && 4 * most), peers: beside(0.99, other?.p99) },
    row('search by words and meaning, p50', quantile(both, 0.5), most),
    row('search by words and meaning, p99', quantile(both, 0.99), most && 4 * most),
    { ...row('main thread held up, p99', heldUp(delay.percentile(99)), 2), limit: idle.p99 },
    { ...row('main thread held up, longest', heldUp(delay.max), 2), limit: idle.longest },
    row('indexing, per text', indexing),
    row('kept in memory for searches', (figures.vector_bytes + figures.layout_bytes) / 1e6, null, 'MB'),
    row('memory of the process, recall thread', memory.thread, null, 'MB'),
    row('memory of the process, with the bundled embedder', memory.withEmbedder, null, 'MB'),
    row('index file', figures.file_bytes / 1e6, null, 'MB'),
  ]
}

/** The first ten warm up. */
async function timed(queries: readonly string[], search: (query: string) => unknown): Promise<readonly number[]> {
  const took: number[] = []
  for (const query of queries) {
    const from = performance.now()
    await search(query)
    took.push(performance.now() - from)
  }
  return took.slice(10)
}

/** What the same timer shows when nothing is done: the rest of the machine, and the garbage collector. */
async function idleDelay(): Promise<{ readonly p99: number; readonly longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  delay.disable()
  return { p99: heldUp(delay.percentile(99)), longest: heldUp(delay.max) }
}

/** A timer of 1 ms is what is measured with. */
function heldUp(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - 1)
}

async function putVectors(calls: Calls, size: number): Promise<void> {
  const random = seeded(3)
  for (let done = 0; done < size; ) {
    const rest = await calls.call('unembedded', [model, [space], 500])
    if (rest.length === 0) return
    done += rest.length
    await calls.call('putVectors', [
      model,
      rest.map((one) => ({ ...one, vector: Float32Array.from({ length: dimension }, () => random() - 0.5) })),
    ])
  }
}

/** Null when it needs too much memory or time. */
function oramaTimes(folder: string, size: number, progress: Progress): { readonly p50: number; readonly p99: number } | null {
  const program = fileURLToPath(new URL('./recall-orama.ts', import.meta.url))
  const { status, signal, stdout, stderr, error } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${oramaMegabytes}`, program, folder, String(size)],
    { encoding: 'utf8', timeout: oramaMinutes * 60_000, killSignal: 'SIGKILL' },
  )
  if (status === 0) return JSON.parse(stdout)
  const isLate = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT'
  // Node aborts when its memory is used up.
  if (!isLate && signal !== 'SIGABRT') throw new Error(`Orama could not be measured: ${stderr}`)
  const why = isLate ? `it needs more than ${oramaMinutes} minutes` : `it needs more than ${oramaMegabytes} MB`
  progress(`Orama is left out at ${size} texts: ${why}`)
  return null
}

function memoryOf(path: string): { readonly thread: number; readonly withEmbedder: number } {
  const program = fileURLToPath(new URL('./recall-memory.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, path, model, String(dimension)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the memory could not be measured: ${stderr}`)
  return JSON.parse(stdout)
}

/** The way of a record into the index: written with its change, read by its source, indexed by the thread. */
export async function indexingRate(home: string, progress: Progress): Promise<BenchRow[]> {
  const size = 10_000
  progress(`${size} records`)
  mkdirSync(home, { recursive: true })
  const store = openStore({ home, clock: systemClock })
  const { sql } = store
  sql.run`CREATE TABLE bench_texts (id TEXT PRIMARY KEY, text TEXT NOT NULL)`
  const recall = openRecall({
    ...{ home, store, clock: systemClock, life: 'errand', settings: openSettings(home), log: (line: string) => progress(line) },
    ...{ model: () => null, address: () => null },
  })
  recall.add({
    space,
    read: (ids) =>
      sql.all<{ text: string }>`SELECT text FROM bench_texts WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.map(
        ({ text }) => JSON.parse(text),
      ),
    ids: (after, limit) =>
      sql.all<{ id: string }>`SELECT id FROM bench_texts WHERE id > ${after ?? ''} ORDER BY id LIMIT ${limit}`.map(({ id }) => id),
  })
  await recall.settled()
  const texts = manyTexts(size)
  store.transaction(() => {
    for (const text of texts) sql.run`INSERT INTO bench_texts (id, text) VALUES (${text.id}, ${JSON.stringify(text)})`
    recall.changed(
      space,
      texts.map(({ id }) => id),
    )
  })
  // Nothing else keeps the process alive while it waits.
  const alive = setInterval(() => undefined, 1_000)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  await recall.settled()
  const seconds = (performance.now() - began) / 1_000
  delay.disable()
  clearInterval(alive)
  const idle = await idleDelay()
  const { texts: indexed } = await recall.state()
  if (indexed !== size) throw new Error(`${indexed} of ${size} records were indexed`)
  await recall.stop()
  store.close()
  const held = (metric: string, ours: number, limit: number): BenchRow => ({
    ...{ metric: `indexing ${size} records, main thread held up, ${metric}`, unit: 'ms', better: 'lower', ours, peers: {}, limit },
    ...{ target: 'at most 2 ms', met: ours <= 2 },
  })
  return [
    {
      ...{ metric: `indexing ${size} records`, unit: 'texts/s', better: 'higher', ours: size / seconds },
      ...{ peers: {}, limit: null, target: null, met: null },
    },
    held('p99', heldUp(delay.percentile(99)), idle.p99),
    held('longest', heldUp(delay.max), idle.longest),
  ]
}
