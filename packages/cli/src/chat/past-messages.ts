// What was said before in a conversation that continues.
import type { CommandResult, ListedMessage } from '@tandem/contract/command'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { painted } from './theme.ts'
import type { Transcript } from './transcript.ts'

/** More is found in the window, and with `tandem command message_list`. */
const shownMessages = 20

export async function showPast(client: RuntimeClient, conversation_id: string, transcript: Transcript): Promise<void> {
  const messages: ListedMessage[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<CommandResult<'message_list'>> = await client.call('message_list', {
      conversation_id,
      limit: 200,
      interrupted: true,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return
    messages.push(...page.value.items.filter(({ set_aside, role }) => !set_aside && role !== 'system'))
    cursor = page.value.next_cursor
  } while (cursor)
  const hidden = messages.length - shownMessages
  if (hidden > 0) transcript.note(painted('dim', `${hidden} earlier ${hidden === 1 ? 'message is' : 'messages are'} not shown here.`))
  for (const { role, text, attachments, interrupted } of messages.slice(-shownMessages)) {
    if (role === 'user')
      transcript.said(
        text,
        attachments.map(({ name }) => name),
      )
    else transcript.answer().set(text)
    if (interrupted) transcript.note(painted('dim', 'This answer was interrupted.'))
  }
}
