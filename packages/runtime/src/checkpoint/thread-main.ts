// The checkpoint thread itself: one thing after another, in the order asked.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../clock/clock.ts'
import { makeWork } from './engine.ts'
import { WorkCells } from './file-count.ts'
import { Scouts } from './survey/scouts.ts'
import type { Answered, Asked, ThreadOptions } from './thread.ts'

const { home, budget, cells: shared } = workerData as ThreadOptions & { readonly cells: SharedArrayBuffer }
const cells = new WorkCells(shared)
const work = makeWork({
  home,
  ...(budget ? { budget } : {}),
  now: systemClock.now,
  elapsed: systemClock.elapsed,
  canceled: () => cells.isCanceled(),
  counted: (files, total) => cells.count(files, total),
  scouts: new Scouts(),
})

parentPort?.on('message', ({ id, name, args }: Asked) => {
  const call = work[name] as (...args: readonly unknown[]) => unknown
  let answer: Answered
  cells.begin(id)
  try {
    answer = { id, result: call(...args) }
  } catch (error) {
    const known = error instanceof Error ? error : new Error(String(error))
    const code = 'code' in known ? { code: String(known.code) } : {}
    answer = { id, failure: { name: known.name, message: known.message, ...code } }
  }
  parentPort?.postMessage(answer)
})
