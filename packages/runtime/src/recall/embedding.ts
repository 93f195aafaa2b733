// Gives texts their vectors, in the background, and queries theirs, within their patience.
import { type Clock, sleep } from '../clock/clock.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { RecallQuery, SemanticState } from './answer.ts'
import { type Embedder, EmbeddingRejected } from './embed/embedder.ts'
import type { RecallIndex } from './index/recall-index.ts'
import type { QueryVector } from './index/search.ts'
import type { Unembedded } from './index/unembedded.ts'
import { type RecallSource, spaceOf } from './text.ts'

export interface EmbeddingPorts {
  readonly clock: Clock
  readonly calls: Pick<WorkerCalls<RecallIndex>, 'call'>
  embedder(): Embedder | null
  sources(): ReadonlyMap<string, RecallSource>
  log(line: string): void
}

const batch = 16
/** A model reads no more of a text; its beginning says what it is about. */
const mostCharacters = 2_000
/** Of a text that the model does not accept. */
const rejected = new Float32Array(0)

export interface MeantQuery {
  readonly state: SemanticState
  readonly vector: QueryVector | null
}

export function openEmbedding({ clock, calls, embedder, sources, log }: EmbeddingPorts) {
  let working: Promise<void> | null = null

  const embeddedSpaces = (using: Embedder) =>
    [...sources().values()].filter((source) => source.isEmbedded?.(using.kind) === true).map(({ space }) => space)

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const using = embedder()
      if (!using) return
      const spaces = embeddedSpaces(using)
      if (spaces.length === 0) return
      // Vectors of a model that has not answered yet have no name: a word that any model accepts makes it known.
      if (using.name() === null) await using.embed(['word'], signal)
      const texts = await calls.call('unembedded', [using.name() ?? 'unknown', spaces, batch])
      if (texts.length === 0) return
      const begun = clock.elapsed()
      const vectors = await embedded(using, texts, signal)
      const name = using.name()
      if (name === null) throw new Error('the embeddings model rejected all texts')
      // The settings name another one by now.
      if (embedder() !== using) continue
      await calls.call('putVectors', [name, texts.map((one, index) => ({ ...one, vector: vectors[index] ?? rejected }))])
      // Half of the time is left to everything else.
      await sleep(clock, Math.min(1_000, clock.elapsed() - begun), signal)
    }
  }

  /** When a batch is rejected, each text is tried by itself: one that is rejected again gets an empty vector and is not sent again. */
  async function embedded(using: Embedder, texts: readonly Unembedded[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const sent = texts.map(({ text }) => text.slice(0, mostCharacters).toWellFormed())
    try {
      return await using.embed(sent, signal)
    } catch (error) {
      if (!(error instanceof EmbeddingRejected)) throw error
      if (sent.length === 1) {
        log(`recall: a text cannot be searched by meaning: ${error.message}`)
        return [rejected]
      }
      const all: Float32Array[] = []
      for (const one of texts) all.push(...(await embedded(using, [one], signal)))
      return all
    }
  }

  return {
    /** Whose texts are compared by meaning now. */
    spaces(): readonly string[] {
      const using = embedder()
      return using ? embeddedSpaces(using) : []
    },
    run(signal: AbortSignal): Promise<void> {
      working ??= work(signal).finally(() => {
        working = null
      })
      return working
    },
    async query({ query, scope }: RecallQuery, patience_ms: number, signal: AbortSignal): Promise<MeantQuery> {
      const using = embedder()
      const isWanted = using && scope.some((name) => sources().get(spaceOf(name))?.isEmbedded?.(using.kind) === true)
      if (!isWanted || query.trim() === '') return { state: 'off', vector: null }
      if (!using.isWarm() && patience_ms <= 0) {
        using.warm()
        return { state: 'not_warm', vector: null }
      }
      return await withinPatience(using, query, Math.max(patience_ms, queryPatience_ms), signal)
    },
  }

  async function withinPatience(using: Embedder, query: string, patience_ms: number, signal: AbortSignal): Promise<MeantQuery> {
    const late = new AbortController()
    const cancel = clock.after(patience_ms, () => late.abort())
    const stopped = AbortSignal.any([signal, late.signal])
    const over = new Promise<null>((resolve) => stopped.addEventListener('abort', () => resolve(null), { once: true }))
    try {
      const vectors = await Promise.race([using.embed([query.slice(0, mostCharacters).toWellFormed()], stopped), over])
      const [model, vector] = [using.name(), vectors?.[0]]
      return model === null || !vector ? { state: 'not_warm', vector: null } : { state: 'used', vector: { model, vector } }
    } catch {
      return { state: 'failed', vector: null }
    } finally {
      cancel()
    }
  }
}

/** An embedder that is warm answers in tens of milliseconds; one that does not is not waited for. */
const queryPatience_ms = 100
