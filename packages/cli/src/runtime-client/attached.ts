// A client for a running runtime: JSON-RPC over its loopback channel.
import { type CommandError, commandErrors, type RpcError, type RpcNotification, type RuntimeFile, rpcPath } from '@tandem/contract/command'
import type { CommandAnswer, RuntimeClient, RunUpdate } from './runtime-client.ts'

const patience_ms = 3_000

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: RpcError['error']
}

/** Null if the connection fails: the file was left behind. */
export async function attachToRuntime({ url, token }: RuntimeFile): Promise<RuntimeClient | null> {
  const socket = await opened(`${url.replace('http', 'ws').slice(0, -1)}${rpcPath}`, token)
  if (!socket) return null
  const open = socket
  const waiting = new Map<number, (reply: Reply) => void>()
  const followers = new Map<string, (notification: RpcNotification) => void>()
  const leaving = new Set<() => void>()
  const watchers = new Set<Parameters<RuntimeClient['watch']>[0]>()
  /** One subscription for all of them. */
  let watching: Promise<Reply> | null = null
  let calls = 0

  open.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Reply | RpcNotification
    if ('method' in message) followers.get(message.params.subscription_id)?.(message)
    else waiting.get(Number(message.id))?.(message)
  })
  open.addEventListener('close', () => {
    for (const settle of waiting.values()) settle({ error: { code: 0, message: lost.message, data: lost } })
    for (const leave of leaving) leave()
  })

  function request(method: string, params: unknown, heard?: (reply: Reply) => void): Promise<Reply> {
    const id = ++calls
    return new Promise((resolve) => {
      waiting.set(id, (reply) => {
        waiting.delete(id)
        // Before anything that was sent after the reply is read.
        heard?.(reply)
        resolve(reply)
      })
      if (open.readyState !== WebSocket.OPEN) waiting.get(id)?.({ error: { code: 0, message: lost.message, data: lost } })
      else open.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  async function subscribed(params: object, hear: (notification: RpcNotification) => void): Promise<Reply> {
    return await request('subscribe', params, ({ result }) => {
      const { subscription_id } = (result ?? {}) as { subscription_id?: string }
      if (subscription_id) followers.set(subscription_id, hear)
    })
  }

  function hearEvent(notification: RpcNotification): void {
    const news = newsOf(notification)
    if (news?.kind === 'event') for (const listener of watchers) listener(news.recorded)
    else if (!news) void subscribed({ topics: ['event'] }, hearEvent)
  }

  async function receive(name: string, params: unknown): Promise<CommandAnswer<unknown>> {
    const { result, error } = await request(name, params)
    return error ? { ok: false, error: error.data ?? broken(error.message) } : { ok: true, value: result }
  }

  return {
    kind: 'attached',
    isOpen: () => open.readyState === WebSocket.OPEN,
    receive,
    call: (name, params) => receive(name, params) as Promise<CommandAnswer<never>>,
    async follow(run_id, from, listener) {
      let { after_seq, after_event } = from
      const tell = () => listener({ kind: 'lost', reason: lost.message })
      leaving.add(tell)
      const subscribe = async (): Promise<void> => {
        const place = { after_seq, ...(after_event === undefined ? {} : { after_event }) }
        const { error } = await subscribed({ topics: ['step', 'delta', 'event'], run_id, ...place }, hear)
        if (error) listener({ kind: 'lost', reason: error.message })
      }
      const hear = (notification: RpcNotification): void => {
        const news = newsOf(notification)
        if (news?.kind === 'step') after_seq = news.step.seq
        if (news?.kind === 'event') after_event = news.recorded.no
        if (news) listener(news)
        else subscribe().catch(tell)
      }
      await subscribe()
    },
    async watch(listener, until) {
      watchers.add(listener)
      until?.addEventListener('abort', () => watchers.delete(listener))
      watching ??= subscribed({ topics: ['event'] }, hearEvent)
      await watching
    },
    settled: async () => undefined,
    async close() {
      leaving.clear()
      open.close()
    },
  }
}

/** Null for `lagging`: we were too slow, and subscribe again after the last one received. */
function newsOf(notification: RpcNotification): RunUpdate | null {
  switch (notification.method) {
    case 'step':
      return { kind: 'step', step: notification.params.step }
    case 'delta':
      return { kind: 'delta', delta: notification.params.delta }
    case 'event': {
      const { no, event } = notification.params
      return { kind: 'event', recorded: { no, event } }
    }
    case 'lagging':
      return null
  }
}

const lost: CommandError = {
  code: 'canceled',
  message: 'the runtime stopped or closed the connection',
  remedy: 'Start it again with tandem start, then continue the run with tandem resume.',
}

function broken(message: string): CommandError {
  return { code: 'internal_error', message, remedy: commandErrors.internal_error.remedy }
}

function opened(address: string, token: string): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } } as never)
    const given = setTimeout(() => {
      resolve(null)
      socket.close()
    }, patience_ms)
    const settle = (result: WebSocket | null) => {
      clearTimeout(given)
      resolve(result)
    }
    socket.addEventListener('open', () => settle(socket), { once: true })
    socket.addEventListener('error', () => settle(null), { once: true })
  })
}
