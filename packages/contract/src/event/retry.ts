// Whether a run is waiting to call its model again, and how that is said. Pure; the window and the terminal use it.
import type { EventData, RuntimeEvent } from './schema.ts'

/** The last word of an error often has its full stop already. */
export function retryText({ attempt, retry_in_ms }: EventData<'model_call_failed'>, message: string): string {
  const reason = message.trim() === '' ? '' : `: ${message.trim().replace(/[.\s]+$/, '')}`
  const seconds = Math.ceil((retry_in_ms ?? 0) / 1_000)
  const when = seconds === 0 ? 'now' : `in ${seconds} s`
  return `The model did not answer${reason}. Trying again ${when} (attempt ${attempt + 1}).`
}

/** The retry that a run waits for: null once the model answered or the run no longer goes on. `events` are in the order of recording. */
export function pendingRetry(events: readonly RuntimeEvent[], run_id: string): string | null {
  const last = events.findLast((event) => event.run_id === run_id && !beside.has(event.event))
  if (last?.event !== 'model_call_failed' || !last.data.will_retry) return null
  return retryText(last.data, last.failure_contract?.details.message ?? '')
}

/** What happens beside the loop says nothing of its model. */
const beside: ReadonlySet<string> = new Set(['checkpoint_expired', 'mcp_state_changed', 'sync_state_changed', 'sync_changes_arrived'])
