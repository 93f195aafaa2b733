// The vectors of texts, by the model that made them.
import type { Store } from '../../store/store.ts'
import type { Background } from '../rule/background.ts'

export interface TextVectors {
  get(model: string, text: string): Float32Array | null
  put(model: string, vectors: ReadonlyMap<string, Float32Array>): void
  background(model: string): Background | null
  putBackground(model: string, background: Background): void
}

/** More than is compared with: the latest demands and corrections, and the requests of recommendations. */
const mostKept = 2_000

export function openTextVectors({ sql, transaction }: Pick<Store, 'sql' | 'transaction'>): TextVectors {
  return {
    get(model, text) {
      const row = sql.get<{ vector: Uint8Array }>`SELECT vector FROM evolution_vectors WHERE model = ${model} AND text = ${text}`
      return row ? floatsOf(row.vector) : null
    },
    put(model, vectors) {
      if (vectors.size === 0) return
      transaction(() => {
        for (const [text, vector] of vectors)
          sql.run`INSERT OR IGNORE INTO evolution_vectors (model, text, vector) VALUES (${model}, ${text}, ${bytesOf(vector)})`
        sql.run`DELETE FROM evolution_vectors WHERE no <= (SELECT no FROM evolution_vectors ORDER BY no DESC LIMIT 1 OFFSET ${mostKept})`
      })
    },
    background(model) {
      const row = sql.get<{ mean: Uint8Array; spread: number }>`SELECT mean, spread FROM evolution_backgrounds WHERE model = ${model}`
      return row ? { mean: floatsOf(row.mean), spread: row.spread } : null
    },
    putBackground(model, { mean, spread }) {
      sql.run`INSERT OR REPLACE INTO evolution_backgrounds (model, mean, spread) VALUES (${model}, ${bytesOf(mean)}, ${spread})`
    },
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Copied: the bytes of a row need not begin where numbers can. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer)
}
