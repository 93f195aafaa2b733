// How much of what a question needs is among the first hits, for the half of the history that was not used for tuning.
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import type { RecallHit } from '../packages/runtime/src/recall/answer.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import { RecallIndex } from '../packages/runtime/src/recall/index/recall-index.ts'
import { type Weights, weights } from '../packages/runtime/src/recall/rule/rank.ts'
import type { RecallText } from '../packages/runtime/src/recall/text.ts'
import { type BenchRow, median } from './bench.ts'
import { history, kinds, type Question, recallAt, scope } from './recall-data.ts'
import { bareFts5, type OramaPeer, type Searcher } from './recall-peers.ts'

const space = 'history'
const dimension = 512
const name = 'bundled universal-sentence-encoder-lite-en 512'
const depths = [5, 10, 20]

type Found = ReadonlyMap<Question, readonly string[]>
type Hits = ReadonlyMap<Question, readonly RecallHit[]>

export async function quality(folder: string, peer: OramaPeer, progress: (line: string) => void): Promise<BenchRow[]> {
  progress('the held-out history')
  const { texts, questions } = history('held-out')
  const index = new RecallIndex(join(folder, 'quality.db'))
  index.apply({ space, texts, removed: [] })
  const meant = await embedAll(index, questions)
  const answers = (semantic: boolean, by: Weights = weights, diverse = false): Hits =>
    new Map(
      questions.map((one) => {
        const vector = semantic ? { model: name, vector: meant.get(one) ?? new Float32Array(dimension) } : null
        return [one, index.search({ scope: [scope], query: one.question, k: 20, diverse }, vector, by).hits]
      }),
    )
  const [bare, other] = [bareFts5(texts), await peer.open(texts)]
  const peers = { 'bare FTS5': await peerAnswers(bare, questions), Orama: await peerAnswers(other, questions) }
  bare.close()
  const [lexical, both] = [answers(false), answers(true)]
  const rows = depths.flatMap((k) => [
    share(`recall@${k}, no model`, idsOf(lexical), peers, k),
    share(`recall@${k}, bundled model`, idsOf(both), peers, k),
  ])
  for (const kind of kinds.filter((one) => one !== 'unknown')) {
    for (const k of depths) {
      rows.push(share(`recall@${k}, ${kind}, no model`, of(kind, idsOf(lexical)), mapped(peers, kind), k))
      rows.push(share(`recall@${k}, ${kind}, bundled model`, of(kind, idsOf(both)), mapped(peers, kind), k))
    }
  }
  rows.push(
    outdatedFirst('changed, outdated above current, no model', idsOf(lexical)),
    outdatedFirst('changed, outdated above current, bundled model', idsOf(both)),
    unknownBelow('unknown, best coverage below the median of the others', lexical, ({ coverage }) => coverage),
    unknownBelow('unknown, best similarity below the median of the others', both, ({ similarity }) => similarity ?? -1),
  )
  for (const signal of ['text', 'group', 'neighbors', 'speaker', 'characters'] as const) {
    rows.push(share(`recall@10 without ${signal}, no model`, idsOf(answers(false, { ...weights, [signal]: 0 })), {}, 10))
  }
  rows.push(...withoutDates(join(folder, 'undated.db'), texts, questions))
  rows.push(share('recall@10, several, groups in turns', of('several', idsOf(answers(true, weights, true))), {}, 10))
  index.close()
  return rows
}

/** The same order of texts, but no text has a date. */
function withoutDates(path: string, texts: readonly RecallText[], questions: readonly Question[]): BenchRow[] {
  const index = new RecallIndex(path)
  index.apply({ space, texts: texts.map((text) => ({ ...text, at: null, position: text.at ?? 0 })), removed: [] })
  const found = new Map(questions.map((one) => [one, index.search({ scope: [scope], query: one.question, k: 20 }, null).hits]))
  index.close()
  return [
    share('recall@10 without date, no model', idsOf(found), {}, 10),
    share('recall@10, time, without date, no model', of('time', idsOf(found)), {}, 10),
  ]
}

/** The vectors of all texts, into the index, and those of the questions. */
async function embedAll(index: RecallIndex, questions: readonly Question[]): Promise<ReadonlyMap<Question, Float32Array>> {
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
  return meant
}

async function peerAnswers(searcher: Searcher, questions: readonly Question[]): Promise<Found> {
  const found = new Map<Question, readonly string[]>()
  for (const one of questions) found.set(one, await searcher.search(one.question, 20))
  return found
}

function idsOf(hits: Hits): Found {
  return new Map([...hits].map(([one, found]) => [one, found.map(({ id }) => id)]))
}

function of(kind: string, found: Found): Found {
  return new Map([...found].filter(([one]) => one.kind === kind))
}

function mapped(peers: Readonly<Record<string, Found>>, kind: string): Record<string, Found> {
  return Object.fromEntries(Object.entries(peers).map(([peer, found]) => [peer, of(kind, found)]))
}

function share(metric: string, found: Found, peers: Readonly<Record<string, Found>>, k: number): BenchRow {
  const percent = (all: Found) => {
    const known = [...all].filter(([one]) => one.evidence.length > 0)
    return (100 * known.reduce((sum, [one, ids]) => sum + recallAt(ids, one, k), 0)) / known.length
  }
  const beside = Object.fromEntries(Object.entries(peers).map(([peer, all]) => [peer, percent(all)]))
  return { ...percentRow(metric, percent(found), 'higher'), peers: beside }
}

/** Of the questions about changed facts for which either was found: how often a message with an earlier value comes first. */
function outdatedFirst(metric: string, found: Found): BenchRow {
  const places = [...of('changed', found)].map(([{ evidence, outdated = [] }, ids]) => {
    const first = (some: readonly string[]) => Math.min(...some.map((id) => ids.indexOf(id)).filter((at) => at !== -1))
    return { current: first(evidence), earlier: first(outdated) }
  })
  const either = places.filter(({ current, earlier }) => Math.min(current, earlier) !== Number.POSITIVE_INFINITY)
  return percentRow(metric, (100 * either.filter(({ current, earlier }) => earlier < current).length) / either.length, 'lower')
}

/**
 * Scores are scaled within one answer, so answers are compared by what is comparable: the share of the query's rare words that a text has,
 * and the cosine. 50 % would mean that questions without an answer look like all others.
 */
function unknownBelow(metric: string, hits: Hits, value: (hit: RecallHit) => number): BenchRow {
  const best = (isUnknown: boolean) =>
    [...hits].filter(([{ kind }]) => (kind === 'unknown') === isUnknown).map(([, found]) => Math.max(-1, ...found.map(value)))
  const middle = median(best(false))
  const unknown = best(true)
  return percentRow(metric, (100 * unknown.filter((one) => one < middle).length) / unknown.length, 'higher')
}

function percentRow(metric: string, ours: number, better: BenchRow['better']): BenchRow {
  return { metric, unit: '%', better, ours, peers: {}, limit: null, target: null, met: null }
}
