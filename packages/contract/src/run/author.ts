// Who wrote a message. Prompts of tasks, workflows and other agents also have the role `user`, but the user did not write them.
import type { Message } from './schema.ts'

/** `person`: the user. `agent`: an agent, or the runtime on its behalf. `workflow`, `task`: the prompt of a node, of a cloud task. `import`: the
 * user, to another assistant. */
export const messageAuthors = ['person', 'agent', 'workflow', 'task', 'import'] as const
export type MessageAuthor = (typeof messageAuthors)[number]

/** What a device knows about a message beyond its fields. */
export interface MessageOrigin {
  /** Written on this device by a version that did not record authors. */
  readonly before_authors: boolean
  /** A cloud task started the run that answers it. */
  readonly started_by_task: boolean
}

/** Whether the user wrote it. A message without an author counts only if it was written on this device before authors were recorded. */
export function isWrittenByUser({ role, author }: Pick<Message, 'role' | 'author'>, origin: MessageOrigin): boolean {
  if (role !== 'user') return false
  if (author !== undefined) return author === 'person'
  return origin.before_authors && !origin.started_by_task
}
