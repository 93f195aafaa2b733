// What the user does not want to be remembered. It also applies to the branches of a conversation, and to the members of a team that work
// for it.
import { below, type LinePorts, lineOf } from '../../journal/conversation-line.ts'
import type { Store } from '../../store/store.ts'

export type ExclusionKind = 'agent' | 'conversation'

export interface Exclusions {
  hasAgent(agent_id: string): boolean
  /** Whether the agent, its conversation or one that this belongs to is excluded. */
  has(agent_id: string, conversation_id: string | null): boolean
  /** Returns the conversations for which this changes something. Including a branch again includes what it continues. */
  set(kind: ExclusionKind, id: string, excluded: boolean): readonly string[]
  /** Also those that are excluded because they belong to others. */
  list(kind: ExclusionKind): readonly string[]
}

export function openExclusions({ sql, kept }: Pick<Store, 'sql' | 'kept'>, ports: LinePorts): Exclusions {
  const known = kept<boolean>('memory_exclusions')

  function isSet(kind: ExclusionKind, id: string): boolean {
    return known.get(
      `${kind} ${id}`,
      () => sql.get`SELECT 1 AS found FROM memory_exclusions WHERE kind = ${kind} AND id = ${id}` !== undefined,
    )
  }

  /** Usually there are none, and nothing has to be read. */
  function isEmpty(): boolean {
    return known.get('none', () => sql.get`SELECT 1 AS found FROM memory_exclusions` === undefined)
  }

  function has(agent_id: string, conversation_id: string | null): boolean {
    if (isEmpty()) return false
    if (isSet('agent', agent_id)) return true
    if (conversation_id === null) return false
    if (isSet('conversation', conversation_id)) return true
    return lineOf(ports, conversation_id).some((one) => isSet('conversation', one.conversation_id) || isSet('agent', one.agent_id))
  }

  function listed(kind: ExclusionKind): readonly string[] {
    return sql.all<{ id: string }>`SELECT id FROM memory_exclusions WHERE kind = ${kind} ORDER BY id`.map(({ id }) => id)
  }

  const idsBelow = (conversation_id: string) => below(ports, conversation_id).map((one) => one.conversation_id)

  return {
    hasAgent: (agent_id) => !isEmpty() && isSet('agent', agent_id),
    has,
    set(kind, id, excluded) {
      if (excluded) {
        sql.run`INSERT OR IGNORE INTO memory_exclusions (kind, id) VALUES (${kind}, ${id})`
        return kind === 'agent' ? [] : idsBelow(id)
      }
      const own = kind === 'agent' ? [id] : lineOf(ports, id).map((one) => one.conversation_id)
      const removed = own.filter((one) => isSet(kind, one))
      for (const one of removed) sql.run`DELETE FROM memory_exclusions WHERE kind = ${kind} AND id = ${one}`
      if (kind === 'agent') return []
      return [...new Set([id, ...removed].flatMap(idsBelow))].filter((one) => {
        const conversation = ports.conversations.get(one)
        return conversation !== undefined && !has(conversation.agent_id, one)
      })
    },
    list: (kind) => (kind === 'agent' ? listed(kind) : [...new Set(listed(kind).flatMap((id) => [id, ...idsBelow(id)]))]),
  }
}
