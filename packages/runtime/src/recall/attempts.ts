// Work that is tried again with growing pauses. The same problem is logged once.
import type { Clock } from '../clock/clock.ts'

const [first_ms, last_ms] = [1_000, 5 * 60_000]

export interface Attempts {
  /** Why the last attempt failed; null when it succeeded. */
  problem(): string | null
  succeeded(): void
  failed(error: unknown, again: () => void): void
  cancel(): void
}

export function openAttempts(what: string, { clock, log }: { readonly clock: Clock; log(line: string): void }): Attempts {
  let problem: string | null = null
  let pause_ms = first_ms
  let cancel: () => void = () => undefined
  return {
    problem: () => problem,
    succeeded() {
      problem = null
      pause_ms = first_ms
      cancel()
    },
    failed(error, again) {
      const text = error instanceof Error ? error.message : String(error)
      if (problem !== text) log(`recall: ${what} failed: ${text}`)
      problem = text
      cancel()
      cancel = clock.after(pause_ms, again)
      pause_ms = Math.min(last_ms, pause_ms * 2)
    },
    cancel: () => cancel(),
  }
}
