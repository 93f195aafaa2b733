// A conversation is erased: what was remembered from it stays without its words. Memories that only apply in it are forgotten.
import type { Memory } from '@tandem/contract/memory'
import type { Store } from '../store/store.ts'
import type { Forget } from './forget.ts'
import type { ForgottenWords } from './record/forgotten.ts'
import type { Memories } from './record/memories.ts'

/** In place of the words of a quote. */
const deletedQuote = '(deleted)'

const page = 1_000

export interface ErasedConversationPorts {
  readonly store: Pick<Store, 'sql'>
  readonly memories: Pick<Memories, 'page'>
  readonly forget: Pick<Forget, 'ofErased'>
  readonly forgotten: Pick<ForgottenWords, 'beforeErasing'>
}

/** In the transaction that deletes its rows. */
export function clearConversation({ store: { sql }, memories, forget, forgotten }: ErasedConversationPorts, conversation_id: string): void {
  forgotten.beforeErasing(conversation_id)
  const own: Memory[] = []
  for (;;) {
    const last = own.at(-1)
    const more = memories.page({ conversation_id, states: ['active', 'superseded', 'archived'] }, last ?? null, page)
    own.push(...more)
    if (more.length < page) break
  }
  const only = own.filter(({ only_in_conversation }) => only_in_conversation)
  if (only.length > 0) forget.ofErased(only)
  // A version in the history would keep the words, so that these are written in place.
  sql.run`
    UPDATE memories SET quotes = (
      SELECT json_group_array(json(iif(value ->> 'conversation_id' = ${conversation_id}, json_set(value, '$.excerpt', ${deletedQuote}), value)))
      FROM json_each(quotes))
    WHERE instr(quotes, ${conversation_id}) > 0`
  sql.run`
    UPDATE memory_versions SET record = json_set(record, '$.quotes', (
      SELECT json_group_array(json(iif(value ->> 'conversation_id' = ${conversation_id}, json_set(value, '$.excerpt', ${deletedQuote}), value)))
      FROM json_each(record, '$.quotes')))
    WHERE instr(record, ${conversation_id}) > 0 AND json_type(record, '$.quotes') = 'array'`
}
