// The last thing that an agent said in a run.
import type { CommandResult, LocalRun } from '@tandem/contract/command'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

/** Null if it said nothing. */
export async function finalAnswer(client: RuntimeClient, { run_id, conversation_id }: LocalRun): Promise<string | null> {
  let last: string | null = null
  let cursor: string | null = null
  do {
    const page: CommandAnswer<CommandResult<'message_list'>> = await client.call('message_list', {
      conversation_id,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return last
    last = page.value.items.findLast((message) => message.role === 'assistant' && message.run_id === run_id)?.text ?? last
    cursor = page.value.next_cursor
  } while (cursor)
  return last
}
