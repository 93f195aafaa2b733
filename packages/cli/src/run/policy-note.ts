// What the terminal says when a change of its agent's policy takes effect on trial, or is undone: it may have happened without the user.
import type { RecordedEvent } from '@tandem/contract/command'
import { singleLine } from '../terminal/terminal-text.ts'

/** Null for other events, and for those of other agents. */
export function policyNote(event: RecordedEvent['event'], agent_id: string | undefined): string | null {
  if (agent_id === undefined || event.agent_id !== agent_id) return null
  if (event.event === 'policy_canary_applied') {
    const { candidate_id, changes } = event.data
    const what = [...new Set(changes.map(({ tool, field }) => `${field} of ${tool}`))].join(', ')
    const undo = `Undo it: tandem learning candidates rollback ${candidate_id}`
    return `A change of this agent's policy is on trial (${singleLine(what, 200)}). ${undo}`
  }
  if (event.event !== 'policy_rollback_completed') return null
  return `A change of this agent's policy was undone: ${singleLine(event.data.reason, 200)}`
}
