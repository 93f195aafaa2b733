// What a workflow run is doing right now. One at a time per name.
import type { Clock } from '../../clock/clock.ts'

interface Flight {
  readonly abort: AbortController
  readonly done: Promise<void>
}

export class Flights {
  readonly #flights = new Map<string, Flight>()
  #changed = Promise.withResolvers<void>()
  #hasChanged = false
  #error: { readonly error: unknown } | null = null

  get size(): number {
    return this.#flights.size
  }

  has(name: string): boolean {
    return this.#flights.has(name)
  }

  start(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController()
    const done = work(abort.signal)
      .catch((error: unknown) => {
        this.#error ??= { error }
      })
      .finally(() => {
        this.#flights.delete(name)
        this.wake()
      })
    this.#flights.set(name, { abort, done })
  }

  /** False if there is none of this name. */
  abort(name: string): boolean {
    this.#flights.get(name)?.abort.abort()
    return this.#flights.has(name)
  }

  abortAll(): void {
    for (const { abort } of this.#flights.values()) abort.abort()
  }

  wake(): void {
    this.#hasChanged = true
    this.#changed.resolve()
  }

  /** Resolves after one has ended, after `wake`, or at a time. Throws what one of them threw. */
  async next(clock: Clock, at: number | null): Promise<void> {
    const cancel = at === null || this.#hasChanged ? () => undefined : clock.after(at - clock.now(), () => this.wake())
    await this.#changed.promise
    cancel()
    this.#hasChanged = false
    this.#changed = Promise.withResolvers()
    this.#rethrow()
  }

  /** All have ended. */
  async landed(): Promise<void> {
    while (this.#flights.size > 0) await Promise.all([...this.#flights.values()].map(({ done }) => done))
    this.#rethrow()
  }

  #rethrow(): void {
    if (this.#error) throw this.#error.error
  }
}
