// Recall: one index over texts of all kinds, in a file of its own, opened by a thread of its own. It is built from the records and may be
// deleted at any time. Nothing here holds up a run: indexing and embedding go on beside it.
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import type { Model } from '../model/model.ts'
import type { DeviceSettings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import { openWorkerCalls } from '../thread/worker-calls.ts'
import type { RecallAnswer, RecallQuery } from './answer.ts'
import { openBundledEmbedder } from './embed/bundled.ts'
import type { Embedder } from './embed/embedder.ts'
import { openModelEmbedder } from './embed/model-embedder.ts'
import { openEmbedding } from './embedding.ts'
import type { IndexFigures, RecallIndex } from './index/recall-index.ts'
import { openIndexing } from './indexing.ts'
import { recallSettings } from './settings.ts'
import type { RecallSource } from './text.ts'

export interface Recall {
  /** From now on its records are indexed. */
  add(source: RecallSource): void
  /** In the transaction that writes or removes records of a source. */
  changed(space: string, ids: readonly string[]): void
  search(query: RecallQuery): Promise<RecallAnswer>
  /** Ends when all changes made until now are in the index, and what is to be compared by meaning has its vectors. */
  settled(): Promise<void>
  /** Deletes the index, and reads everything again. */
  rebuild(): Promise<void>
  state(): Promise<RecallState>
  stop(): Promise<void>
}

export interface RecallState extends IndexFigures {
  readonly embedder: string | null
  /** Why the last attempt to index or to embed did not succeed; null when it did. */
  readonly problem: string | null
}

export interface RecallPorts {
  readonly home: string
  readonly store: Pick<Store, 'sql' | 'afterCommit' | 'relaxed'>
  readonly clock: Clock
  /** `errand`: nothing is indexed or embedded unless a search asks. */
  readonly life: 'resident' | 'errand'
  readonly settings: Pick<DeviceSettings, 'add' | 'section'>
  /** The models of the user; null while no address is set. */
  model(): Model | null
  log(line: string): void
}

/** A burst of changes is indexed once. */
const soon_ms = 50
const [firstRetry_ms, lastRetry_ms] = [1_000, 5 * 60_000]

export function openRecall({ home, store, clock, life, settings, model, log }: RecallPorts): Recall {
  const sources = new Map<string, RecallSource>()
  const entry = new URL('./recall-thread.js', import.meta.url)
  const calls = openWorkerCalls<RecallIndex>({ entry, name: 'recall', workerData: { path: join(home, 'recall.db') } })
  const indexing = openIndexing({ store, clock, calls, sources: () => sources })
  const stopping = new AbortController()
  const embedder = openChosenEmbedder({ store, clock, settings, model })
  const embedding = openEmbedding({ clock, calls, embedder: embedder.current, sources: () => sources })
  settings.add(recallSettings)
  let round: Promise<void> | null = null
  let isDirty = false
  let problem: string | null = null
  let cancelNext: () => void = () => undefined
  let pause_ms = firstRetry_ms

  /** One round at a time; what changes meanwhile is for the next. */
  function catchUp(): Promise<void> {
    isDirty = true
    round ??= rounds().finally(() => {
      round = null
    })
    return round
  }

  async function rounds(): Promise<void> {
    while (isDirty && !stopping.signal.aborted) {
      isDirty = false
      cancelNext()
      try {
        await indexing.catchUp(stopping.signal)
        problem = null
        pause_ms = firstRetry_ms
      } catch (error) {
        if (stopping.signal.aborted) return
        // A damaged file is empty by now: the next round fills it.
        if (isLost(error)) isDirty = true
        else {
          failed(error)
          throw error
        }
      }
    }
  }

  function failed(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (problem !== text) log(`recall: ${text}; the next attempt is in ${Math.round(pause_ms / 1000)} s`)
    problem = text
    cancelNext = clock.after(pause_ms, beginSoon)
    pause_ms = Math.min(lastRetry_ms, pause_ms * 2)
  }

  /** In the background, after what is going on now. */
  function beginSoon(): void {
    if (life === 'errand' || stopping.signal.aborted) return
    cancelNext()
    cancelNext = clock.after(soon_ms, () => {
      catchUp()
        .then(() => embedding.run(stopping.signal))
        .catch((error: unknown) => {
          if (!stopping.signal.aborted && problem === null) failed(error)
        })
    })
  }

  /** Waits for the index at most as long as the query allows. */
  async function fresh(patience_ms: number): Promise<void> {
    if (patience_ms <= 0) return
    const waited = Promise.withResolvers<void>()
    const cancel = clock.after(patience_ms, () => waited.resolve())
    await Promise.race([catchUp().catch(() => undefined), waited.promise])
    cancel()
  }

  return {
    add(source) {
      if (sources.has(source.space)) throw new Error(`two sources are called ${source.space}`)
      sources.set(source.space, source)
      beginSoon()
    },
    changed(space, ids) {
      for (const id of ids) store.sql.run`INSERT INTO recall_changes (space, id) VALUES (${space}, ${id})`
      store.afterCommit(beginSoon)
    },
    async search(query) {
      const { patience_ms = 0, channels = ['lexical', 'semantic'] } = query
      const [meant] = await Promise.all([
        channels.includes('semantic')
          ? embedding.query(query, patience_ms, stopping.signal)
          : { state: 'not_asked' as const, vector: null },
        fresh(patience_ms),
      ])
      const { vector } = meant
      try {
        return { hits: await calls.call('search', [query, vector]), semantic: meant.state }
      } catch (error) {
        if (!isLost(error)) throw error
        await fresh(Math.max(patience_ms, 1))
        return { hits: await calls.call('search', [query, vector]), semantic: meant.state }
      }
    },
    async settled() {
      await catchUp()
      await embedding.run(stopping.signal)
    },
    async rebuild() {
      await calls.call('clear', [])
      await catchUp()
    },
    async state() {
      return { ...(await calls.call('figures', [])), embedder: embedder.current()?.name() ?? null, problem }
    },
    async stop() {
      stopping.abort(new Error('the runtime is stopping'))
      cancelNext()
      await round?.catch(() => undefined)
      await embedder.stop()
      if (calls.isStarted()) await calls.call('close', []).catch(() => undefined)
      await calls.terminate()
    },
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && error.name === 'IndexLost'
}

type EmbedderPorts = Pick<RecallPorts, 'store' | 'clock' | 'settings' | 'model'>

/** The embedder that the settings name. It is opened when it is first used, and closed when the settings name another. */
function openChosenEmbedder({ store, clock, settings, model }: EmbedderPorts): { current(): Embedder | null; stop(): Promise<void> } {
  const { sql } = store
  const known = {
    read: () => sql.get<{ value: string }>`SELECT value FROM meta WHERE name = 'recall_embedder'`?.value ?? null,
    write: (name: string) => void sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES ('recall_embedder', ${name})`,
  }
  let open: { readonly choice: string; readonly embedder: Embedder } | null = null
  return {
    current() {
      const { embeddings, embeddings_model } = settings.section(recallSettings)
      const choice = embeddings === 'model' && embeddings_model === '' ? 'off' : `${embeddings} ${embeddings_model}`
      if (open?.choice !== choice) {
        void open?.embedder.stop()
        open = null
        if (embeddings === 'bundled') open = { choice, embedder: openBundledEmbedder(clock) }
        if (embeddings === 'model' && choice !== 'off') open = { choice, embedder: openModelEmbedder(embeddings_model, { model, known }) }
      }
      return open?.embedder ?? null
    },
    async stop() {
      await open?.embedder.stop()
    },
  }
}
