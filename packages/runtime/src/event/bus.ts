// Who hears what, while it happens. Listeners are called after the fact is on disk; one that throws harms no other.
import type { RuntimeEvent } from '@tandem/contract/event'
import type { RunStep } from '@tandem/contract/run'

/** Text that is still coming: shown at once, recorded when it is complete. */
export interface Delta {
  readonly run_id: string
  readonly conversation_id: string
  readonly kind: 'text' | 'thinking' | 'progress'
  /** The message, the thought or the call it belongs to. */
  readonly id: string
  /** Where in the whole this piece begins, in characters, so that a gap is seen. */
  readonly offset: number
  readonly text: string
}

export interface Topics {
  readonly event: RuntimeEvent & { readonly no: number }
  readonly step: RunStep
  readonly delta: Delta
}

export interface Bus {
  publish<Topic extends keyof Topics>(topic: Topic, news: Topics[Topic]): void
  /** The answer ends the subscription. */
  subscribe<Topic extends keyof Topics>(topic: Topic, listener: (news: Topics[Topic]) => void): () => void
}

export function openBus(onError: (error: unknown) => void): Bus {
  const listeners: { [Topic in keyof Topics]: Set<(news: Topics[Topic]) => void> } = {
    event: new Set(),
    step: new Set(),
    delta: new Set(),
  }
  return {
    publish(topic, news) {
      for (const listener of listeners[topic]) {
        try {
          listener(news)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(topic, listener) {
      listeners[topic].add(listener)
      return () => listeners[topic].delete(listener)
    },
  }
}
