// Search for conversations by their text.
import type { FoundConversation } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import type { ConversationRecord } from '../journal/conversations.ts'
import type { Journal } from '../journal/journal.ts'
import type { FoundMessage } from '../journal/messages.ts'

const most = 50
const around = 80

/** Conversations whose title matches, and for the others the latest message that matches. */
export function searchConversations(journal: Journal, query: string): FoundConversation[] {
  const words = query.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = new Map<number, FoundConversation>()
  for (const conversation of journal.conversations.titled(words, most)) all.set(conversation.no, shown(conversation, null, words))
  for (const message of journal.messages.saying(words, most)) {
    const conversation = all.has(message.conversation) ? undefined : journal.conversations.at(message.conversation)
    if (conversation) all.set(conversation.no, shown(conversation, message, words))
  }
  return [...all.values()].sort((left, right) => (left.updated_at < right.updated_at ? 1 : -1)).slice(0, most)
}

function shown(
  { conversation_id, title, hidden, updated_at }: ConversationRecord,
  message: FoundMessage | null,
  words: readonly string[],
): FoundConversation {
  return {
    conversation_id,
    title,
    hidden,
    updated_at: timestamp(updated_at),
    message_id: message?.message_id ?? null,
    role: message?.role ?? null,
    excerpt: message ? excerptOf(message.text, words[0] ?? '') : '',
  }
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()))
  const piece = text.slice(Math.max(0, at - around), at + around * 2).replace(/\s+/g, ' ')
  return `${at > around ? '…' : ''}${piece.trim()}${at + around * 2 < text.length ? '…' : ''}`.slice(0, 1_000)
}
