// The embedder that is installed with Tandem: English, offline. It takes 230 MB while it runs, so its thread starts on demand and stops when
// it has had nothing to do for a while.
import type { Clock } from '../../clock/clock.ts'
import { openWorkerCalls } from '../../thread/worker-calls.ts'
import { type Embedder, embedderName } from './embedder.ts'

export interface BundledWork {
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}

const idle_ms = 2 * 60_000
const name = embedderName('bundled', 'universal-sentence-encoder-lite-en', 512)

export function openBundledEmbedder(clock: Pick<Clock, 'after'>): Embedder {
  const calls = openWorkerCalls<BundledWork>({
    entry: new URL('./embedder-thread.js', import.meta.url),
    name: 'embedder',
    workerData: null,
  })
  let isReady = false
  let working = 0
  let cancelEnd: () => void = () => undefined

  async function call(texts: readonly string[]): Promise<readonly Float32Array[]> {
    working += 1
    cancelEnd()
    try {
      const vectors = await calls.call('embed', [texts])
      isReady = true
      return vectors
    } catch (error) {
      isReady = false
      throw error
    } finally {
      working -= 1
      if (working === 0) cancelEnd = clock.after(idle_ms, () => void end())
    }
  }

  async function end(): Promise<void> {
    cancelEnd()
    isReady = false
    await calls.terminate()
  }

  return {
    kind: 'bundled',
    name: () => name,
    // While it works through texts, a query would wait for them.
    isWarm: () => isReady && working === 0,
    warm() {
      if (!isReady && working === 0) void call(['warm']).catch(() => undefined)
    },
    async embed(texts, signal) {
      signal.throwIfAborted()
      return await call(texts)
    },
    stop: end,
  }
}
