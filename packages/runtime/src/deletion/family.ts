// What is deleted as one: a conversation, all its branches, and the conversations of the runs that its runs started.
import type { ConversationRecord } from '../journal/conversations.ts'
import type { Store } from '../store/store.ts'

/** A conversation belongs to another one: as its branch, as a member of its team, or as a node of its workflow. */
export interface Belonging {
  readonly conversation_id: string
  readonly belongs_to: string
  readonly as: 'branch' | 'member'
}

/**
 * Branches read each other's history, so that they are deleted in both directions. A member is deleted with the conversation that started
 * it, but not the other way round.
 */
export function familyOf(first: readonly string[], all: readonly Belonging[]): readonly string[] {
  const next = new Map<string, string[]>()
  const lead = (from: string, to: string) => next.set(from, [...(next.get(from) ?? []), to])
  for (const { conversation_id, belongs_to, as } of all) {
    lead(belongs_to, conversation_id)
    if (as === 'branch') lead(conversation_id, belongs_to)
  }
  const family = new Set<string>()
  for (const open = [...first]; open.length > 0; ) {
    const id = open.pop() ?? ''
    if (family.has(id)) continue
    family.add(id)
    open.push(...(next.get(id) ?? []))
  }
  return [...family]
}

/** As far as this device knows them. */
export function belongings({ sql }: Pick<Store, 'sql'>): readonly Belonging[] {
  return sql.all<Belonging>`
    SELECT conversation_id, branch ->> 'conversation_id' AS belongs_to, 'branch' AS "as" FROM conversations WHERE branch IS NOT NULL
    UNION ALL
    SELECT c.conversation_id, p.conversation_id, 'member'
    FROM agent_run_steps s JOIN runs parent ON parent.no = s.run JOIN conversations p ON p.no = parent.conversation
      JOIN runs r ON r.run_id = s.body ->> 'child_run_id' JOIN conversations c ON c.no = r.conversation
    WHERE s.kind = 'child.started' AND c.no <> p.no
    UNION ALL
    SELECT n.conversation_id, c.conversation_id, 'member'
    FROM workflow_conversations n JOIN runs r ON r.workflow_run_id = n.workflow_run_id JOIN conversations c ON c.no = r.conversation
    WHERE n.conversation_id <> c.conversation_id`
}

/** Those of these that are on this device. */
export function known(get: (id: string) => ConversationRecord | undefined, ids: readonly string[]): readonly ConversationRecord[] {
  return ids.flatMap((id) => get(id) ?? [])
}
