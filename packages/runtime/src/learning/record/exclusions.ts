// Agents and conversations whose runs are not learned from.
import type { Store } from '../../store/store.ts'

export interface LearningExclusions {
  has(agent_id: string, conversation_id: string): boolean
  of(kind: 'agent' | 'conversation', id: string): boolean
  set(kind: 'agent' | 'conversation', id: string, excluded: boolean): void
}

export function openExclusions({ sql }: Pick<Store, 'sql'>): LearningExclusions {
  return {
    has: (agent_id, conversation_id) =>
      sql.get`
        SELECT 1 FROM learning_exclusions
        WHERE (kind = 'agent' AND id = ${agent_id}) OR (kind = 'conversation' AND id = ${conversation_id})` !== undefined,
    of: (kind, id) => sql.get`SELECT 1 FROM learning_exclusions WHERE kind = ${kind} AND id = ${id}` !== undefined,
    set(kind, id, excluded) {
      if (excluded) sql.run`INSERT OR IGNORE INTO learning_exclusions (kind, id) VALUES (${kind}, ${id})`
      else sql.run`DELETE FROM learning_exclusions WHERE kind = ${kind} AND id = ${id}`
    },
  }
}
