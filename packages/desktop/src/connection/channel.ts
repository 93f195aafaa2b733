// JSON-RPC over one WebSocket that reconnects automatically. Subscriptions survive it: each continues after its last notification.
import type {
  CommandError,
  CommandName,
  CommandParams,
  CommandResult,
  RpcError,
  RpcNotification,
  RpcSubscription,
  SubscribeParams,
} from '@tandem/contract/command'
import { translated } from '../language/language.ts'
import type { Clock } from './clock.ts'

/** `refused`: the runtime is running but does not accept this window. */
export type ConnectionState = 'connecting' | 'online' | 'offline' | 'refused'

export type CallError = Omit<CommandError, 'code'> & { readonly code: CommandError['code'] | 'disconnected' }
export type CallResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CallError }

export type ChannelNotification = Exclude<RpcNotification, { method: 'lagging' }>

export interface Channel {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CallResult<CommandResult<Name>>>
  /** Returns a function that ends it. */
  subscribe(params: SubscribeParams, hear: (heard: ChannelNotification) => void): () => void
  /** Tries immediately, for example when the user asks for it or the network is back. */
  reconnect(): void
  close(): void
}

/** The part of WebSocket that is used here. */
export interface Socket {
  send(text: string): void
  close(): void
}

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** Also called if it could not be opened. */
  closed(): void
}

export interface ChannelPorts {
  readonly clock: Clock
  open(on: SocketEvents): Socket
  /** Called when a socket closed before it was open. */
  isHostReachable(): Promise<boolean>
  onState(state: ConnectionState): void
}

interface Subscription {
  params: SubscribeParams
  readonly hear: (heard: ChannelNotification) => void
  id: string | null
}

interface Call {
  readonly method: string
  readonly params: unknown
  readonly answer: Pending
}

type Pending = (message: { readonly result?: unknown; readonly error?: RpcError['error'] }) => void

const firstWaitMs = 250
const longestWaitMs = 8_000

export function openChannel({ clock, open, isHostReachable, onState }: ChannelPorts): Channel {
  const subscriptions = new Set<Subscription>()
  const pending = new Map<number, Pending>()
  /** Calls made while the socket is opening; they are sent when it is open. */
  const early: Call[] = []
  let socket: Socket | null = null
  let isOpen = false
  let closed = false
  let calls = 0
  let failures = 0
  let cancelRetry: () => void = () => undefined

  function connect(): void {
    cancelRetry()
    if (closed || socket) return
    onState('connecting')
    const current = open({
      opened() {
        if (socket !== current) return
        isOpen = true
        failures = 0
        // Those that begin with the connection begin by themselves.
        const before = [...subscriptions]
        onState('online')
        for (const subscription of before) begin(subscription)
        for (const call of early.splice(0)) send(call)
      },
      message: (text) => socket === current && receive(JSON.parse(text)),
      closed: () => socket === current && lost(),
    })
    socket = current
  }

  function lost(): void {
    const wasOpen = isOpen
    socket = null
    isOpen = false
    for (const subscription of subscriptions) subscription.id = null
    const unanswered = [...pending.values(), ...early.splice(0).map(({ answer }) => answer)]
    pending.clear()
    for (const answer of unanswered) answer({})
    if (closed) return
    onState('offline')
    failures += 1
    cancelRetry = clock.after(Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)), connect)
    if (!wasOpen) void isHostReachable().then((there) => there && !socket && !closed && onState('refused'))
  }

  function receive(message: RpcNotification | { id: number; result?: unknown; error?: RpcError['error'] }): void {
    if (!('method' in message)) {
      const answer = pending.get(message.id)
      pending.delete(message.id)
      answer?.(message)
      return
    }
    const { subscription_id } = message.params
    const subscription = [...subscriptions].find(({ id }) => id === subscription_id)
    if (!subscription) return
    if (message.method === 'lagging') {
      subscription.id = null
      begin(subscription)
      return
    }
    subscription.params = after(subscription.params, message)
    subscription.hear(message)
  }

  function send(call: Call): void {
    if (!socket) {
      call.answer({})
      return
    }
    if (!isOpen) {
      early.push(call)
      return
    }
    calls += 1
    pending.set(calls, call.answer)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: calls, method: call.method, params: call.params }))
  }

  function begin(subscription: Subscription): void {
    const answer: Pending = ({ result }) => {
      if (!result) return
      const { subscription_id } = result as RpcSubscription
      if (subscriptions.has(subscription)) subscription.id = subscription_id
      else end(subscription_id)
    }
    send({ method: 'subscribe', params: subscription.params, answer })
  }

  function end(subscription_id: string): void {
    send({ method: 'unsubscribe', params: { subscription_id }, answer: () => undefined })
  }

  connect()
  return {
    call: (name, params) =>
      new Promise((resolve) => {
        const answer: Pending = ({ result, error }) => {
          if (error) resolve({ ok: false, error: error.data ?? { code: 'internal_error', message: error.message, remedy: '' } })
          else if (result === undefined) resolve({ ok: false, error: disconnected })
          else resolve({ ok: true, value: result as CommandResult<typeof name> })
        }
        send({ method: name, params, answer })
      }),
    subscribe(params, hear) {
      const subscription: Subscription = { params, hear, id: null }
      subscriptions.add(subscription)
      if (isOpen) begin(subscription)
      return () => {
        subscriptions.delete(subscription)
        if (subscription.id !== null) end(subscription.id)
      }
    },
    reconnect() {
      failures = 0
      connect()
    },
    close() {
      closed = true
      cancelRetry()
      socket?.close()
    },
  }
}

/** The parameters to resume the subscription after this notification. */
function after(params: SubscribeParams, heard: ChannelNotification): SubscribeParams {
  if (heard.method === 'event') return { ...params, after_event: heard.params.no }
  if (heard.method === 'step' && params.run_id !== undefined) return { ...params, after_seq: heard.params.step.seq }
  return params
}

const lost = translated('connection', {
  message: 'Connection lost.',
  remedy: 'When the connection is back, check the current state before you try again.',
})

const disconnected: CallError = { code: 'disconnected', ...lost }
