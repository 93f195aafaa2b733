import type { OutcomeVerdict } from '@tandem/contract/learning'

export interface TracedCall {
  readonly tool: string
  /** JSON text. */
  readonly arguments: string
  /** An outcome of the contract; `succeeded` is the only good one. */
  readonly outcome: string
  readonly approved_by_person: boolean
}

/** What is known of a run once it has ended. */
export interface RunTrace {
  readonly run_id: string
  readonly state: 'completed' | 'failed' | 'canceled'
  readonly calls: readonly TracedCall[]
  readonly denied: boolean
  readonly corrected_next: boolean
  readonly restored_within_a_day: boolean
  /** Of the evaluation of the run; null if it was not evaluated. */
  readonly verdict: OutcomeVerdict | null
  /** Ids of the memories that the run cites. */
  readonly cites: readonly string[]
}

/** How many calls at the end of a run must have succeeded. An earlier failure that the run recovered from does not count. */
const lastCalls = 3

/** Whether a run went so well that it can be learned from. */
export function wentWell({ state, calls, denied, corrected_next, restored_within_a_day, verdict }: RunTrace): boolean {
  if (state !== 'completed' || denied || corrected_next || restored_within_a_day) return false
  if (verdict !== null && verdict !== 'success') return false
  return calls.slice(-lastCalls).every(({ outcome }) => outcome === 'succeeded')
}
