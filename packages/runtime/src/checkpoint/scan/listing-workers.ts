// Worker threads that list folders during a scan: a scan mostly waits for the file system, which can serve several requests at a time.
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { type FolderListing, list } from './listing.ts'

export interface ListingRequest {
  readonly id: number
  readonly folders: readonly string[]
}

export interface ListingReport {
  readonly id: number
  readonly listed: readonly FolderListing[]
}

interface ListingWorker {
  readonly thread: Worker
  readonly port: MessagePort
  /** Its current order; null while it is idle. */
  order: ListingRequest | null
  /** Its report is no longer needed. */
  recalled: boolean
}

/** A scan of fewer files ends before a thread has started. */
const worthwhile = 500
const foldersAtOnce = 16
/** A worker that does not report for this long is given up, and its folders are listed without it. */
const patience = 5_000
const most = 3

export class ListingWorkers {
  readonly #wanted: number
  readonly #reports = new Int32Array(new SharedArrayBuffer(4))
  #workers: ListingWorker[] = []
  #orders = 0

  constructor(wanted = Math.min(most, availableParallelism() - 1)) {
    this.#wanted = wanted
  }

  /** Gives folders from the front of the list to idle workers; at most half of them, because the scan continues from the other end. */
  send(folders: string[], filesSeen: number): void {
    if (filesSeen >= worthwhile) while (this.#workers.length < this.#wanted) this.#workers.push(start(this.#reports))
    for (const worker of this.#workers) {
      if (folders.length < 2) return
      if (worker.order) continue
      this.#orders += 1
      worker.order = { id: this.#orders, folders: folders.splice(0, Math.min(foldersAtOnce, folders.length >> 1)) }
      worker.recalled = false
      worker.port.postMessage(worker.order)
    }
  }

  /** What was reported so far. */
  heard(): FolderListing[] {
    return this.#workers.flatMap(hear)
  }

  /** Waits for the next report; empty if no worker is busy. */
  awaited(): FolderListing[] {
    for (;;) {
      const reports = Atomics.load(this.#reports, 0)
      const listed = this.heard()
      if (listed.length > 0 || this.#away().length === 0) return listed
      if (Atomics.wait(this.#reports, 0, reports, patience) === 'timed-out') return this.#giveUp()
    }
  }

  /** The folders that are not listed yet; their reports will be ignored. */
  recall(): string[] {
    return this.#away().flatMap((worker) => {
      worker.recalled = true
      return worker.order?.folders ?? []
    })
  }

  close(): void {
    for (const { thread } of this.#workers) void thread.terminate()
    this.#workers = []
  }

  #away(): ListingWorker[] {
    return this.#workers.filter(({ order, recalled }) => order !== null && !recalled)
  }

  #giveUp(): FolderListing[] {
    const lost = this.#away()
    this.#workers = this.#workers.filter((worker) => !lost.includes(worker))
    for (const { thread } of lost) void thread.terminate()
    return lost.flatMap(({ order }) => order?.folders.map(list) ?? [])
  }
}

function start(reports: Int32Array): ListingWorker {
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(new URL('./listing-worker-main.ts', import.meta.url), {
    workerData: { port: port2, reports },
    transferList: [port2],
    name: 'listing',
  })
  thread.unref()
  // A worker that could not start or died counts as slow: the scan gives it up.
  thread.on('error', () => undefined)
  // It is busy until it reports that it has started.
  return { thread, port: port1, order: { id: 0, folders: [] }, recalled: true }
}

function hear(worker: ListingWorker): readonly FolderListing[] {
  const message = receiveMessageOnPort(worker.port) as { readonly message: ListingReport } | undefined
  if (!message || message.message.id !== worker.order?.id) return []
  const { recalled } = worker
  worker.order = null
  return recalled ? [] : message.message.listed
}
