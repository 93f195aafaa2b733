// What becomes of the runtime when its last window is closed: by the person's setting it goes on, or it ends in good order.

/** A page that is loaded anew is away for a moment. */
const patience_ms = 10_000

export interface LastWindow {
  /** Told of every change of how many windows are open. */
  opened(count: number): void
  /** Ends when the last one was closed for good and the person wants an end then. */
  readonly closed: Promise<void>
}

export function lastWindow(wanted: () => Promise<'keep_going' | 'stop'>, after: (ms: number, call: () => void) => () => void): LastWindow {
  const { promise, resolve } = Promise.withResolvers<void>()
  let cancel: () => void = () => undefined
  let known = 0
  return {
    closed: promise,
    opened(count) {
      cancel()
      known = count
      if (count > 0) return
      cancel = after(patience_ms, () => {
        void wanted().then((wish) => {
          if (wish === 'stop' && known === 0) resolve()
        })
      })
    },
  }
}
