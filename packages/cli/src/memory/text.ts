// How memories are written in a terminal. Their text is untrusted: every character of it is made visible.
import { type Memory, type MemoryResolution, memoryStateReasonTexts } from '@tandem/contract/memory'
import { type AgentNames, ownerOf } from '../command/agents.ts'
import { counted } from '../terminal/quantity.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

/** `set_aside` is "set aside". */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** With the reason, if it is not used. */
export function stateText(memory: Memory): string {
  const { state_reason } = memory
  return state_reason === null ? stateOf(memory) : `${stateOf(memory)}: ${memoryStateReasonTexts[state_reason]}`
}

export function stateOf({ state, authority, confirmed_by_user, conflicts_with }: Memory): string {
  if (state !== 'active') return state
  if (authority === 'untrusted' && !confirmed_by_user) return 'to review'
  return conflicts_with.length > 0 ? 'in conflict' : 'active'
}

export function subjectText(subject: string): string {
  if (subject === 'user') return 'about you'
  return subject === 'agent' ? 'about the agent' : `about ${escapeControls(subject).replace(':', ' ')}`
}

export function memoryRow(memory: Memory, names: AgentNames): string[] {
  const { id, memory_kind, agent_id, created_at, content } = memory
  return [id, memory_kind, stateOf(memory), ownerOf(agent_id, names), utcMinute(created_at), singleLine(content, 80)]
}

/** What a change led to, one line each. */
export function resolutionLines({ superseded, archived, conflicting }: MemoryResolution): string[] {
  return [
    ...(superseded.length > 0 ? [`${counted(superseded.length, 'memory is', 'memories are')} superseded: ${superseded.join(', ')}`] : []),
    ...(archived.length > 0 ? [`${counted(archived.length, 'memory is', 'memories are')} archived: ${archived.join(', ')}`] : []),
    ...(conflicting.length > 0
      ? [
          `${counted(conflicting.length, 'memory contradicts', 'memories contradict')} another: ${conflicting.join(', ')}`,
          'Decide which one is right with tandem memory decide RIGHT WRONG…',
        ]
      : []),
  ]
}
