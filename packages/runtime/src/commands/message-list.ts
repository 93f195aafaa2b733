// The messages of a conversation, and on request what was shown of answers that were interrupted.
import type { ListedMessage } from '@tandem/contract/command'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import { conversationNotFound } from '../feature/not-found.ts'
import type { ConversationRecord } from '../journal/conversations.ts'
import { type InterruptedText, interruptedTexts } from '../journal/interrupted-texts.ts'
import type { Journal } from '../journal/journal.ts'
import { type MessageRecord, toMessage } from '../journal/messages.ts'
import type { Features } from './features.ts'

/** The number of the last message, and the id of what was shown after it; empty for the message itself. */
type Position = readonly [no: number, id: string]

interface Placed {
  readonly at: Position
  readonly message: ListedMessage
}

export function messageListHandler({ store, journal }: Pick<Features, 'store' | 'journal'>): Pick<CommandTable, 'message_list'> {
  const { conversations, messages } = journal
  return {
    message_list({ conversation_id, interrupted = false, ...paging }) {
      const conversation = conversations.get(conversation_id)
      if (!conversation) return conversationNotFound(conversation_id, conversations.wasErased(conversation_id))
      const from = positionOf('message_list', paging, ['number', 'string'])
      if (!from.ok) return from
      const begin: Position = [Number(from.value?.[0] ?? 0), String(from.value?.[1] ?? '')]
      const records = messages.of(conversation.no, { after: begin[0], limit: limitOf(paging) + 1 })
      const runs = runIds(journal, conversation.no)
      const complete = records.map((record): Placed => ({ at: [record.no, ''], message: listed(record, conversation, runs) }))
      const texts = interrupted ? interruptedTexts({ store, journal }, conversation.no) : []
      const shown = texts.map((text): Placed => ({ at: [text.after, text.message_id], message: listedText(text, conversation) }))
      const all = [...complete, ...shown.filter(({ at }) => compare(at, begin) > 0)].sort((one, other) => compare(one.at, other.at))
      const { items, next_cursor } = pageOf('message_list', all.slice(0, limitOf(paging) + 1), ({ at }) => at, paging)
      return { ok: true, value: { items: items.map(({ message }) => message), next_cursor } }
    },
  }
}

function compare([no, id]: Position, [otherNo, otherId]: Position): number {
  return no - otherNo || (id < otherId ? -1 : id > otherId ? 1 : 0)
}

function listed(
  record: MessageRecord,
  { conversation_id, agent_id }: ConversationRecord,
  runs: ReadonlyMap<number, string>,
): ListedMessage {
  const run_id = record.run === null ? null : (runs.get(record.run) ?? null)
  return { ...toMessage(record, { conversation_id, agent_id, run_id }), set_aside: record.set_aside }
}

function listedText({ after: _, ...text }: InterruptedText, { conversation_id, agent_id }: ConversationRecord): ListedMessage {
  return { ...text, conversation_id, agent_id, role: 'assistant', author: 'agent', attachments: [], interrupted: true }
}

function runIds(journal: Journal, conversation: number): ReadonlyMap<number, string> {
  return new Map(journal.runsOf(conversation).map(({ no, run_id }) => [no, run_id]))
}
