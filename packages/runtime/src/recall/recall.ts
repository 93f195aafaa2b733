// Recall: one index over texts of all kinds, in a file of its own, opened by a thread of its own. It is built from the records and may be
// deleted at any time. Nothing here holds up a run: indexing and embedding go on beside it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { late, withinTime } from '../clock/time-limit.ts'
import type { Model } from '../model/model.ts'
import type { DeviceSettings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import { openWorkerCalls } from '../thread/worker-calls.ts'
import { type RecallAnswer, type RecallQuery, recallChannels } from './answer.ts'
import { openAttempts } from './attempts.ts'
import { openBundledEmbedder } from './embed/bundled.ts'
import type { Embedder } from './embed/embedder.ts'
import { openModelEmbedder } from './embed/model-embedder.ts'
import { openEmbedding } from './embedding.ts'
import type { IndexFigures, RecallIndex } from './index/recall-index.ts'
import type { QueryVector, Searched } from './index/search.ts'
import { openIndexing } from './indexing.ts'
import { recallSettings } from './settings.ts'
import type { RecallSource } from './text.ts'

export interface Recall {
  /** From now on its records are indexed. */
  add(source: RecallSource): void
  /** In the transaction that writes or removes records of a source. */
  changed(space: string, ids: readonly string[]): void
  /** Records of a source were changed by a trigger of the database. */
  wake(): void
  search(query: RecallQuery): Promise<RecallAnswer>
  /** Ends when all changes made until now are in the index, and what is to be compared by meaning has its vectors. */
  settled(): Promise<void>
  /** Ends when all changes made until now are in the index: what was removed is no longer there. */
  indexed(): Promise<void>
  /** Deletes the index, and reads everything again. */
  rebuild(): Promise<void>
  state(): Promise<RecallState>
  /** For the user. It does not wait long for a busy index, and reports a damaged one. */
  health(): Promise<RecallHealth>
  /** What turns texts into vectors now; null if the settings name none. */
  embedder(): Embedder | null
  stop(): Promise<void>
}

export interface RecallState extends IndexFigures {
  readonly embedder: string | null
  /** Why the last attempt to index or to embed did not succeed; null when it did. */
  readonly problem: string | null
}

export interface RecallHealth {
  /** How many texts can be found; null if the index did not answer. */
  readonly texts: number | null
  /** Changes that are not in the index yet. */
  readonly waiting: number
  readonly problem: { readonly message: string; readonly remedy: string } | null
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
  /** Where they are. */
  address(): string | null
  log(line: string): void
}

/** A burst of changes is indexed once. A search that waits for the index does not wait for this. */
const soon_ms = 250
/** What changed while no runtime was there is indexed after the start, which has more urgent work. */
const afterStart_ms = 2_000
/** How long a search may take that has no patience of its own: longer only when the thread is busy with a large batch. */
const longestSearch_ms = 2_000
/** How often it is looked whether the settings name another embedder. */
const settings_ms = 60_000
/** Changes are followed by a tidying of the index when nothing has changed for so long, unless it has more texts than this. */
const [idle_ms, mostTidied] = [60_000, 20_000]
const stop_ms = 2_000
const health_ms = 1_000
const longestProblem = 500
const problems = {
  indexing: {
    what: 'Indexing failed',
    remedy: 'Free up disk space, and make sure that Tandem can write to its data folder. Tandem retries automatically.',
  },
  embedding: {
    what: 'Search by meaning failed',
    remedy: 'Check that the embeddings model is available. Until then, only exact words are searched. Tandem retries automatically.',
  },
}
/** Longer queries are cut: nothing a person asks needs more. */
const longestQuery = 8_000

export function openRecall({ home, store, clock, life, settings, model, address, log }: RecallPorts): Recall {
  const sources = new Map<string, RecallSource>()
  const entry = new URL('./recall-thread.js', import.meta.url)
  const file = join(home, 'recall.db')
  const calls = openWorkerCalls<RecallIndex>({ entry, name: 'recall', workerData: { path: file } })
  const indexing = openIndexing({ store, clock, calls, log })
  const stopping = new AbortController()
  const { signal } = stopping
  const embedder = openChosenEmbedder({ store, clock, settings, model, address })
  const embedding = openEmbedding({ clock, calls, embedder: embedder.current, sources: () => sources, log })
  const indexed = openAttempts('indexing', { clock, log })
  const embedded = openAttempts('embedding', { clock, log })
  let round: Promise<void> | null = null
  let isDirty = false
  let lastChange = 0
  let cancelRound: () => void = () => undefined
  let cancelTidying: () => void = () => undefined
  let cancelLook: () => void = () => undefined

  /** One round at a time; what changes meanwhile is for the next, and so is who asks while a round fails. */
  function catchUp(): Promise<void> {
    isDirty = true
    round ??= rounds().finally(() => {
      round = null
    })
    return round
  }

  async function rounds(): Promise<void> {
    let [losses, retries] = [0, 0]
    while (isDirty && !signal.aborted) {
      isDirty = false
      const error = await indexAll()
      if (signal.aborted) return
      // A damaged file is empty by now: the next round fills it. One that is lost again and again is not worth the work.
      if (isLost(error) && losses === 0) {
        log('recall: the search index was damaged and is being rebuilt')
        losses += 1
        isDirty = true
      } else if (error !== null && isDirty && retries === 0) {
        retries += 1
      } else if (error !== null) {
        indexed.failed(error, beginSoon)
        throw error
      }
    }
    indexed.succeeded()
  }

  /** A source that cannot be read does not hold up the others. */
  async function indexAll(): Promise<unknown> {
    let first: unknown = null
    for (const source of sources.values()) {
      if (signal.aborted) break
      try {
        await indexing.catchUp(source, signal)
      } catch (error) {
        first ??= error
      }
    }
    return first
  }

  /** In the background, after what is going on now. */
  function beginSoon(): void {
    beginAfter(soon_ms)
  }

  function beginAfter(ms: number): void {
    if (life === 'errand' || signal.aborted) return
    cancelRound()
    cancelTidying()
    cancelRound = clock.after(ms, () => {
      catchUp()
        .then(() => embedAll())
        .then(tidyLater)
        .catch(() => undefined)
    })
  }

  async function embedAll(): Promise<void> {
    try {
      await embedding.run(signal)
      embedded.succeeded()
    } catch (error) {
      if (!signal.aborted) embedded.failed(error, beginSoon)
      throw error
    }
  }

  function tidyLater(): void {
    if (signal.aborted) return
    cancelTidying()
    cancelTidying = clock.after(idle_ms, () => void calls.call('tidy', [mostTidied]).catch(() => undefined))
  }

  /** Another embedder in the settings means that all texts are embedded again; a source that is embedded from now on, that its texts are. */
  function lookAtSettings(last: Embedder | null, lastSpaces: string): void {
    if (life === 'errand' || signal.aborted) return
    const [now, spaces] = [embedder.current(), embedding.spaces().join(' ')]
    if (now !== last || spaces !== lastSpaces || changedThrough() > lastChange) beginSoon()
    lastChange = changedThrough()
    cancelLook = clock.after(settings_ms, () => lookAtSettings(now, spaces))
  }

  /** What was removed must not stay in the file when the runtime has ended. */
  function isBehind(): boolean {
    return store.sql.get`SELECT 1 FROM recall_changes LIMIT 1` !== undefined
  }

  /** Changes are also written by triggers, for example when a conversation is hidden. */
  function changedThrough(): number {
    return store.sql.get<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'recall_changes'`?.seq ?? 0
  }

  /** Waits for the index at most as long as the query allows. */
  async function upToDate(patience_ms: number): Promise<void> {
    if (patience_ms <= 0) return
    await withinTime(
      clock.after,
      patience_ms,
      catchUp().catch(() => undefined),
    )
  }

  async function found(query: RecallQuery, vector: QueryVector | null): Promise<Searched> {
    try {
      return await calls.call('search', [query, vector])
    } catch (error) {
      if (!isLost(error)) throw error
      beginSoon()
      await upToDate(query.patience_ms ?? 0)
      return await calls.call('search', [query, vector])
    }
  }

  return {
    add(source) {
      if (sources.has(source.space)) throw new Error(`two sources are called ${source.space}`)
      sources.set(source.space, source)
      if (sources.size === 1) {
        // Without texts to compare there is nothing to set.
        settings.add(recallSettings)
        lookAtSettings(embedder.current(), embedding.spaces().join(' '))
      }
      beginAfter(afterStart_ms)
    },
    changed(space, ids) {
      for (const id of ids) store.sql.run`INSERT INTO recall_changes (space, id) VALUES (${space}, ${id})`
      store.afterCommit(beginSoon)
    },
    wake: beginSoon,
    async search(asked) {
      signal.throwIfAborted()
      const query = { ...asked, query: asked.query.slice(0, longestQuery) }
      const { patience_ms = 0, limit_ms = Math.max(patience_ms, longestSearch_ms) + patience_ms, channels = recallChannels } = query
      const begun = clock.elapsed()
      const [meant] = await Promise.all([
        channels.includes('semantic') ? embedding.query(query, patience_ms, signal) : { state: 'not_asked' as const, vector: null },
        upToDate(patience_ms),
      ])
      const left_ms = Math.max(1, limit_ms - (clock.elapsed() - begun))
      const answer = await withinTime(clock.after, left_ms, found(query, meant.vector))
      if (answer === late) return { hits: [], semantic: meant.state, isLate: true }
      const { hits, isCompared } = answer
      return { hits, semantic: meant.vector !== null && !isCompared ? 'no_vectors' : meant.state, isLate: false }
    },
    async settled() {
      signal.throwIfAborted()
      await catchUp()
      await embedAll()
    },
    async indexed() {
      signal.throwIfAborted()
      await catchUp()
    },
    async rebuild() {
      signal.throwIfAborted()
      await calls.call('clear', [])
      await catchUp()
    },
    embedder: embedder.current,
    async state() {
      signal.throwIfAborted()
      const figures = await calls.call('figures', [])
      return { ...figures, embedder: embedder.current()?.name() ?? null, problem: indexed.problem() ?? embedded.problem() }
    },
    async health() {
      signal.throwIfAborted()
      let failure: string | null = null
      // Without a file, nothing is indexed yet, and no thread is started to count it.
      const figures = calls.isStarted() || existsSync(file) ? calls.call('figures', []) : Promise.resolve({ texts: 0 })
      const counted = await withinTime(
        clock.after,
        health_ms,
        figures.catch((error: unknown) => {
          if (isLost(error)) beginSoon()
          else failure = error instanceof Error ? error.message : String(error)
          return null
        }),
      )
      const waiting = store.sql.get<{ count: number }>`SELECT count(*) AS count FROM recall_changes`?.count ?? 0
      return {
        texts: counted === late ? null : (counted?.texts ?? null),
        waiting,
        problem: problemOf('indexing', indexed.problem() ?? failure) ?? problemOf('embedding', embedded.problem()),
      }
    },
    async stop() {
      if (signal.aborted) return
      if (isBehind() && existsSync(file))
        await withinTime(
          clock.after,
          stop_ms,
          catchUp().catch(() => undefined),
        )
      stopping.abort(new Error('the runtime is stopping'))
      for (const cancel of [cancelRound, cancelTidying, cancelLook, indexed.cancel, embedded.cancel]) cancel()
      await withinTime(clock.after, stop_ms, round?.catch(() => undefined) ?? Promise.resolve())
      await embedder.stop()
      if (calls.isStarted())
        await withinTime(
          clock.after,
          stop_ms,
          calls.call('close', []).catch(() => undefined),
        )
      // A thread that waits for the disk cannot be ended: it is not waited for.
      await withinTime(clock.after, stop_ms, calls.terminate())
    },
  }
}

function problemOf(work: keyof typeof problems, reason: string | null): RecallHealth['problem'] {
  if (reason === null) return null
  const { what, remedy } = problems[work]
  return { message: `${what}: ${reason}`.slice(0, longestProblem), remedy }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && error.name === 'IndexLost'
}

type EmbedderPorts = Pick<RecallPorts, 'store' | 'clock' | 'settings' | 'model' | 'address'>

/** The embedder that the settings name. It is opened when it is first used, and closed when the settings name another. */
function openChosenEmbedder({ store, clock, settings, model, address }: EmbedderPorts): {
  current(): Embedder | null
  stop(): Promise<void>
} {
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
        if (embeddings === 'model' && choice !== 'off')
          open = { choice, embedder: openModelEmbedder(embeddings_model, { model, address, known }) }
      }
      return open?.embedder ?? null
    },
    async stop() {
      await open?.embedder.stop()
    },
  }
}
