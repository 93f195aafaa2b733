// Opens a message whose conversation is not known: evidence names only the message. It is found by the words of the excerpt.
import { useState } from 'react'
import { goTo, messageAddress } from '../address.ts'
import type { RuntimeClient } from '../client/client.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { memoryWords } from '../strings/memory.ts'

const mostConversations = 5
const mostMessages = 2_000

export function OpenMessage({ message_id, excerpt }: { message_id: string; excerpt: string }) {
  const client = useRuntimeClient()
  const [said, setSaid] = useState('')
  const open = async () => {
    const conversation_id = await conversationOf(client, message_id, excerpt)
    if (conversation_id === null) setSaid(memoryWords.notLocated)
    else goTo(messageAddress(conversation_id, message_id))
  }
  return (
    <>
      <button type="button" onClick={open} className="rounded text-cloud underline underline-offset-4">
        {memoryWords.openTheMessage}
      </button>{' '}
      <span role="status">{said}</span>
    </>
  )
}

async function conversationOf({ store, channel }: RuntimeClient, message_id: string, excerpt: string): Promise<string | null> {
  const loaded = [...store.get().messages].find(([, messages]) => messages.has(message_id))
  if (loaded) return loaded[0]
  const query = excerpt.replaceAll('…', ' ').trim().slice(0, 200)
  const answer = query === '' ? null : await channel.call('conversation_search', { query })
  const found = answer?.ok ? answer.value.found : []
  const named = found.find((one) => one.message_id === message_id)
  if (named) return named.conversation_id
  // A conversation whose title matches is found without a message.
  for (const { conversation_id } of found.slice(0, mostConversations)) {
    const read = await readAll(channel, 'message_list', { conversation_id }, { most: mostMessages })
    if (read.ok && read.value.items.some((one) => one.message_id === message_id)) return conversation_id
  }
  return null
}
