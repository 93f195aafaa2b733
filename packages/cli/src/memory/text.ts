// How memories are written in a terminal. Their text is untrusted: every character of it is made visible.
import type { CommandError } from '@tandem/contract/command'
import type { Memory, MemoryResolution } from '@tandem/contract/memory'
import { exitCodes } from '../run/exit-code.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

/** An agent by its id, for users. */
export type AgentNames = ReadonlyMap<string, string>

export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : many}`
}

export function percent(fraction: number): string {
  return `${Math.round(fraction * 100)}%`
}

/** `set_aside` is "set aside". */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

export function ownerOf(agent_id: string | null, names: AgentNames): string {
  return agent_id === null ? 'all agents' : escapeControls(names.get(agent_id) ?? agent_id)
}

export function stateOf({ state, state_reason, authority, confirmed_by_user, conflicts_with }: Memory): string {
  if (state !== 'active') return state_reason === null ? state : `${state} (${words(state_reason)})`
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

/** `step` is the next step as a `tandem` command. */
export function refused(error: CommandError, step?: string): number {
  printRefusal(error)
  if (step !== undefined && error.code === 'not_found') console.error(`        ${step}`)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
