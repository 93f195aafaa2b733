// One subscription: first the recorded items, then new ones, without gaps or duplicates.
import type { RpcNotification, SubscribeParams } from '@tandem/contract/command'
import type { Bus, Topics } from '../../event/bus.ts'
import type { Events } from '../../event/events.ts'
import type { Journal } from '../../journal/journal.ts'

export interface FeedSources {
  readonly bus: Bus
  readonly events: Pick<Events, 'list'>
  readonly journal: Pick<Journal, 'run' | 'steps' | 'stream'>
}

type WithoutVersion<Message> = Message extends unknown ? Omit<Message, 'jsonrpc'> : never
type Notification = WithoutVersion<RpcNotification>

/** Where the notifications are sent. */
export interface Sink {
  send(notification: Notification): void
  /** So much is unread that no more may be added. */
  isFull(): boolean
  /** Resolves when more can be sent; rejects if the reader is gone. */
  drained(): Promise<void>
}

export interface Subscription {
  end(): void
}

/** How many recorded items are read at once. */
const pageSize = 100

/** The state of one topic: the position of the last item sent, if any, and whether live items are delivered already. */
interface TopicPosition {
  last: number | null
  live: boolean
}

export function openSubscription(
  sources: FeedSources,
  subscription_id: string,
  params: SubscribeParams,
  sink: Sink,
  onEnd: () => void,
): Subscription {
  const { bus, events, journal } = sources
  const { topics, run_id, after_event, after_seq } = params
  const eventPosition: TopicPosition = { last: after_event ?? null, live: after_event === undefined }
  const stepPosition: TopicPosition = { last: after_seq ?? null, live: after_seq === undefined }
  const ending: (() => void)[] = []
  let ended = false

  function end(): void {
    if (ended) return
    ended = true
    for (const stop of ending) stop()
    onEnd()
  }

  /** A reader that is too slow gets the position where it was stopped, and can reconnect there. */
  function deliver(notification: Notification): void {
    if (!sink.isFull()) {
      sink.send(notification)
      return
    }
    const left = {
      after_event: topics.includes('event') ? eventPosition.last : null,
      after_seq: topics.includes('step') && run_id !== undefined ? stepPosition.last : null,
    }
    end()
    sink.send({ method: 'lagging', params: { subscription_id, ...left } })
  }

  const concerns = (news: { readonly run_id: string | null }) => run_id === undefined || news.run_id === run_id

  function sendEvent({ no, ...event }: Topics['event']): void {
    deliver({ method: 'event', params: { subscription_id, no, event } })
    if (!ended) eventPosition.last = no
  }

  function sendStep(step: Topics['step']): void {
    deliver({ method: 'step', params: { subscription_id, step } })
    if (!ended && run_id !== undefined) stepPosition.last = step.seq
  }

  function hear<Topic extends keyof Topics>(topic: Topic, listener: (news: Topics[Topic]) => void): void {
    if (topics.includes(topic)) ending.push(bus.subscribe(topic, (news) => !ended && listener(news)))
  }

  hear('event', (event) => {
    if (eventPosition.live && concerns(event) && event.no > (eventPosition.last ?? 0)) sendEvent(event)
  })
  hear('step', (step) => {
    if (stepPosition.live && concerns(step) && (run_id === undefined || step.seq > (stepPosition.last ?? -1))) sendStep(step)
  })
  hear('delta', (delta) => {
    if (concerns(delta)) deliver({ method: 'delta', params: { subscription_id, delta } })
  })

  /** Reading an empty page and switching to live delivery happen in one turn: nothing can be written in between. */
  async function catchUp<Item>(
    position: TopicPosition,
    read: (after: number) => readonly Item[],
    send: (item: Item) => void,
  ): Promise<void> {
    while (!ended) {
      await sink.drained()
      if (ended) return
      const page = read(position.last ?? -1)
      if (page.length === 0) {
        position.live = true
        return
      }
      for (const item of page) {
        if (ended) return
        if (sink.isFull()) break
        send(item)
      }
    }
  }

  async function begin(): Promise<void> {
    if (topics.includes('delta') && run_id !== undefined) sendStreamSoFar(run_id)
    const readEvents = (after: number) => events.list({ after, ...(run_id === undefined ? {} : { run_id }), limit: pageSize })
    if (topics.includes('event') && !eventPosition.live) await catchUp(eventPosition, readEvents, sendEvent)
    if (topics.includes('step') && !stepPosition.live && run_id !== undefined) {
      const readSteps = (after: number) => journal.steps(run_id, { after, limit: pageSize }).map(({ step }) => step)
      await catchUp(stepPosition, readSteps, sendStep)
    }
  }

  /** Sends the text so far to a subscriber that connects in the middle of a response. */
  function sendStreamSoFar(of: string): void {
    const run = journal.run(of)
    const stream = run && journal.stream(run.no)
    if (!stream) return
    const { conversation_id } = run
    const delta = { run_id: of, conversation_id, kind: 'text' as const, id: stream.message_id, offset: 0, text: stream.text }
    deliver({ method: 'delta', params: { subscription_id, delta } })
  }

  begin().catch(() => end())
  return { end }
}
