// Ctrl-C: once cancels the run in good order, twice ends this program. A polite end from outside pauses it, for another day.
import type { Desk } from '../desk/desk.ts'
import { exitCodes } from './exit-code.ts'

/** A terminal signals the whole group, and our own launcher passes it on: what comes so close together is one wish. */
const echoMilliseconds = 500

/** The signal is aborted with the first one. The answer stops listening. */
export function cancelOnInterrupt(desk: Desk, run_id: string): { readonly signal: AbortSignal; release(): void } {
  const canceled = new AbortController()
  let first: number | undefined
  const interrupt = () => {
    if (first !== undefined) {
      if (performance.now() - first > echoMilliseconds) process.exit(exitCodes.canceled)
      return
    }
    first = performance.now()
    canceled.abort()
    console.error('\nCanceling the run. Ctrl-C once more ends at once.')
    desk.call('agent_run_cancel', { run_id, reason: 'canceled at the terminal' }).catch(complain)
  }
  const leave = () => {
    desk.call('agent_run_pause', { run_id }).catch(complain)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', leave)
  process.on('SIGHUP', leave)
  return {
    signal: canceled.signal,
    release() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', leave)
      process.off('SIGHUP', leave)
    },
  }
}

function complain(error: unknown): void {
  console.error(`tandem: ${String(error)}`)
}
