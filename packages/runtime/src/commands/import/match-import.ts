// Which earlier import a conversation of an export continues or repeats. Pure. Paths are compared by their texts, because a conversation of
// an export keeps its id while it grows and branches.

import type { Message } from '@tandem/contract/run'

export interface ImportMessage {
  readonly role: Message['role']
  readonly text: string
}

export interface EarlierImport {
  readonly conversation_id: string
  /** What was imported, without what was written in it since. */
  readonly messages: readonly ImportMessage[]
}

export type ImportMatch =
  /** It has nothing that was not imported. */
  | { readonly kind: 'known'; readonly conversation_id: string }
  /** It begins with all that was imported; its messages from this number on are new. */
  | { readonly kind: 'grown'; readonly conversation_id: string; readonly from: number }
  | { readonly kind: 'new' }

export function matchImport(messages: readonly ImportMessage[], earlier: readonly EarlierImport[]): ImportMatch {
  const known = earlier.find((one) => isContained(messages, one.messages))
  if (known) return { kind: 'known', conversation_id: known.conversation_id }
  const begun = earlier.filter((one) => one.messages.length > 0 && isBeginning(one.messages, messages))
  const [longest] = begun.toSorted((left, right) => right.messages.length - left.messages.length)
  if (!longest) return { kind: 'new' }
  return { kind: 'grown', conversation_id: longest.conversation_id, from: longest.messages.length }
}

/** All of them appear in the other ones, in this order. */
function isContained(messages: readonly ImportMessage[], others: readonly ImportMessage[]): boolean {
  let found = 0
  for (const other of others) if (isSame(messages[found], other)) found += 1
  return found === messages.length
}

function isBeginning(messages: readonly ImportMessage[], others: readonly ImportMessage[]): boolean {
  return messages.length <= others.length && messages.every((one, index) => isSame(one, others[index]))
}

/** The database stores no lone surrogates. */
function isSame(one: ImportMessage | undefined, other: ImportMessage | undefined): boolean {
  return one !== undefined && other !== undefined && one.role === other.role && one.text.toWellFormed() === other.text.toWellFormed()
}
