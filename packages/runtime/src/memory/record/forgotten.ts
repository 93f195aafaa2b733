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
  /** Called before the rows of a conversation are deleted: the numbers of the newest messages are given again. */
  beforeErasing(conversation_id: string): void
  /** Whether some of its words, or everything about the user in it, was forgotten. */
  isTouched(message_id: string): boolean
}

/** When the user was forgotten: clocks go wrong, so that only messages of other devices are compared by their ids. */
interface UserForgotten {
  /** The newest message on this device. */
  readonly through: number
  /** Messages that no run had received yet. */
  readonly waiting: readonly string[]
  /** Ids are made in the order of time. */
  readonly id: string
}

const user = 'memory_forgotten_user'

export function openForgottenWords({ sql, newId, device_id }: Pick<Store, 'sql' | 'newId' | 'device_id'>): ForgottenWords {
  const of = (message_id: string): readonly Span[] => sql.all`SELECT start, length FROM memory_forgotten WHERE message_id = ${message_id}`

  function note(): UserForgotten | null {
    const row = sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${user}`
    return row ? JSON.parse(row.value) : null
  }

  const keep = (one: UserForgotten) => void sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${user}, ${JSON.stringify(one)})`

  function isBeforeUser(message_id: string): boolean {
    const forgotten = note()
    if (!forgotten) return false
    const { through, waiting, id } = forgotten
    if (waiting.includes(message_id)) return true
    const message = sql.get<{ no: number; conversation: number }>`SELECT no, conversation FROM messages WHERE message_id = ${message_id}`
    if (!message) return false
    return message.no <= through || (message_id < id && isForeign(message_id, message.conversation))
  }

  /** Messages of the user belong to no run: a step names them. */
  function isForeign(message_id: string, conversation: number): boolean {
    const step = sql.get<{ device_id: string }>`
      SELECT r.device_id FROM runs r JOIN agent_run_steps s ON s.run = r.no
      WHERE r.conversation = ${conversation} AND s.kind IN ('run.started', 'message.received', 'message.completed')
        AND s.body ->> 'message_id' = ${message_id} LIMIT 1`
    return step !== undefined && step.device_id !== device_id
  }

  return {
    add({ message_id, conversation_id }, spans) {
      for (const { start, length } of spans)
        sql.run`
          INSERT OR IGNORE INTO memory_forgotten (message_id, conversation_id, start, length)
          VALUES (${message_id}, ${conversation_id}, ${start}, ${length})`
    },
    of,
    addUser() {
      const { through } = sql.get<{ through: number }>`SELECT coalesce(max(no), 0) AS through FROM messages` ?? { through: 0 }
      const waiting = sql.all<{ id: string }>`SELECT id FROM run_inbox WHERE kind = 'user' AND delivered = 0`.map(({ id }) => id)
      keep({ through, waiting, id: newId() })
    },
    isBeforeUser,
    beforeErasing(conversation_id) {
      const forgotten = note()
      if (!forgotten) return
      const { newest } = sql.get<{ newest: number }>`
        SELECT coalesce(max(no), 0) AS newest FROM messages
        WHERE conversation NOT IN (SELECT no FROM conversations WHERE conversation_id = ${conversation_id})` ?? { newest: 0 }
      if (newest < forgotten.through) keep({ ...forgotten, through: newest })
    },
    isTouched: (message_id) => of(message_id).length > 0 || isBeforeUser(message_id),
  }
}
