// The messages of a conversation that were not read for memories yet, run by run.
import type { Journal } from '../journal/journal.ts'
import type { JournaledStep } from '../journal/recorded-step.ts'
import type { RunRecord } from '../journal/run-record.ts'

export interface ReadMessage {
  readonly message_id: string
  readonly author: 'person' | 'agent'
  readonly text: string
  readonly at: number
  readonly run_id: string
}

export interface Unread {
  readonly messages: readonly ReadMessage[]
  /** How far each run is read when these messages are. */
  readonly through: readonly { readonly run: RunRecord; readonly seq: number }[]
}

const page = 500

/** In the order of the conversation. */
export function unreadOf(journal: Journal, conversation: number): Unread {
  const messages: ReadMessage[] = []
  const through: { run: RunRecord; seq: number }[] = []
  for (const run of journal.runsOf(conversation)) {
    const { flushed_through_seq, last_flush_at } = journal.flushMark(run.no)
    // The first step has the number 0.
    const before = last_flush_at === null ? -1 : flushed_through_seq
    let after = before
    for (;;) {
      const steps = journal.steps(run.run_id, { after, limit: page })
      for (const { step } of steps) {
        const id = messageIn(step)
        const message = id === null ? undefined : journal.messages.get(id)
        if (!message || message.set_aside) continue
        if (message.role === 'user' && !message.persons_word) continue
        const { message_id, text, created_at } = message
        const author = message.role === 'user' ? 'person' : 'agent'
        messages.push({ message_id, author, text, at: created_at, run_id: run.run_id })
      }
      const last = steps.at(-1)
      if (last) after = last.step.seq
      if (steps.length < page) break
    }
    if (after > before) through.push({ run, seq: after })
  }
  return { messages, through }
}

/** Without those of which the user has forgotten something, and without the answers to them, which may repeat it. */
export function withoutForgotten(messages: readonly ReadMessage[], isForgotten: (message_id: string) => boolean): readonly ReadMessage[] {
  let isHidden = false
  return messages.filter(({ author, message_id }) => {
    if (author === 'person') isHidden = isForgotten(message_id)
    return !isHidden && !isForgotten(message_id)
  })
}

/** Also what the user wrote while the run was open. */
function messageIn(step: JournaledStep['step']): string | null {
  return step.kind === 'run.started' || step.kind === 'message.received' || step.kind === 'message.completed' ? step.message_id : null
}
