// Which words of which messages must not become a memory again, because the user has forgotten what was remembered from them.
import type { Store } from '../../store/store.ts'
import type { Span } from '../rule/spans.ts'

export interface ForgottenWords {
  add(message: { readonly message_id: string; readonly conversation_id: string }, spans: readonly Span[]): void
  of(message_id: string): readonly Span[]
  /** Everything about the user that was said until now. */
  addUser(): void
  /** Whether it was written before the user was forgotten. */
  isBeforeUser(message_id: string): boolean
}

const user = 'memory_user_forgotten'

export function openForgottenWords({ sql, newId }: Pick<Store, 'sql' | 'newId'>): ForgottenWords {
  return {
    add({ message_id, conversation_id }, spans) {
      for (const { start, length } of spans)
        sql.run`
          INSERT OR IGNORE INTO memory_forgotten (message_id, conversation_id, start, length)
          VALUES (${message_id}, ${conversation_id}, ${start}, ${length})`
    },
    of: (message_id) => sql.all`SELECT start, length FROM memory_forgotten WHERE message_id = ${message_id}`,
    // Ids are made in the order of time. The time of a message would not do: an imported one was written long before it was imported.
    addUser: () => void sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${user}, ${newId()})`,
    isBeforeUser(message_id) {
      const row = sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${user}`
      return row !== undefined && message_id < row.value
    },
  }
}
