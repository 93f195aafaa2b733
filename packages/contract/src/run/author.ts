// Whose words a message holds. Prompts of tasks, workflows and other agents have the role `user` too, and are not what the user said.
import type { Message } from './schema.ts'

/** `person`: the user. `agent`: an agent, or the runtime on its behalf. `workflow`, `task`: the prompt of a node, of a cloud task. */
export const messageAuthors = ['person', 'agent', 'workflow', 'task'] as const
export type MessageAuthor = (typeof messageAuthors)[number]

/** What a device knows about a message beyond its fields. */
export interface MessageOrigin {
  /** Written on this device, by a version that recorded no authors. */
  readonly before_authors: boolean
  /** A cloud task started the run that answers it. */
  readonly started_by_task: boolean
}

/** Whether the user wrote it. Without an author only a message of this device counts that is older than authors. */
export function isPersonsWord({ role, author }: Pick<Message, 'role' | 'author'>, origin: MessageOrigin): boolean {
  if (role !== 'user') return false
  if (author !== undefined) return author === 'person'
  return origin.before_authors && !origin.started_by_task
}
