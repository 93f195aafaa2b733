// What happens to the runtime when its last window is closed: depending on the user's setting it continues, or it shuts down cleanly.

/** A page that is reloaded is disconnected for a moment. */
const patience_ms = 10_000

export interface LastWindow {
  /** Called whenever the number of open windows changes. */
  opened(count: number): void
  /** Resolves when the last window was closed for good and the setting is to end then. */
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
