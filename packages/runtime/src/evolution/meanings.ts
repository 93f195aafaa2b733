// What texts mean, for comparing them: with the embedder of recall, computed before the transaction that compares them and stored. Without an
// embedder, texts are compared by their words.
import type { Embedder } from '../recall/embed/embedder.ts'
import type { Store } from '../store/store.ts'
import { openTextVectors } from './record/vectors.ts'
import { type Background, backgroundOf, unit, unrelated } from './rule/background.ts'
import { dot, embeddedText, type Meaning } from './rule/same-demand.ts'

export interface Meanings {
  /** Computes what is not known. It never fails: without an answer in time, words are compared. */
  prepare(texts: readonly string[], signal: AbortSignal, patience_ms?: number): Promise<void>
  /** Null if it was not computed by the model of now. */
  of(text: string): Meaning | null
}

export interface MeaningPorts {
  readonly store: Pick<Store, 'sql' | 'transaction' | 'clock'>
  /** Null if texts are not compared by meaning. */
  embedder(): Embedder | null
  log(line: string): void
}

const [batch, usualPatience_ms, mostCached] = [16, 20_000, 1_000]

/** Words alone. */
export const noMeanings: Meanings = { prepare: async () => undefined, of: () => null }

export function openMeanings({ store, embedder, log }: MeaningPorts): Meanings {
  const vectors = openTextVectors(store)
  const known = new Map<string, Meaning>()
  let background: (Background & { readonly model: string }) | null = null

  function backgroundFor(model: string): Background | null {
    if (background?.model === model) return background
    const found = vectors.background(model)
    if (!found) return null
    known.clear()
    background = { model, ...found }
    return background
  }

  async function embedAll(using: Embedder, texts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Float32Array>> {
    const all = new Map<string, Float32Array>()
    for (let at = 0; at < texts.length; at += batch) {
      const part = texts.slice(at, at + batch)
      const found = await using.embed(part, signal)
      for (const [index, text] of part.entries()) {
        const vector = found[index]
        if (vector && vector.length > 0) all.set(text, unit(vector))
      }
    }
    return all
  }

  async function compute(using: Embedder, texts: readonly string[], signal: AbortSignal): Promise<void> {
    const sent = [...new Set(texts.map(embeddedText))]
    const name = using.name()
    const missing = name === null ? sent : sent.filter((text) => vectors.get(name, text) === null)
    const needsBackground = name === null || backgroundFor(name) === null
    if (missing.length === 0 && !needsBackground) return
    const found = await embedAll(using, missing, signal)
    const model = using.name()
    if (model === null) return
    if (vectors.background(model) === null)
      vectors.putBackground(model, backgroundOf([...(await embedAll(using, unrelated, signal)).values()]))
    // The settings may name another one by now; its vectors are of use only with their own kind.
    vectors.put(model, found)
  }

  return {
    async prepare(texts, signal, patience_ms = usualPatience_ms) {
      const using = embedder()
      if (!using || texts.length === 0) return
      const late = new AbortController()
      const over = new Promise<void>((resolve) => late.signal.addEventListener('abort', () => resolve(), { once: true }))
      const cancel = store.clock.after(patience_ms, () => late.abort())
      try {
        await Promise.race([compute(using, texts, AbortSignal.any([signal, late.signal])), over])
      } catch (error) {
        if (!signal.aborted) log(`skill evolution: texts are compared by their words: ${error instanceof Error ? error.message : error}`)
      } finally {
        cancel()
      }
    },
    of(text) {
      const model = embedder()?.name() ?? null
      const ground = model === null ? null : backgroundFor(model)
      if (model === null || !ground) return null
      const sent = embeddedText(text)
      const cached = known.get(sent)
      if (cached) return cached
      const vector = vectors.get(model, sent)
      if (!vector || vector.length !== ground.mean.length) return null
      if (known.size >= mostCached) known.clear()
      const meaning = { model, vector, level: dot(vector, ground.mean), spread: ground.spread }
      known.set(sent, meaning)
      return meaning
    },
  }
}
