// The evaluator process. Its thread evaluates; this one passes texts on, watches what it uses, and ends the process with the runtime.
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { evaluateLimits } from './evaluate-limits.ts'
import type { Evaluation, EvaluationMessage, FailedEvaluation, ThreadMessage } from './evaluation.ts'
import { failures } from './failures.ts'
import { exceeded, type ResourceUse, resourceUse } from './resource-use.ts'

const watchEveryMs = 5

// The local time of this device must not affect a result.
process.env.TZ = 'UTC'
const thread = new Worker(new URL('./evaluate-thread.js', import.meta.url), {
  workerData: readFileSync(process.argv[2] ?? '', 'utf8'),
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: evaluateLimits.memory_mb, maxYoungGenerationSizeMb: 16 },
})
let watching: NodeJS.Timeout | undefined
let isEnding = false

thread.on('message', (message: ThreadMessage) => {
  if (typeof message === 'object' && 'begun' in message) watch(message.begun)
  else {
    clearInterval(watching)
    if (!isEnding) send(message)
  }
})
thread.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
  endWith(failures.memory)
})
process.on('message', (asked: Evaluation) => thread.postMessage(asked))
process.on('disconnect', end)

function watch(begun: ResourceUse): void {
  watching = setInterval(() => {
    const failure = exceeded(begun, resourceUse())
    if (failure) endWith(failure)
  }, watchEveryMs)
}

function endWith(failure: FailedEvaluation): void {
  clearInterval(watching)
  if (!isEnding) send({ last: failure }, end)
  isEnding = true
}

function send(message: EvaluationMessage, sent: () => void = () => undefined): void {
  process.send?.(message, sent)
}

/** An exit would wait for the thread, which may be in the middle of a loop. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
