// Which memories an agent may see, and which of them may be put into a prompt. Pure.
import type { Memory } from '@tandem/contract/memory'

export interface Reader {
  readonly agent_id: string
  /** Null outside a conversation: then nothing that is restricted to one is seen. */
  readonly conversation_id: string | null
  /** The conversation and those that it continues. */
  readonly continues?: readonly string[]
}

type Owned = Pick<Memory, 'agent_id' | 'conversation_id' | 'only_in_conversation'>

export function isVisible(memory: Owned, reader: Reader): boolean {
  if (memory.agent_id !== null && memory.agent_id !== reader.agent_id) return false
  return !memory.only_in_conversation || (memory.conversation_id !== null && conversationsOf(reader).includes(memory.conversation_id))
}

function conversationsOf({ conversation_id, continues }: Reader): readonly string[] {
  return continues ?? (conversation_id === null ? [] : [conversation_id])
}

/** Whether it is waiting for the user: it names something that the user never named, and the user has not confirmed it. */
export function needsReview({ authority, confirmed_by_user, state }: Pick<Memory, 'authority' | 'confirmed_by_user' | 'state'>): boolean {
  return state === 'active' && authority === 'untrusted' && !confirmed_by_user
}

/** The scope of a memory in the recall index. A reader asks for the scopes of `scopesFor`, so nothing else can be found. */
export function scopeOf(memory: Owned & Pick<Memory, 'authority' | 'confirmed_by_user' | 'state'>): string {
  const owner = memory.agent_id === null ? 'shared' : `agent:${memory.agent_id}`
  if (memory.state !== 'active') return `memories/inactive:${owner}`
  if (needsReview(memory)) return `memories/review:${owner}`
  return memory.only_in_conversation ? `memories/only:${memory.conversation_id ?? ''}:${owner}` : `memories/${owner}`
}

export function scopesFor(reader: Reader): readonly string[] {
  const owners = ['shared', `agent:${reader.agent_id}`]
  return owners.flatMap((owner) => [
    `memories/${owner}`,
    ...conversationsOf(reader).map((conversation_id) => `memories/only:${conversation_id}:${owner}`),
  ])
}
