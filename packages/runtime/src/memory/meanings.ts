// What the texts of a flush mean, for comparing them: with the bundled embedder, which sends nothing. Its vectors are a function of the texts, so
// the same flush again comes to the same result. Nothing is kept: what is forgotten later leaves no vector here.
import type { Clock } from '../clock/clock.ts'
import type { Embedder } from '../recall/embed/embedder.ts'
import type { Likeness } from './rule/replace/meaning.ts'

export interface MeaningPorts {
  readonly clock: Pick<Clock, 'after'>
  /** Null if memories are not compared by meaning. */
  embedder(): Embedder | null
  log(line: string): void
}

export interface Meanings {
  /** Undefined if they are not known in time: then words alone count. It never fails. */
  likenessOf(texts: ReadonlySet<string>, signal: AbortSignal): Promise<Likeness | undefined>
}

const batch = 16
/** More than one flush usually compares. Above that all are compared by their words: part of the vectors would prefer some memories to others. */
const mostTexts = 400
/** The first call starts the thread of the embedder. */
const patience_ms = 20_000
/** A model reads no more of a text. */
const mostCharacters = 2_000

export function openMeanings({ clock, embedder, log }: MeaningPorts): Meanings {
  async function vectorsOf(using: Embedder, texts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Float32Array>> {
    const all = new Map<string, Float32Array>()
    for (let at = 0; at < texts.length && !signal.aborted; at += batch) {
      const part = texts.slice(at, at + batch)
      const vectors = await using.embed(
        part.map((text) => text.slice(0, mostCharacters).toWellFormed()),
        signal,
      )
      for (const [index, text] of part.entries()) all.set(text, vectors[index] ?? new Float32Array(0))
    }
    return all
  }

  return {
    async likenessOf(texts, signal) {
      const using = embedder()
      // The threshold was measured with the bundled one: others have scales of their own.
      if (using?.kind !== 'bundled' || texts.size === 0 || texts.size > mostTexts) return undefined
      const late = new AbortController()
      const stopped = AbortSignal.any([signal, late.signal])
      const over = new Promise<null>((resolve) => stopped.addEventListener('abort', () => resolve(null), { once: true }))
      const cancel = clock.after(patience_ms, () => late.abort())
      try {
        const vectors = await Promise.race([vectorsOf(using, [...texts], stopped), over])
        // Some of the vectors would make the result depend on how fast they came.
        return vectors === null || stopped.aborted ? undefined : (left, right) => cosine(vectors.get(left), vectors.get(right))
      } catch (error) {
        if (!signal.aborted) log(`memory: statements are compared by their words: ${error instanceof Error ? error.message : error}`)
        return undefined
      } finally {
        cancel()
      }
    },
  }
}

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number | null {
  if (!left || !right || left.length === 0 || left.length !== right.length) return null
  let [product, one, other] = [0, 0, 0]
  for (const [index, value] of left.entries()) {
    const facing = right[index] ?? 0
    product += value * facing
    one += value * value
    other += facing * facing
  }
  return one === 0 || other === 0 ? null : product / Math.sqrt(one * other)
}
