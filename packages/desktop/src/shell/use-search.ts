// Finds conversations by words in their titles and messages, when the user stops typing.
import type { FoundConversation } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { CallResult } from '../connection/channel.ts'

const pause_ms = 150

type Answer = CallResult<readonly FoundConversation[]>

export interface ConversationSearch {
  /** Null while the search is empty or has no response yet. */
  readonly answer: Answer | null
  again(): void
}

export function useConversationSearch(text: string): ConversationSearch {
  const client = useRuntimeClient()
  const query = text.trim().slice(0, 200)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [times, setTimes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another time repeats the search.
  useEffect(() => {
    if (query === '') return
    let gone = false
    const cancel = client.clock.after(pause_ms, async () => {
      const reply = await client.channel.call('conversation_search', { query })
      if (!gone) setAnswer(reply.ok ? { ok: true, value: reply.value.found } : reply)
    })
    return () => {
      gone = true
      cancel()
    }
  }, [client, query, times])
  // The last response stays until the next one arrives.
  return { answer: query === '' ? null : answer, again: () => setTimes(times + 1) }
}
