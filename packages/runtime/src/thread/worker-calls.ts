// Calls to a worker thread, answered in the order they were made. The thread starts with the first call, so that a program that makes none
// pays nothing, and it does not keep a program alive that waits for nothing.
import { Worker } from 'node:worker_threads'

export interface WorkerCall {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

export type WorkerAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: { readonly name: string; readonly message: string; readonly code?: string } }

/** What a call threw in the thread, or that the thread ended. */
class WorkerFailure extends Error {
  readonly code: string | undefined

  constructor(name: string, message: string, code: string | undefined) {
    super(message)
    this.name = name
    this.code = code
  }
}

export interface WorkerOptions {
  /** A plain JavaScript file that enables the compile cache and imports the rest. */
  readonly entry: URL
  readonly name: string
  readonly workerData: unknown
}

export interface WorkerCalls<Work> {
  /** `begun` is called with the id of the call before it is sent. */
  call<Name extends keyof Work & string>(
    name: Name,
    args: Work[Name] extends (...args: infer Args) => unknown ? Args : never,
    begun?: (id: number) => void,
  ): Promise<Work[Name] extends (...args: never[]) => infer Result ? Awaited<Result> : never>
  isStarted(): boolean
  terminate(): Promise<void>
}

export function openWorkerCalls<Work>({ entry, name, workerData }: WorkerOptions): WorkerCalls<Work> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let worker: Worker | null = null
  let last = 0

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(entry, { workerData, name })
    made.on('message', (answer: WorkerAnswer) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('result' in answer) asked?.resolve(answer.result)
      else asked?.reject(new WorkerFailure(answer.failure.name, answer.failure.message, answer.failure.code))
      if (waiting.size === 0) made.unref()
    })
    const ended = (error: Error) => {
      if (worker !== made) return
      worker = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    made.on('error', ended)
    made.on('exit', (code) => ended(new WorkerFailure('ThreadEnded', `the ${name} thread ended with ${code}`, undefined)))
    worker = made
    return made
  }

  return {
    call(called, args, begun) {
      const asked: WorkerCall = { id: ++last, name: called, args }
      begun?.(asked.id)
      return new Promise((resolve, reject) => {
        const thread = started()
        // Throws for what cannot be sent, before anything waits for it.
        thread.postMessage(asked)
        thread.ref()
        waiting.set(asked.id, { resolve: resolve as (result: unknown) => void, reject })
      })
    },
    isStarted: () => worker !== null,
    async terminate() {
      const ending = worker
      // A call from now on starts another one.
      worker = null
      for (const { reject } of waiting.values()) reject(new WorkerFailure('ThreadEnded', `the ${name} thread was ended`, undefined))
      waiting.clear()
      await ending?.terminate()
    },
  }
}

/** When the count is first reported, and how often. */
const [firstMs, everyMs] = [500, 250]

/** The call that was canceled, the call that the thread makes now, how much of it is done, and how much there is. */
const [canceledCell, workCell, doneCell, totalCell] = [0, 1, 2, 3]

/** Memory that both sides see: a call is canceled, and its progress is read, while the thread works without a pause. */
export class WorkCells {
  readonly buffer: SharedArrayBuffer
  readonly #cells: Int32Array

  constructor(buffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer
    this.#cells = new Int32Array(buffer)
  }

  cancel(work: number): void {
    Atomics.store(this.#cells, canceledCell, work)
  }

  isCanceled(): boolean {
    return Atomics.load(this.#cells, canceledCell) === Atomics.load(this.#cells, workCell)
  }

  begin(work: number): void {
    this.count(0, 0)
    Atomics.store(this.#cells, workCell, work)
  }

  count(done: number, total: number): void {
    Atomics.store(this.#cells, doneCell, done)
    Atomics.store(this.#cells, totalCell, total)
  }

  /** Until the returned function is called. Work that is still queued is not counted. */
  follow(work: number, counted: (done: number, total: number) => void): () => void {
    const tell = () => {
      if (Atomics.load(this.#cells, workCell) !== work) return
      const done = Atomics.load(this.#cells, doneCell)
      if (done > 0) counted(done, Atomics.load(this.#cells, totalCell))
    }
    let timer = setTimeout(() => {
      tell()
      timer = setInterval(tell, everyMs)
      timer.unref()
    }, firstMs)
    timer.unref()
    return () => clearTimeout(timer)
  }
}
