import { useMemo } from 'react'
import { useWindowState } from '../../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { type Suggestion, suggestionsOf } from '../../store/suggestion.ts'
import { evolutionEvents } from '../evolution-events.ts'

const none: readonly Suggestion[] = []

/** Read from the recommendations of the agent, so they are the same after a reload. */
export function useSuggestions(conversation_id: string): readonly Suggestion[] {
  const agent_id = useWindowState((state) => state.conversations?.get(conversation_id)?.agent_id ?? '')
  const read = useCommand(
    'skill_list_recommendations',
    { limit: 50, ...(agent_id === '' ? {} : { agent_id }) },
    { version: useNewestEventNumber(evolutionEvents) },
  )
  const items = read.state.state === 'ready' ? read.state.value.items : null
  return useMemo(() => {
    const own = items === null ? none : suggestionsOf(items, conversation_id)
    return own.length === 0 ? none : own
  }, [items, conversation_id])
}
