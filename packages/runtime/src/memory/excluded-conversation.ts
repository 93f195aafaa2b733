// Conversations that are no longer remembered: what was learned in them alone is archived, and comes back when they are remembered again.
import type { Memory } from '@tandem/contract/memory'
import type { Memories } from './record/memories.ts'

const page = 1_000

/** Returns the memories that changed. In the transaction of the caller. */
export function setAsideLearnedIn(
  memories: Pick<Memories, 'page' | 'move'>,
  conversation_ids: readonly string[],
  remember: boolean,
): readonly Memory[] {
  const ids = new Set(conversation_ids)
  return conversation_ids
    .flatMap((conversation_id) => allIn(memories, conversation_id, remember ? 'archived' : 'active'))
    .flatMap((memory) => {
      if (remember) return memory.state_reason === 'excluded' ? (memories.move(memory.id, 'reinstate', null) ?? []) : []
      return isOnlyFrom(memory, ids) ? (memories.move(memory.id, 'archive', 'excluded') ?? []) : []
    })
}

function allIn(memories: Pick<Memories, 'page'>, conversation_id: string, state: Memory['state']): readonly Memory[] {
  const all: Memory[] = []
  for (;;) {
    const more = memories.page({ conversation_id, states: [state] }, all.at(-1) ?? null, page)
    all.push(...more)
    if (more.length < page) return all
  }
}

/** What the user said elsewhere too, or added or confirmed themselves, stays. */
function isOnlyFrom({ quotes, confirmed_by_user }: Memory, conversation_ids: ReadonlySet<string>): boolean {
  return !confirmed_by_user && quotes.every(({ conversation_id }) => conversation_id === undefined || conversation_ids.has(conversation_id))
}
