// What a conversation belongs to: a branch continues another conversation, and a member of a team works for the run that started it.
import type { ConversationRecord } from './conversations.ts'
import type { Journal } from './journal.ts'

export type LinePorts = Pick<Journal, 'conversations' | 'run' | 'runsOf' | 'origin' | 'childrenOf'>

/** The conversation itself, then those that it continues, nearest first. What another device has not sent yet is left out. */
export function continuedBy({ conversations }: Pick<Journal, 'conversations'>, conversation_id: string): readonly string[] {
  const line = new Set([conversation_id])
  // Another device could have sent a branch of itself.
  for (let next = conversations.get(conversation_id)?.branch; next && !line.has(next.conversation_id); ) {
    line.add(next.conversation_id)
    next = conversations.get(next.conversation_id)?.branch
  }
  return [...line]
}

/** The conversation itself, with all that it continues or works for. */
export function lineOf(ports: LinePorts, conversation_id: string): readonly ConversationRecord[] {
  const { conversations, run, runsOf, origin } = ports
  return closure(conversations, conversation_id, ({ no, branch }) => {
    const [first] = runsOf(no)
    const parent = first && origin(first.run_id)
    const leader = parent && run(parent.parent_run_id)
    return [...(branch ? [branch.conversation_id] : []), ...(leader ? [leader.conversation_id] : [])]
  })
}

/** The conversation itself, with all that continue it or work for it. */
export function below(ports: LinePorts, conversation_id: string): readonly ConversationRecord[] {
  const { conversations, run, runsOf, childrenOf } = ports
  return closure(conversations, conversation_id, (one) => [
    ...conversations.branchesOf(one.conversation_id),
    ...runsOf(one.no).flatMap(({ run_id }) => childrenOf(run_id).flatMap((child) => run(child)?.conversation_id ?? [])),
  ])
}

function closure(
  { get }: Pick<Journal['conversations'], 'get'>,
  conversation_id: string,
  next: (conversation: ConversationRecord) => readonly string[],
): readonly ConversationRecord[] {
  const found = new Map<string, ConversationRecord>()
  const left = [conversation_id]
  for (let id = left.shift(); id !== undefined; id = left.shift()) {
    const conversation = found.has(id) ? undefined : get(id)
    if (!conversation) continue
    found.set(id, conversation)
    left.push(...next(conversation))
  }
  return [...found.values()]
}
