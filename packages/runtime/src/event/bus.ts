// Delivers steps, events and deltas to subscribers, after they are on disk. A listener that throws does not affect the others.
import type { Delta } from '@tandem/contract/command'
import type { RuntimeEvent } from '@tandem/contract/event'
import type { RunStep } from '@tandem/contract/run'

export interface Topics {
  readonly event: RuntimeEvent & { readonly no: number }
  readonly step: RunStep
  readonly delta: Delta
}

export interface Bus {
  publish<Topic extends keyof Topics>(topic: Topic, news: Topics[Topic]): void
  /** Returns a function that unsubscribes. */
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
