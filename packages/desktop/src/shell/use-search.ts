// Finds conversations by words in their titles and messages, when the user stops typing.
import type { FoundConversation } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'

const pause_ms = 150

/** Null while the search is empty or has no response yet. */
export function useConversationSearch(text: string): readonly FoundConversation[] | null {
  const client = useRuntimeClient()
  const query = text.trim().slice(0, 200)
  const [answer, setAnswer] = useState<{ readonly query: string; readonly found: readonly FoundConversation[] } | null>(null)
  useEffect(() => {
    if (query === '') return
    let gone = false
    const cancel = client.clock.after(pause_ms, async () => {
      const reply = await client.channel.call('conversation_search', { query })
      if (!gone) setAnswer({ query, found: reply.ok ? reply.value.found : [] })
    })
    return () => {
      gone = true
      cancel()
    }
  }, [client, query])
  // The last response stays until the next one arrives.
  return query === '' ? null : (answer?.found ?? null)
}
