// The checkpoint thread itself: one thing after another, in the order asked.
import { workerData } from 'node:worker_threads'
import { systemClock } from '../clock/clock.ts'
import { answerCalls } from '../thread/answer-calls.ts'
import { makeWork } from './engine.ts'
import { WorkCells } from './file-count.ts'
import { Scouts } from './survey/scouts.ts'
import type { ThreadOptions } from './thread.ts'

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

answerCalls(work, (id) => cells.begin(id))
