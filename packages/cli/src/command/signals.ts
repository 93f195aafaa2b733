/** A terminal signals the whole group, and npm and our own launcher pass it on: what comes so close together is one wish. */
const echoMilliseconds = 500

/** Waits for Ctrl-C or a polite end; another one later ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        first ??= performance.now()
        if (performance.now() - first > echoMilliseconds) process.exit(130)
        resolve()
      })
    }
  })
}
