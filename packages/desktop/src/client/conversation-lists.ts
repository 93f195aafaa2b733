// Reads the conversations that the window shows: the newest ones, all pinned ones, and those that were opened, however old they are.
import type { Conversation } from '@tandem/contract/command'
import type { CallResult, Channel } from '../connection/channel.ts'
import { type OlderConversations, withConversations } from '../store/conversations.ts'
import type { WindowState } from '../store/window-state.ts'
import { idBatches } from './id-batches.ts'
import { readAll } from './pages.ts'

export interface ConversationLists {
  /** A conversation that the user opened or started stays, with its branches, however old it is. */
  keep(conversation_id: string): void
  /** The list will be read further from now on; the returned function undoes that. */
  extend(list: keyof OlderConversations): () => void
  /** Everything, as it will be shown; `named` are needed in addition. */
  read(named: () => Promise<readonly string[]>): Promise<CallResult<(state: WindowState) => Partial<WindowState>>>
  /** These, with all that branch from the same ones. */
  readFamilies(conversation_ids: readonly string[]): Promise<CallResult<readonly Conversation[]>>
}

/** How many more are shown at a time. */
const step = 1_000
/** How many opened ones are read again with the lists. */
const mostKept = 200

export function openConversationLists(channel: Channel): ConversationLists {
  const lengths = { active: step, archived: step }
  const kept = new Set<string>()

  async function readList(list: keyof OlderConversations) {
    const params = list === 'archived' ? { hidden: true } : {}
    const pages = await readAll(channel, 'conversation_list', params, { most: lengths[list] })
    if (!pages.ok || !pages.value.hasMore) return pages
    const pinned = await readAll(channel, 'conversation_list', { ...params, pinned: true })
    return pinned.ok ? { ok: true as const, value: { ...pages.value, items: [...pages.value.items, ...pinned.value.items] } } : pinned
  }

  async function readFamilies(conversation_ids: readonly string[]): Promise<CallResult<readonly Conversation[]>> {
    const found: Conversation[] = []
    for (const families_of of idBatches(conversation_ids)) {
      const read = await readAll(channel, 'conversation_list', { families_of: [...families_of] })
      if (!read.ok) return read
      found.push(...read.value.items)
    }
    return { ok: true, value: found }
  }

  return {
    keep(conversation_id) {
      kept.delete(conversation_id)
      kept.add(conversation_id)
      for (const oldest of [...kept].slice(0, -mostKept)) kept.delete(oldest)
    },
    extend(list) {
      lengths[list] += step
      return () => {
        lengths[list] -= step
      }
    },
    readFamilies,
    async read(named) {
      const asked = new Set(kept)
      const [active, archived] = await Promise.all([readList('active'), readList('archived')])
      if (!active.ok) return active
      if (!archived.ok) return archived
      const older = { active: active.value.hasMore, archived: archived.value.hasMore }
      const items = [...active.value.items, ...archived.value.items]
      const known = new Set(items.map(({ conversation_id }) => conversation_id))
      // The branches of one that is known may be older than those that were read.
      const isComplete = (id: string) => known.has(id) && !older.active && !older.archived
      const wanted = new Set([...asked, ...(await named())].filter((id) => !isComplete(id)))
      const families = await readFamilies([...wanted])
      if (!families.ok) return families
      return {
        ok: true,
        value: ({ conversations }) => {
          // What was opened meanwhile was read by its own call.
          const late = [...kept].flatMap((id) => (asked.has(id) ? [] : (conversations?.get(id) ?? [])))
          return { conversations: withConversations(conversations, [...items, ...families.value, ...late]), olderConversations: older }
        },
      }
    },
  }
}
