// Refusals for items that do not exist.
import type { Outcome } from './outcome.ts'

/** Without an id, the first agent was meant. */
export function agentNotFound(agent_id: string | undefined): Outcome<never> {
  return { ok: false, code: 'not_found', message: agent_id === undefined ? 'there are no agents yet' : `there is no agent ${agent_id}` }
}

export function runNotFound(run_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no run ${run_id}` }
}

/** `erased`: it was here until this device erased it. */
export function conversationNotFound(conversation_id: string, erased = false): Outcome<never> {
  return erased
    ? { ok: false, code: 'conversation_erased', message: `conversation ${conversation_id} was deleted and can't be restored` }
    : { ok: false, code: 'not_found', message: `there is no conversation ${conversation_id}` }
}
