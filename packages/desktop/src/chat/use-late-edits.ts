// Changes of a queued message that were not saved before an agent received it: the text moves to the composer, and nothing is lost.
import { useEffect, useMemo, useRef } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { draftsOf, keepDraft } from '../store/draft.ts'
import { type QueuedMessage, waitingIn } from '../store/queued-message.ts'

const prefix = 'queued:'

/** Where the text of a queued message is kept while it is edited. */
export function editPlace(message_id: string): string {
  return `${prefix}${message_id}`
}

export interface LateEdits {
  readonly waiting: readonly Pick<QueuedMessage, 'message_id'>[]
  /** Messages that waited while the conversation was open. */
  readonly known: ReadonlySet<string>
  /** Those that are part of the conversation. */
  readonly received: ReadonlyMap<string, { readonly text: string }>
}

/** The ids whose message no longer waits, of those that are edited. One of another conversation is neither known nor received here. */
export function lateIn(edited: readonly string[], { waiting, known, received }: LateEdits): readonly string[] {
  const open = new Set(waiting.map(({ message_id }) => message_id))
  return edited.filter((id) => !open.has(id) && (known.has(id) || received.has(id)))
}

const noMessages: LateEdits['received'] = new Map()

export function useLateEdits(conversation_id: string, onLate: (text: string) => void): void {
  const queued = useWindowState((state) => state.queued)
  const journals = useWindowState((state) => state.journals)
  const received = useWindowState((state) => state.messages.get(conversation_id)) ?? noMessages
  const waiting = useMemo(() => waitingIn({ queued, journals }, conversation_id), [queued, journals, conversation_id])
  const known = useRef(new Set<string>())
  const take = useRef(onLate)
  take.current = onLate
  useEffect(() => {
    for (const { message_id } of waiting) known.current.add(message_id)
    const edited = draftsOf(prefix)
    for (const id of lateIn([...edited.keys()], { waiting, known: known.current, received })) {
      const text = edited.get(id) ?? ''
      keepDraft(editPlace(id), '')
      // It was saved just in time.
      if (received.get(id)?.text !== text) take.current(text)
    }
  }, [waiting, received])
}
