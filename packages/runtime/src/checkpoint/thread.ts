// The checkpoint thread, seen from outside: it starts with the first thing asked of it, so that a program that takes no checkpoint pays nothing.
import { Worker } from 'node:worker_threads'
import type { Engine, Work } from './engine.ts'
import { type Following, WorkCells } from './file-count.ts'
import type { WalkOptions } from './survey/walk.ts'

export interface ThreadOptions {
  readonly home: string
  /** How far a walk goes before only the direct children are looked at. */
  readonly budget?: WalkOptions['budget']
}

export interface Asked {
  readonly id: number
  readonly name: keyof Work
  readonly args: readonly unknown[]
}

export type Answered =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: { readonly name: string; readonly message: string; readonly code?: string } }

class EngineFailure extends Error {
  readonly code: string | undefined

  constructor(name: string, message: string, code: string | undefined) {
    super(message)
    this.name = name
    this.code = code
  }
}

export function threadEngine({ home, budget }: ThreadOptions): Engine {
  const cells = new WorkCells()
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let worker: Worker | null = null
  let last = 0

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(new URL('./thread-entry.js', import.meta.url), {
      workerData: { home, budget, cells: cells.buffer },
      name: 'checkpoint',
    })
    made.on('message', (answer: Answered) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('result' in answer) asked?.resolve(answer.result)
      else asked?.reject(new EngineFailure(answer.failure.name, answer.failure.message, answer.failure.code))
      if (waiting.size === 0) made.unref()
    })
    const ended = (error: Error) => {
      worker = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    made.on('error', ended)
    made.on('exit', (code) => ended(new EngineFailure('ThreadEnded', `the checkpoint thread ended with ${code}`, undefined)))
    worker = made
    return made
  }

  function ask(name: keyof Work, args: readonly unknown[], { signal, counted }: Following = {}): Promise<never> {
    const asked: Asked = { id: ++last, name, args }
    const cancel = () => cells.cancel(asked.id)
    const unfollow = counted && cells.follow(asked.id, counted)
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    const answer = new Promise<never>((resolve, reject) => {
      waiting.set(asked.id, { resolve: resolve as (result: unknown) => void, reject })
      const thread = started()
      thread.ref()
      thread.postMessage(asked)
    })
    return answer.finally(() => {
      signal?.removeEventListener('abort', cancel)
      unfollow?.()
    })
  }

  return {
    survey: (scope, previous, following) => ask('survey', [scope, previous], following),
    take: (checkpoint_id, scope, previous, following) => ask('take', [checkpoint_id, scope, previous], following),
    settle: (checkpoint_id, side, following) => ask('settle', [checkpoint_id, side], following),
    changes: (...args) => ask('changes', args),
    preview: (...args) => ask('preview', args),
    stage: (...args) => ask('stage', args),
    whereabouts: (...args) => ask('whereabouts', args),
    apply: (...args) => ask('apply', args),
    finish: (...args) => ask('finish', args),
    journals: (...args) => ask('journals', args),
    artifacts: (...args) => ask('artifacts', args),
    sweep: (...args) => ask('sweep', args),
    holdings: (...args) => ask('holdings', args),
    usage: (...args) => ask('usage', args),
    removeTemps: (...args) => ask('removeTemps', args),
    close: async () => {
      await worker?.terminate()
    },
  }
}
