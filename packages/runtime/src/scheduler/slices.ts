// Long work in slices of a few milliseconds: nothing that a user does waits for all of it.
import { setImmediate } from 'node:timers/promises'

let lastTurn: Promise<void> = Promise.resolve()

/** A turn of the event loop to itself: if several features work in slices at the same time, what a user does waits for one slice and not for one of each. */
export function othersFirst(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/** Work that yields wherever others may go first: after each call, page or failure. */
export type SlicedWork<Result> = Generator<void, Result>

const slice_ms = 10

/** `elapsed`: monotonic milliseconds. */
export async function inSlices<Result>(work: SlicedWork<Result>, elapsed: () => number): Promise<Result> {
  let began = elapsed()
  for (;;) {
    const next = work.next()
    if (next.done) return next.value
    if (elapsed() - began < slice_ms) continue
    await othersFirst()
    began = elapsed()
  }
}

/** For callers that have little to do. */
export function atOnce<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done) return next.value
  }
}

/** One at a time, each after others had their turn. A failure is reported to its caller, and the next one starts anyway. */
export function openQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(async () => {
      await othersFirst()
      return await work()
    })
    last = next.catch(() => undefined)
    return next
  }
}

const batch = 50

/** Writes items in transactions of a few rows. */
export function openBatches(transaction: (work: () => void) => void) {
  return function* inTransactions<Item>(items: readonly Item[], write: (item: Item) => void): SlicedWork<void> {
    for (let start = 0; start < items.length; start += batch) {
      transaction(() => items.slice(start, start + batch).forEach(write))
      yield
    }
  }
}
