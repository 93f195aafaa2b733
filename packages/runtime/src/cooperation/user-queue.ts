// Messages of the user in the inboxes of runs: until a run has received them, they are not part of the conversation.
import type { QueuedMessage } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import type { Events } from '../event/events.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Inbox, InboxItem } from './record/inbox.ts'

export type WaitingItem = ReturnType<Inbox['waiting']>[number]
export type UserItem = Extract<WaitingItem, { kind: 'user' }>

export interface UserQueue {
  /** Of one run, in the order they were written. */
  waiting(run_id: string): readonly UserItem[]
  /** Of all runs of a conversation, in the order they were written. */
  ofConversation(conversation: number): readonly QueuedMessage[]
  shown(run: RunRecord, item: UserItem): QueuedMessage
  /** Other windows show the queue, too. */
  changed(run: RunRecord): void
  /** A message becomes part of the conversation when a run receives it. Part of the caller's transaction. */
  receive(item: UserItem, run: RunRecord): void
}

export interface UserQueuePorts {
  readonly journal: Pick<Journal, 'run' | 'messages'>
  readonly inbox: Inbox
  readonly events: Pick<Events, 'emit'>
}

export function openUserQueue({ journal, inbox, events }: UserQueuePorts): UserQueue {
  const waiting = (run_id: string) => inbox.waiting(run_id).flatMap((item) => (item.kind === 'user' ? [item] : []))

  function shown({ run_id }: RunRecord, { message_id, text, attachments, queued_at }: UserItem): QueuedMessage {
    const written = text ?? journal.messages.get(message_id)?.text ?? ''
    return { message_id, run_id, text: written, attachments, queued_at: timestamp(queued_at) }
  }

  return {
    waiting,
    shown,
    ofConversation(conversation) {
      const found = inbox.waitedFor().flatMap((run_id) => {
        const run = journal.run(run_id)
        return run?.conversation === conversation ? waiting(run_id).map((item) => ({ run, item })) : []
      })
      return found.toSorted((left, right) => left.item.no - right.item.no).map(({ run, item }) => shown(run, item))
    },
    changed(run) {
      events.emit('run_queue_changed', { run }, { queued: waiting(run.run_id).length })
    },
    receive({ message_id, text, attachments }, { conversation }) {
      if (text !== null) journal.messages.write({ message_id, conversation, run: null, role: 'user', author: 'person', text, attachments })
    },
  }
}

export function stepOf(item: InboxItem, run_id: string) {
  if (item.kind === 'user') return { kind: 'message.received' as const, message_id: item.message_id }
  const { team_message_id, from_run_id, is_direct, topic, text } = item
  const to_run_id = is_direct ? run_id : null
  return { kind: 'team.message' as const, team_message_id, from_run_id, to_run_id, ...(topic === null ? {} : { topic }), text }
}
