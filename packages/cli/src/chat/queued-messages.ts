// The messages that wait for the agent, and how a run gets them: each once, however many turns it takes meanwhile.
import { randomUUID } from 'node:crypto'
import { added, asOneMessage, emptyQueue, lastTaken, type MessageQueue } from './message-queue.ts'

export interface QueuedMessages {
  isEmpty(): boolean
  some(test: (text: string) => boolean): boolean
  add(text: string): void
  /** The last one, to be edited. */
  takeBack(): string | null
  /** All, as one message. What is being sent is not among them. */
  takeAll(): string | null
  /**
   * Sends all as one message. They leave the queue first, so nothing else can send or take them; what `write` does not deliver returns to
   * its beginning. False if nothing was delivered.
   */
  deliver(write: (text: string, key: string) => Promise<boolean>): Promise<boolean>
}

export function queuedMessages(show: (queue: MessageQueue) => void): QueuedMessages {
  let queue = emptyQueue
  /** A second attempt with the same text and the same key is the same message, if the first one arrived after all. */
  let failed: { readonly text: string; readonly key: string } | null = null

  function set(changed: MessageQueue): void {
    queue = changed
    show(queue)
  }

  function takeAll(): string | null {
    const text = asOneMessage(queue)
    if (text !== null) set(emptyQueue)
    return text
  }

  return {
    isEmpty: () => queue.texts.length === 0,
    some: (test) => queue.texts.some(test),
    add: (text) => set(added(queue, text)),
    takeBack() {
      const taken = lastTaken(queue)
      if (taken) set(taken.rest)
      return taken?.text ?? null
    },
    takeAll,
    async deliver(write) {
      const { texts } = queue
      const text = takeAll()
      if (text === null) return false
      const key = failed?.text === text ? failed.key : randomUUID()
      // Whatever went wrong, the message stays in the queue, where the user sees it, and is sent again at the next turn.
      const isDelivered = await write(text, key).catch(() => false)
      failed = isDelivered ? null : { text, key }
      if (!isDelivered) set({ texts: [...texts, ...queue.texts] })
      return isDelivered
    },
  }
}
