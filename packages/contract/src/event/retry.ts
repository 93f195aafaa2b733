// Whether a run is waiting to call its model again, and how that is said. Pure; the window and the terminal use it.
import type { EventData, RuntimeEvent } from './schema.ts'

type FailedCall = Extract<RuntimeEvent, { event: 'model_call_failed' }>

export function retryText({ attempt, retry_in_ms }: EventData<'model_call_failed'>, message: string): string {
  const reason = message.trim() === '' ? '' : `: ${sentence(message)}`
  const seconds = Math.ceil((retry_in_ms ?? 0) / 1_000)
  const when = seconds === 0 ? 'now' : `in ${seconds} s`
  return `The model did not answer${reason}. Trying again ${when} (attempt ${attempt + 1}).`
}

export interface PendingRetry {
  /** What the model or the network said; empty when nothing is known. */
  readonly message: string
  /** The number of the attempt that comes next. */
  readonly attempt: number
  /** In milliseconds since 1970. */
  readonly at: number
}

/** The failed call that a run makes again: null once the model answered or the run stopped. `events` are in the order of recording. */
export function callToRetry(events: readonly { readonly event: RuntimeEvent }[], run_id: string): FailedCall | null {
  const last = events.findLast(({ event }) => event.run_id === run_id && !beside.has(event.event))?.event
  return last?.event === 'model_call_failed' && last.data.will_retry ? last : null
}

export function pendingRetry({ data, ts, failure_contract }: FailedCall): PendingRetry {
  const { attempt, retry_in_ms } = data
  return { message: sentence(failure_contract?.details.message ?? ''), attempt: attempt + 1, at: Date.parse(ts) + (retry_in_ms ?? 0) }
}

/** Without the full stop that an error often has. */
function sentence(message: string): string {
  return message.trim().replace(/[.\s]+$/, '')
}

/** What happens beside the loop says nothing of its model. */
const beside: ReadonlySet<string> = new Set(['checkpoint_expired', 'mcp_state_changed', 'sync_state_changed', 'sync_changes_arrived'])
