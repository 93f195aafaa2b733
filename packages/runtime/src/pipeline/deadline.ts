// Ends a call at its time limit or when it is canceled, even if the tool ignores the signal.
import type { Clock } from '../clock/clock.ts'

export type Ended<Result> =
  | { readonly how: 'returned'; readonly value: Result }
  | { readonly how: 'threw'; readonly error: unknown }
  /** With what the tool returned, if it ended in an orderly way. */
  | { readonly how: 'timed_out'; readonly value?: Result }
  | { readonly how: 'canceled'; readonly value?: Result }

class DeadlineError extends Error {
  constructor(seconds: number) {
    super(`it exceeded its time limit of ${seconds} s`)
    this.name = 'DeadlineError'
  }
}

/** How long a tool may clean up after it was told to stop. */
const grace_ms = 5_000

export async function within<Result>(
  clock: Clock,
  seconds: number,
  canceled: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Ended<Result>> {
  // Not every tool checks the signal: a call that was canceled before it started does not start.
  if (canceled.aborted) return { how: 'canceled' }
  const stop = new AbortController()
  const cancelTimer = clock.after(seconds * 1_000, () => stop.abort(new DeadlineError(seconds)))
  const cancel = () => stop.abort(canceled.reason)
  canceled.addEventListener('abort', cancel, { once: true })
  const working = Promise.resolve()
    .then(() => work(stop.signal))
    .then(
      (value): Ended<Result> => ({ how: stop.signal.aborted ? stopKind(stop.signal) : 'returned', value }),
      (error: unknown): Ended<Result> => (stop.signal.aborted ? stopped(stop.signal) : { how: 'threw', error }),
    )
  try {
    return await Promise.race([working, abandoned<Result>(clock, stop.signal)])
  } finally {
    cancelTimer()
    canceled.removeEventListener('abort', cancel)
  }
}

function stopped<Result>(signal: AbortSignal): Ended<Result> {
  return { how: stopKind(signal) }
}

function stopKind(signal: AbortSignal): 'timed_out' | 'canceled' {
  return signal.reason instanceof DeadlineError ? 'timed_out' : 'canceled'
}

function abandoned<Result>(clock: Clock, signal: AbortSignal): Promise<Ended<Result>> {
  return new Promise((resolve) => {
    const wait = () => clock.after(grace_ms, () => resolve(stopped(signal)))
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
}
