// Refusals for items that do not exist.
import type { Outcome } from './outcome.ts'

export function agentNotFound(agent_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no agent ${agent_id}` }
}

export function conversationNotFound(conversation_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no conversation ${conversation_id}` }
}
