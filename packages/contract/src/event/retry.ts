// Whether a run is waiting to call its model again, and the text for that. Pure; the window and the terminal use it.
import type { EventData, RuntimeEvent } from './schema.ts'

type FailedCall = Extract<RuntimeEvent, { event: 'model_call_failed' }>

export function retryText({ attempt, retry_in_ms }: EventData<'model_call_failed'>, message: string): string {
  const reason = message.trim() === '' ? '' : `: ${withoutFullStop(message)}`
  const seconds = Math.ceil((retry_in_ms ?? 0) / 1_000)
  const when = seconds === 0 ? 'now' : `in ${seconds} s`
  return `The model did not respond${reason}. Trying again ${when} (attempt ${attempt + 1}).`
}

export interface PendingRetry {
  /** The message of the model or the network; empty if there is none. */
  readonly message: string
  /** The number of the next attempt. */
  readonly attempt: number
  /** In milliseconds since 1970. */
  readonly at: number
}

/** The failed call that a run retries: null once the model answered or the run stopped. `events` are in the order of recording. */
export function callToRetry(events: readonly { readonly event: RuntimeEvent }[], run_id: string): FailedCall | null {
  const last = events.findLast(({ event }) => event.run_id === run_id && !beside.has(event.event))?.event
  return last?.event === 'model_call_failed' && last.data.will_retry ? last : null
}

export function pendingRetry({ data, ts, failure_contract }: FailedCall): PendingRetry {
  const { attempt, retry_in_ms } = data
  return {
    message: withoutFullStop(failure_contract?.details.message ?? ''),
    attempt: attempt + 1,
    at: Date.parse(ts) + (retry_in_ms ?? 0),
  }
}

/** Many errors end with one. */
function withoutFullStop(message: string): string {
  return message.trim().replace(/[.\s]+$/, '')
}

/** Events outside the loop are not about its model. */
const beside: ReadonlySet<string> = new Set(['checkpoint_expired', 'mcp_state_changed', 'sync_state_changed', 'sync_changes_arrived'])
