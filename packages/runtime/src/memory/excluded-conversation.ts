// A conversation that is no longer remembered: what was learned in it alone is archived, and comes back when it is remembered again.
import type { Memory } from '@tandem/contract/memory'
import type { Memories } from './record/memories.ts'

const page = 1_000

/** Returns the memories that changed. In the transaction of the caller. */
export function setAsideLearnedIn(
  memories: Pick<Memories, 'page' | 'move'>,
  conversation_id: string,
  remember: boolean,
): readonly Memory[] {
  const all: Memory[] = []
  for (;;) {
    const more = memories.page({ conversation_id, states: [remember ? 'archived' : 'active'] }, all.at(-1) ?? null, page)
    all.push(...more)
    if (more.length < page) break
  }
  return all.flatMap((memory) => {
    if (remember) return memory.state_reason === 'excluded' ? (memories.move(memory.id, 'reinstate', null) ?? []) : []
    return isOnlyFrom(memory, conversation_id) ? (memories.move(memory.id, 'archive', 'excluded') ?? []) : []
  })
}

/** What the user said elsewhere too, or added or confirmed themselves, stays. */
function isOnlyFrom({ quotes, confirmed_by_user }: Memory, conversation_id: string): boolean {
  return !confirmed_by_user && quotes.every((quote) => quote.conversation_id === undefined || quote.conversation_id === conversation_id)
}
