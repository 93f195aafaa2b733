// An embeddings model of the user's own, at the address of their models or through the gateway.
import type { ModelFailureCode } from '../../model/failure.ts'
import type { Model } from '../../model/model.ts'
import { type Embedder, EmbeddingRejected, embedderName } from './embedder.ts'

export interface ModelEmbedderPorts {
  /** Null while no address is set. */
  model(): Model | null
  /** Where it is served: the same name elsewhere may be another model. */
  address(): string | null
  /** What vectors of the model are called; kept, so that a start need not ask. */
  readonly known: { read(): string | null; write(name: string): void }
}

export function openModelEmbedder(chosen: string, { model, address, known }: ModelEmbedderPorts): Embedder {
  const provider = () => `model at ${URL.parse(address() ?? '')?.origin ?? 'no address'}`
  const name = () => {
    const kept = known.read()
    return kept?.startsWith(`${provider()} ${chosen} `) ? kept : null
  }
  return {
    kind: 'model',
    name,
    isWarm: () => model() !== null && name() !== null,
    warm: () => undefined,
    async embed(texts, signal) {
      const serving = model()
      if (!serving) throw new Error('no model is configured')
      const answer = await serving.embed(chosen, texts, signal)
      if (!answer.ok) throw new (isRejection(answer.failure.code) ? EmbeddingRejected : Error)(answer.failure.message)
      const [first] = answer.vectors
      if (first && name() !== embedderName(provider(), chosen, first.length)) known.write(embedderName(provider(), chosen, first.length))
      return answer.vectors
    },
    stop: async () => undefined,
  }
}

function isRejection(code: ModelFailureCode): boolean {
  return code === 'rejected' || code === 'context_overflow'
}
