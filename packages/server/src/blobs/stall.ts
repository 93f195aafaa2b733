// Detects that the receiver of an upload no longer reads. Waiting for the source is not a stall: it may be slow.

export class StallDetector {
  readonly #withinMs: number
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(withinMs: number) {
    this.#withinMs = withinMs
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The timeout runs while a chunk is being consumed, and after the last one until `end`. */
  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#start()
      yield chunk
      this.end()
    }
    this.#start()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`no progress within ${this.#withinMs} ms`)), this.#withinMs)
  }
}
