// Ctrl-C: once cancels the run cleanly, twice ends this program. SIGTERM and SIGHUP pause the run, to be resumed later.
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { exitCodes } from './exit-code.ts'

/** A terminal signals the whole process group, and our launcher forwards the signal: signals this close together count as one. */
const echoMilliseconds = 500

export interface InterruptHandler {
  /** The run is being canceled: its end is awaited. */
  readonly canceled: AbortSignal
  /** The run is left paused, as soon as possible: nothing more is asked or answered. */
  readonly left: AbortSignal
  /** Stops listening. */
  release(): void
}

export function cancelOnInterrupt(client: RuntimeClient, run_id: string): InterruptHandler {
  const canceled = new AbortController()
  const left = new AbortController()
  let first: number | undefined
  const interrupt = () => {
    if (first !== undefined) {
      if (performance.now() - first > echoMilliseconds) process.exit(exitCodes.canceled)
      return
    }
    first = performance.now()
    canceled.abort()
    console.error('\nStopping the run. Press Ctrl-C again to exit immediately.')
    client.call('agent_run_cancel', { run_id, reason: 'canceled at the terminal' }).catch(complain)
  }
  const leave = () => {
    left.abort()
    // A run that waits for an answer is already paused, and reports that.
    client.call('agent_run_pause', { run_id }).catch(complain)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', leave)
  process.on('SIGHUP', leave)
  return {
    canceled: canceled.signal,
    left: left.signal,
    release() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', leave)
      process.off('SIGHUP', leave)
    },
  }
}

/** For a run that is already paused: any signal means that the user left. */
export function leaveOnInterrupt(): Pick<InterruptHandler, 'left' | 'release'> {
  const left = new AbortController()
  const leave = () => left.abort()
  for (const signal of signals) process.on(signal, leave)
  return {
    left: left.signal,
    release() {
      for (const signal of signals) process.off(signal, leave)
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function complain(error: unknown): void {
  console.error(`tandem: ${String(error)}`)
}
