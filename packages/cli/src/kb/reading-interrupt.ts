// Ctrl-C while sources are read: a runtime that is running continues without this command, and one that ends with it stops reading.
import { exitCodes } from '../run/exit-code.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'

/** A terminal signals the whole process group, and our launcher forwards the signal: signals this close together count as one. */
const echoMilliseconds = 500

export interface ReadingInterrupt {
  /** The end is no longer awaited. */
  readonly left: AbortSignal
  /** Reading is being stopped: its end is awaited. */
  readonly canceled: AbortSignal
  release(): void
}

export function stopOnInterrupt(client: Pick<RuntimeClient, 'kind' | 'call'>, source_ids: readonly string[]): ReadingInterrupt {
  const left = new AbortController()
  const canceled = new AbortController()
  let first: number | undefined
  const leave = () => left.abort()
  const interrupt = () => {
    if (client.kind === 'attached') return leave()
    if (first !== undefined) {
      if (performance.now() - first > echoMilliseconds) process.exit(exitCodes.canceled)
      return
    }
    first = performance.now()
    canceled.abort()
    console.error('\nStopping. Press Ctrl-C again to exit immediately.')
    for (const source_id of source_ids) client.call('kb_cancel', { source_id }).catch(complain)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', leave)
  process.on('SIGHUP', leave)
  return {
    left: left.signal,
    canceled: canceled.signal,
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
