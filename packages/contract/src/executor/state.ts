// The state of an executor, derived from its last negotiation.
import type { NegotiationResult } from './schema.ts'

/** `untested`: there was no attempt yet. `expired`: the last result is too old to rely on. */
export const executorStates = ['untested', 'ready', 'expired', 'failed'] as const
export type ExecutorState = (typeof executorStates)[number]

export function executorState(negotiation: NegotiationResult | null, now: number): ExecutorState {
  if (negotiation === null) return 'untested'
  if (negotiation.outcome === 'failed') return 'failed'
  return now < Date.parse(negotiation.expires_at) ? 'ready' : 'expired'
}
