// How far the work on a recovery point is. The checkpoint thread counts; the thread that waits for it reads the count from shared memory.

/** `total` is 0 while it is not known. */
export type FileCount = (files: number, total: number) => void

/** What a caller can do while work on the disk is in progress. */
export interface Following {
  /** Only a survey can be canceled. */
  readonly signal?: AbortSignal | undefined
  /** Called every quarter of a second, and only for work that takes longer than half a second. */
  readonly counted?: FileCount | undefined
}

const firstMs = 500
const everyMs = 250

/** The work that was canceled, the work that the thread does now, its files, and how many there are. */
const [canceledCell, workCell, filesCell, totalCell] = [0, 1, 2, 3]

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

  count(files: number, total: number): void {
    Atomics.store(this.#cells, filesCell, files)
    Atomics.store(this.#cells, totalCell, total)
  }

  /** Until the returned function is called. Work that is still queued is not counted. */
  follow(work: number, counted: FileCount): () => void {
    const tell = () => {
      if (Atomics.load(this.#cells, workCell) !== work) return
      const files = Atomics.load(this.#cells, filesCell)
      if (files > 0) counted(files, Atomics.load(this.#cells, totalCell))
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
