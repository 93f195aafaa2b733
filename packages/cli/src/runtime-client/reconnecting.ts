// A client that survives the end of another terminal's runtime: it connects to the next one, or starts its own.
import type { RuntimeClient, RunUpdate, SubscriptionPosition } from './runtime-client.ts'

interface Followed {
  readonly run_id: string
  position: SubscriptionPosition
  readonly listener: (news: RunUpdate) => void
}

/** Null if neither is possible now. */
export async function reconnectingClient(open: () => Promise<RuntimeClient | null>): Promise<RuntimeClient | null> {
  const first = await open()
  if (!first) return null
  let current = first
  let reopening: Promise<void> | null = null
  let isClosed = false
  const followed = new Set<Followed>()
  const watching = new Map<Parameters<RuntimeClient['watch']>[0], AbortSignal | undefined>()

  async function reopen(): Promise<void> {
    if (isClosed || current.isOpen()) return
    reopening ??= open()
      .then(async (next) => {
        if (!next) return
        current = next
        for (const one of followed) await listen(one)
        for (const [listener, until] of watching) await next.watch(listener, until)
      })
      .finally(() => {
        reopening = null
      })
    await reopening
  }

  async function connected(): Promise<RuntimeClient> {
    await reopen()
    return current
  }

  /** A call that was under way when the connection broke is not repeated: it may have taken effect. */
  async function listen(one: Followed): Promise<void> {
    await current.follow(one.run_id, one.position, (news) => {
      if (news.kind === 'step') one.position = { ...one.position, after_seq: news.step.seq }
      if (news.kind === 'event') one.position = { ...one.position, after_event: news.recorded.no }
      if (news.kind !== 'lost') one.listener(news)
      else
        void reopen()
          .catch(() => undefined)
          .then(() => {
            if (!current.isOpen()) one.listener(news)
          })
    })
  }

  return {
    get kind() {
      return current.kind
    },
    isOpen: () => current.isOpen(),
    call: async (name, params) => (await connected()).call(name, params),
    receive: async (name, params) => (await connected()).receive(name, params),
    async follow(run_id, position, listener) {
      await connected()
      const one: Followed = { run_id, position, listener }
      followed.add(one)
      await listen(one)
    },
    async watch(listener, until) {
      await connected()
      watching.set(listener, until)
      until?.addEventListener('abort', () => watching.delete(listener))
      await current.watch(listener, until)
    },
    settled: (run_id) => current.settled(run_id),
    async close() {
      isClosed = true
      await reopening
      await current.close()
    },
  }
}
