// Gives texts their vectors, in the background, and queries theirs, within their patience.
import { type Clock, sleep } from '../clock/clock.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { RecallQuery, SemanticState } from './answer.ts'
import type { Embedder } from './embed/embedder.ts'
import type { RecallIndex } from './index/recall-index.ts'
import type { QueryVector } from './index/search.ts'
import { type RecallSource, spaceOf } from './text.ts'

export interface EmbeddingPorts {
  readonly clock: Clock
  readonly calls: Pick<WorkerCalls<RecallIndex>, 'call'>
  embedder(): Embedder | null
  sources(): ReadonlyMap<string, RecallSource>
}

const batch = 16
/** A model reads no more of a text; its beginning says what it is about. */
const mostCharacters = 2_000

export interface MeantQuery {
  readonly state: SemanticState
  readonly vector: QueryVector | null
}

export function openEmbedding({ clock, calls, embedder, sources }: EmbeddingPorts) {
  let working: Promise<void> | null = null

  const embeddedSpaces = () => [...sources().values()].filter((source) => source.isEmbedded?.() === true).map(({ space }) => space)

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const using = embedder()
      const spaces = embeddedSpaces()
      if (!using || spaces.length === 0) return
      // Vectors of a model that has not answered yet have no name: one text makes it known.
      const name = using.name() ?? 'unknown'
      const texts = await calls.call('unembedded', [name, spaces, batch])
      if (texts.length === 0) return
      const begun = clock.elapsed()
      const vectors = await using.embed(
        texts.map(({ text }) => text.slice(0, mostCharacters)),
        signal,
      )
      const now = using.name()
      if (now === null || embedder() !== using) continue
      const embedded = texts.flatMap((one, index) => {
        const vector = vectors[index]
        return vector ? [{ ...one, vector }] : []
      })
      await calls.call('putVectors', [now, embedded])
      // Half of the time is left to everything else.
      await sleep(clock, Math.min(1_000, clock.elapsed() - begun), signal)
    }
  }

  return {
    run(signal: AbortSignal): Promise<void> {
      working ??= work(signal).finally(() => {
        working = null
      })
      return working
    },
    async query({ query, scope }: RecallQuery, patience_ms: number, signal: AbortSignal): Promise<MeantQuery> {
      const using = embedder()
      const isWanted = scope.some((name) => sources().get(spaceOf(name))?.isEmbedded?.() === true)
      if (!using || !isWanted || query.trim() === '') return { state: 'off', vector: null }
      if (!using.isWarm() && patience_ms <= 0) {
        using.warm()
        return { state: 'not_warm', vector: null }
      }
      return await inTime(using, query, Math.max(patience_ms, queryPatience_ms), signal)
    },
  }

  async function inTime(using: Embedder, query: string, patience_ms: number, signal: AbortSignal): Promise<MeantQuery> {
    const late = new AbortController()
    const cancel = clock.after(patience_ms, () => late.abort())
    const stopped = AbortSignal.any([signal, late.signal])
    const over = new Promise<null>((resolve) => stopped.addEventListener('abort', () => resolve(null), { once: true }))
    try {
      const vectors = await Promise.race([using.embed([query.slice(0, mostCharacters)], stopped), over])
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
const queryPatience_ms = 250
