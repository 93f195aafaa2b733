// The checkpoint thread itself: one thing after another, in the order asked.
import { workerData } from 'node:worker_threads'
import { systemClock } from '../clock/clock.ts'
import { answerCalls } from '../thread/answer-calls.ts'
import { WorkCells } from '../thread/worker-calls.ts'
import { createCheckpointFunctions } from './engine.ts'
import { ListingWorkers } from './scan/listing-workers.ts'
import type { ThreadOptions } from './thread.ts'

const { home, budget, cells: shared } = workerData as ThreadOptions & { readonly cells: SharedArrayBuffer }
const cells = new WorkCells(shared)
const work = createCheckpointFunctions({
  home,
  ...(budget ? { budget } : {}),
  now: systemClock.now,
  elapsed: systemClock.elapsed,
  canceled: () => cells.isCanceled(),
  counted: (files, total) => cells.count(files, total),
  workers: new ListingWorkers(),
})

answerCalls(work, (id) => cells.begin(id))
