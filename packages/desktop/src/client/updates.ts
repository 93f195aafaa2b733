// Applies notifications of the channel to the state. Pure: the same notifications in any batches lead to the same state.
import type { Conversation, Delta, ListedMessage, RecordedEvent } from '@tandem/contract/command'
import { withRunOptions } from '@tandem/contract/event'
import type { RunStep } from '@tandem/contract/run'
import { addSteps } from '../store/journal.ts'
import { addDelta, endStreams } from '../store/stream.ts'
import { isStreamRedundant } from '../store/thread.ts'
import { type WindowState, withEntries, withEvents } from '../store/window-state.ts'

export type RuntimeUpdate =
  | { readonly type: 'event'; readonly event: RecordedEvent }
  | { readonly type: 'step'; readonly step: RunStep }
  | { readonly type: 'delta'; readonly delta: Delta }

export function applyUpdates(state: WindowState, news: readonly RuntimeUpdate[]): WindowState {
  const events = news.flatMap((one) => (one.type === 'event' ? [one.event] : []))
  const steps = news.flatMap((one) => (one.type === 'step' ? [one.step] : []))
  const deltas = news.flatMap((one) => (one.type === 'delta' ? [one.delta] : []))
  const journals = applySteps(state, steps)
  let streams = state.streams
  for (const delta of deltas) streams = addDelta(streams, delta)
  const conversations = withChosenOptions(state.conversations, events)
  return withoutToldStreams({ ...state, events: withEvents(state.events, events), journals, streams, conversations })
}

/** What another window or a terminal chose is shown at once; a conversation that is not known yet is read with the lists. */
function withChosenOptions(known: WindowState['conversations'], events: readonly RecordedEvent[]): WindowState['conversations'] {
  const chosen = events.flatMap(({ event }): [string, Conversation][] => {
    if (event.event !== 'conversation_options_changed' || event.conversation_id === null) return []
    const conversation = known?.get(event.conversation_id)
    return conversation ? [[event.conversation_id, withRunOptions(conversation, event.data)]] : []
  })
  return chosen.length === 0 ? known : withEntries(known, chosen)
}

export function applySteps({ journals }: WindowState, steps: readonly RunStep[]): WindowState['journals'] {
  if (steps.length === 0) return journals
  const next = new Map(journals)
  for (const [run_id, fresh] of Map.groupBy(steps, (step) => step.run_id)) {
    const journal = addSteps(next.get(run_id), fresh)
    if (journal) next.set(run_id, journal)
  }
  return next
}

function withoutToldStreams(state: WindowState): WindowState {
  const streams = endStreams(state.streams, (stream) => isStreamRedundant(state, stream))
  return streams === state.streams ? state : { ...state, streams }
}

export function applyMessages(state: WindowState, conversation_id: string, items: readonly ListedMessage[]): WindowState {
  const messages = withEntries(
    state.messages.get(conversation_id) ?? null,
    items.map((message) => [message.message_id, message]),
  )
  return withoutToldStreams({ ...state, messages: withEntries(state.messages, [[conversation_id, messages]]) })
}
