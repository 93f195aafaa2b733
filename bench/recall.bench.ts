// Recall and speed of retrieval. Quality is reported for the half of the history that was not used for tuning.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import { RecallIndex } from '../packages/runtime/src/recall/index/recall-index.ts'
import { type Weights, weights } from '../packages/runtime/src/recall/rule/rank.ts'
import type { RecallText } from '../packages/runtime/src/recall/text.ts'
import { openWorkerCalls } from '../packages/runtime/src/thread/worker-calls.ts'
import { type Bench, quantile, type Row } from './bench.ts'
import { history, kinds, manyTexts, type Question, recallAt, scope, seeded } from './recall-data.ts'
import { bareFts5, orama, type Searcher } from './recall-peers.ts'

const space = 'history'
const dimension = 512
const sizes = [1_000, 10_000, 100_000]

export const bench: Bench = {
  name: 'recall',
  summary: 'recall@k on the held-out history with no model and with the bundled one, and search times; beside Orama and a bare FTS5 table',
  async run(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
    const peer = await orama()
    try {
      return [...(await quality(folder, peer, progress)), ...(await times(folder, peer, progress))]
    } finally {
      peer.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

type Peer = Awaited<ReturnType<typeof orama>>
type Found = ReadonlyMap<Question, readonly string[]>

async function quality(folder: string, peer: Peer, progress: (line: string) => void): Promise<Row[]> {
  progress('the held-out history')
  const { texts, questions } = history('held-out')
  const index = new RecallIndex(join(folder, 'quality.db'))
  index.apply({ space, texts, removed: [] })
  const embedder = openBundledEmbedder(systemClock)
  const embed = (some: readonly string[]) => embedder.embed(some, new AbortController().signal)
  for (let rest = index.unembedded(name, [space], 32); rest.length > 0; rest = index.unembedded(name, [space], 32)) {
    const vectors = await embed(rest.map(({ text }) => text))
    index.putVectors(
      name,
      rest.map((one, at) => ({ ...one, vector: vectors[at] ?? new Float32Array(dimension) })),
    )
  }
  const meant = new Map<Question, Float32Array>()
  for (const question of questions) meant.set(question, (await embed([question.question]))[0] ?? new Float32Array(dimension))
  await embedder.stop()
  const answers = (semantic: boolean, by: Weights = weights, diverse = false): Found =>
    new Map(
      questions.map((one) => {
        const vector = semantic ? { model: name, vector: meant.get(one) ?? new Float32Array(dimension) } : null
        return [one, index.search({ scope: [scope], query: one.question, k: 20, diverse }, vector, by).hits.map(({ id }) => id)]
      }),
    )
  const [bare, other] = [bareFts5(texts), await peer.open(texts)]
  const peers = { 'bare FTS5': await peerAnswers(bare, questions), Orama: await peerAnswers(other, questions) }
  bare.close()
  const [lexical, both] = [answers(false), answers(true)]
  const rows = [5, 10, 20].flatMap((k) => [
    share(`recall@${k}, no model`, lexical, peers, k),
    share(`recall@${k}, bundled model`, both, peers, k),
  ])
  for (const kind of kinds.filter((one) => one !== 'unknown')) {
    rows.push(share(`recall@10, ${kind}, no model`, of(kind, lexical), mapped(peers, kind), 10))
    rows.push(share(`recall@10, ${kind}, bundled model`, of(kind, both), mapped(peers, kind), 10))
  }
  for (const signal of ['group', 'neighbors', 'speaker'] as const) {
    rows.push(share(`recall@10 without ${signal}, no model`, answers(false, { ...weights, [signal]: 0 }), {}, 10))
  }
  rows.push(share('recall@10, several, groups in turns', of('several', answers(true, weights, true)), {}, 10))
  index.close()
  return rows
}

const name = 'bundled universal-sentence-encoder-lite-en 512'

async function peerAnswers(searcher: Searcher, questions: readonly Question[]): Promise<Found> {
  const found = new Map<Question, readonly string[]>()
  for (const one of questions) found.set(one, await searcher.search(one.question, 20))
  return found
}

function of(kind: string, found: Found): Found {
  return new Map([...found].filter(([one]) => one.kind === kind))
}

function mapped(peers: Readonly<Record<string, Found>>, kind: string): Record<string, Found> {
  return Object.fromEntries(Object.entries(peers).map(([peer, found]) => [peer, of(kind, found)]))
}

function share(metric: string, found: Found, peers: Readonly<Record<string, Found>>, k: number): Row {
  const percent = (all: Found) => {
    const known = [...all].filter(([one]) => one.evidence.length > 0)
    return (100 * known.reduce((sum, [one, ids]) => sum + recallAt(ids, one, k), 0)) / known.length
  }
  const beside = Object.fromEntries(Object.entries(peers).map(([peer, all]) => [peer, percent(all)]))
  return { metric, unit: '%', better: 'higher', ours: percent(found), peers: beside, limit: null, target: null, met: null }
}

async function times(folder: string, peer: Peer, progress: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    progress(`${size} texts`)
    const texts = manyTexts(size)
    const calls = openWorkerCalls<RecallIndex>({
      entry: new URL('../packages/runtime/src/recall/recall-thread.js', import.meta.url),
      name: 'recall',
      workerData: { path: join(folder, `${size}.db`) },
    })
    const began = performance.now()
    for (let at = 0; at < size; at += 256) await calls.call('apply', [{ space, texts: texts.slice(at, at + 256), removed: [] }])
    const indexing = (performance.now() - began) / size
    await putVectors(calls, size)
    await calls.call('tidy', [20_000])
    const queries = queriesFor(texts)
    const random = seeded(5)
    const vector = () => ({ model: 'random 512', vector: Float32Array.from({ length: dimension }, () => random() - 0.5) })
    const timed = async (search: (query: string) => Promise<unknown> | unknown): Promise<readonly number[]> => {
      const took: number[] = []
      for (const query of queries) {
        const from = performance.now()
        await search(query)
        took.push(performance.now() - from)
      }
      return took.slice(10)
    }
    const [bare, other] = [bareFts5(texts), size > 10_000 ? null : await peer.open(texts)]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const words = await timed((query) => calls.call('search', [{ scope: [scope], query, channels: ['lexical'] }, null]))
    const both = await timed((query) => calls.call('search', [{ scope: [scope], query }, vector()]))
    delay.disable()
    const barely = await timed((query) => bare.search(query, 10))
    const others = other ? await timed((query) => other.search(query, 10)) : null
    bare.close()
    const figures = await calls.call('figures', [])
    await calls.terminate()
    const most = size === 10_000 ? 10 : size === 100_000 ? 60 : null
    const row = (metric: string, ours: number, beside: Record<string, number>, limit: number | null): Row => {
      const target = limit === null ? null : `at most ${limit} ms`
      return {
        metric: `${metric}, ${size} texts`,
        unit: 'ms',
        better: 'lower',
        ours,
        peers: beside,
        limit: null,
        target,
        met: limit === null ? null : ours <= limit,
      }
    }
    const beside = (fraction: number) => ({
      'bare FTS5': quantile(barely, fraction),
      ...(others ? { Orama: quantile(others, fraction) } : {}),
    })
    rows.push(
      row('search by words, p50', quantile(words, 0.5), beside(0.5), most),
      row('search by words, p99', quantile(words, 0.99), beside(0.99), most && 4 * most),
      row('search by words and meaning, p50', quantile(both, 0.5), {}, most),
      row('search by words and meaning, p99', quantile(both, 0.99), {}, most && 4 * most),
      row('main thread held up, p99', Math.max(0, delay.percentile(99) / 1e6 - 1), {}, 2),
      row('indexing, per text', indexing, {}, null),
      {
        metric: `vectors in memory, ${size} texts`,
        unit: 'MB',
        better: 'lower',
        ours: figures.vector_bytes / 1e6,
        peers: {},
        limit: null,
        target: null,
        met: null,
      },
      {
        metric: `index file, ${size} texts`,
        unit: 'MB',
        better: 'lower',
        ours: figures.file_bytes / 1e6,
        peers: {},
        limit: null,
        target: null,
        met: null,
      },
    )
  }
  return rows
}

type Calls = ReturnType<typeof openWorkerCalls<RecallIndex>>

async function putVectors(calls: Calls, size: number): Promise<void> {
  const random = seeded(3)
  for (let done = 0; done < size; ) {
    const rest = await calls.call('unembedded', ['random 512', [space], 500])
    if (rest.length === 0) return
    done += rest.length
    await calls.call('putVectors', [
      'random 512',
      rest.map((one) => ({ ...one, vector: Float32Array.from({ length: dimension }, () => random() - 0.5) })),
    ])
  }
}

/** Questions as users ask them, and some words of a text: rare and common ones. */
function queriesFor(texts: readonly RecallText[]): readonly string[] {
  const asked = [...history('tuning').questions, ...history('held-out').questions].map(({ question }) => question)
  const random = seeded(9)
  return Array.from({ length: 210 }, (_, no) => {
    if (no % 2 === 0) return asked[no % asked.length] ?? ''
    const words = (texts[Math.floor(random() * texts.length)]?.text ?? '').split(' ')
    return words.slice(0, 6).join(' ')
  })
}
