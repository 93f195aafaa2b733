// How long searches in many passages take, compared with a bare FTS5 table and the same words.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { KnowledgeIndex } from '../packages/runtime/src/kb/index/knowledge-index.ts'
import { openWorkerCalls } from '../packages/runtime/src/thread/worker-calls.ts'
import { type BenchRow, quantile } from './bench.ts'
import { wordSource } from './kb-data.ts'
import { seeded } from './recall-data.ts'

const passages = Number(process.env.KB_PASSAGES ?? 200_000)
const perDocument = 20
const [model, dimension] = ['random 512', 512]
const asked = 200

export async function searchTimes(folder: string, progress: (line: string) => void): Promise<BenchRow[]> {
  progress(`${passages} passages`)
  const path = join(folder, 'many.db')
  const entry = new URL('../packages/runtime/src/kb/kb-thread.js', import.meta.url)
  const calls = openWorkerCalls<KnowledgeIndex>({
    entry,
    name: 'knowledge',
    workerData: { path, isOwner: true, cells: new SharedArrayBuffer(16) },
  })
  const bare = new DatabaseSync(join(folder, 'bare.db'))
  bare.exec("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter unicode61 remove_diacritics 2')")
  const insert = bare.prepare('INSERT INTO texts (body) VALUES (?)')
  const word = wordSource(11)
  const paragraph = () => Array.from({ length: 130 }, word).join(' ')
  const began = performance.now()
  for (let at = 0; at < passages / perDocument; at += 50) {
    const documents = Array.from({ length: 50 }, (_, index) => documentOf(at + index, Array.from({ length: perDocument }, paragraph)))
    await calls.call('put', ['source', documents])
    bare.exec('BEGIN')
    for (const { result } of documents) for (const { from, to } of result.blocks) insert.run(result.text.slice(from, to))
    bare.exec('COMMIT')
  }
  progress(`indexed in ${Math.round((performance.now() - began) / 1_000)} s, with the bare table`)
  await putVectors(calls)
  const queries = Array.from({ length: asked + 10 }, () => Array.from({ length: 4 }, word).join(' '))
  const query = (text: string) => ({ query: text, sources: ['source'], k: 10 })
  const random = seeded(5)
  const vector = () => ({ model, vector: Float32Array.from({ length: dimension }, () => random() - 0.5) })
  const words = await timed(queries, (text) => calls.call('find', [{ ...query(text), channels: ['lexical'] }, null]))
  const both = await timed(queries, (text) => calls.call('find', [query(text), vector()]))
  const select = bare.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10')
  const barely = await timed(queries, (text) =>
    Promise.resolve(
      select.all(
        text
          .split(' ')
          .map((one) => `"${one}"`)
          .join(' OR '),
      ),
    ),
  )
  await calls.call('close', [])
  await calls.terminate()
  bare.close()
  return [0.5, 0.99].flatMap((fraction) => {
    const name = fraction === 0.5 ? 'p50' : 'p99'
    const [ours, with_meaning, limit] = [words, both, barely].map((times) => quantile(times, fraction)) as [number, number, number]
    const common = { unit: 'ms', better: 'lower', peers: { 'bare FTS5': limit }, limit: null } as const
    return [
      {
        ...common,
        metric: `search by words, ${name}, ${passages} passages`,
        ours,
        target: 'at most 1.5 × bare FTS5',
        met: ours <= 1.5 * limit,
      },
      {
        ...common,
        metric: `search by words and meaning, ${name}, ${passages} passages`,
        ours: with_meaning,
        target: 'at most 1.5 × bare FTS5 + 25 ms',
        met: with_meaning <= 1.5 * limit + 25,
      },
    ]
  })
}

function documentOf(number: number, paragraphs: readonly string[]) {
  const text = paragraphs.join('\n\n')
  let from = 0
  const blocks = paragraphs.map((paragraph) => {
    const block = { kind: 'paragraph' as const, from, to: from + paragraph.length }
    from += paragraph.length + 2
    return block
  })
  return {
    ...{ name: `${number}.txt`, path: `/documents/${number}.txt`, seen_at: 0, sha256: String(number) },
    stats: { size: text.length, mtime: 1, ctime: 1, ino: number },
    result: { format: 'text' as const, title: null, text, encoding: { name: 'utf-8' as const, mark_bytes: 0 }, blocks, notes: [] },
  }
}

async function putVectors(calls: ReturnType<typeof openWorkerCalls<KnowledgeIndex>>): Promise<void> {
  const random = seeded(3)
  for (;;) {
    const texts = await calls.call('unembedded', [model, ['kb'], 1_000])
    if (texts.length === 0) return
    const vector = () => Float32Array.from({ length: dimension }, () => random() - 0.5)
    await calls.call('putVectors', [model, texts.map((one) => ({ ...one, vector: vector() }))])
  }
}

/** The first ten are not counted: they read what is kept in memory afterwards. */
async function timed(queries: readonly string[], search: (query: string) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (const query of queries) {
    const from = performance.now()
    await search(query)
    took.push(performance.now() - from)
  }
  return took.slice(10)
}
