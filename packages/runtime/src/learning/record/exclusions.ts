// Agents and conversations whose runs are not learned from. It also applies to the branches of a conversation, and to the members of a team
// that work for it.
import { type LinePorts, lineOf } from '../../journal/conversation-line.ts'
import type { Store } from '../../store/store.ts'

export interface LearningExclusions {
  has(agent_id: string, conversation_id: string): boolean
  of(kind: 'agent' | 'conversation', id: string): boolean
  /** Including a branch again includes what it continues. */
  set(kind: 'agent' | 'conversation', id: string, excluded: boolean): void
}

export function openExclusions({ sql }: Pick<Store, 'sql'>, ports: LinePorts): LearningExclusions {
  const isSet = (kind: 'agent' | 'conversation', id: string) =>
    sql.get`SELECT 1 FROM learning_exclusions WHERE kind = ${kind} AND id = ${id}` !== undefined
  const idsOf = (conversation_id: string) => [
    ...new Set([conversation_id, ...lineOf(ports, conversation_id).map((one) => one.conversation_id)]),
  ]
  const isInLine = (conversation_id: string) => {
    // Usually there are none, and nothing has to be read.
    const isAny = sql.get`SELECT 1 FROM learning_exclusions WHERE kind = 'conversation'` !== undefined
    return isAny && idsOf(conversation_id).some((id) => isSet('conversation', id))
  }
  return {
    has: (agent_id, conversation_id) => isSet('agent', agent_id) || isInLine(conversation_id),
    of: (kind, id) => (kind === 'agent' ? isSet(kind, id) : isInLine(id)),
    set(kind, id, excluded) {
      if (excluded) sql.run`INSERT OR IGNORE INTO learning_exclusions (kind, id) VALUES (${kind}, ${id})`
      else
        for (const one of kind === 'agent' ? [id] : idsOf(id)) sql.run`DELETE FROM learning_exclusions WHERE kind = ${kind} AND id = ${one}`
    },
  }
}
