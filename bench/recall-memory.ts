// A process of its own, so that its memory is that of recall: how much the thread adds after some searches, and then the bundled embedder.
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import type { RecallIndex } from '../packages/runtime/src/recall/index/recall-index.ts'
import { openWorkerCalls } from '../packages/runtime/src/thread/worker-calls.ts'
import { history, scope } from './recall-data.ts'

const [, , path = '', model = '', dimension = '0'] = process.argv
const megabytes = () => process.memoryUsage().rss / 1e6
const questions = history('tuning').questions.slice(0, 50)
const begin = megabytes()
const calls = openWorkerCalls<RecallIndex>({
  entry: new URL('../packages/runtime/src/recall/recall-thread.js', import.meta.url),
  name: 'recall',
  workerData: { path },
})
const vector = new Float32Array(Number(dimension)).fill(0.5)
for (const { question } of questions)
  await calls.call('search', [
    { scope: [scope], query: question },
    { model, vector },
  ])
const thread = megabytes() - begin
const embedder = openBundledEmbedder(systemClock)
const { signal } = new AbortController()
for (const { question } of questions) await embedder.embed([question], signal)
console.log(JSON.stringify({ thread, withEmbedder: megabytes() - begin }))
await embedder.stop()
await calls.terminate()
