/** A terminal signals the whole process group, and npm and our launcher forward the signal: signals this close together count as one. */
const echoMilliseconds = 500

/** Waits for SIGINT, SIGTERM or SIGHUP; another one later ends the process immediately. */
export function waitForStopSignal(): Promise<void> {
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
