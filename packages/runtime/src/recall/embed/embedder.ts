// Turns texts into vectors. Vectors are compared only with those of the same embedder.

/** The bundled one takes memory and time on this device; a model that the user has chosen does not. */
export type EmbedderKind = 'bundled' | 'model'

export interface Embedder {
  readonly kind: EmbedderKind
  /** Provider, model and dimension: kept with every vector. The dimension is known when the first text was embedded; null until then. */
  name(): string | null
  /** Whether a text can be embedded at once. */
  isWarm(): boolean
  /** Gets it ready, without being waited for. */
  warm(): void
  /** Throws `EmbeddingRejected` for texts that the model does not accept, and other errors when it cannot be reached. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
  stop(): Promise<void>
}

/** At least one of the texts is not accepted. */
export class EmbeddingRejected extends Error {
  override readonly name = 'EmbeddingRejected'
}

/** As kept with a vector. */
export function embedderName(provider: string, model: string, dimension: number): string {
  return `${provider} ${model} ${dimension}`
}
