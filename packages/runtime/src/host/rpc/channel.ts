// One socket of the channel: receives calls, sends responses and notifications, never more than the reader accepts.
import { commandErrors, type RpcError, type RpcId, rpcErrorCodes, rpcLimits, type SubscribeParams } from '@tandem/contract/command'
import type { WebSocket } from 'ws'
import type { Clock } from '../../clock/clock.ts'
import { type CommandLayer, refuse } from '../../commands/layer.ts'
import { parseMessage } from './message.ts'
import { subscribeProblem, unsubscribeProblem } from './subscribe.ts'
import { type FeedSources, openSubscription, type Sink, type Subscription } from './subscription.ts'

export interface ChannelPorts extends FeedSources {
  readonly clock: Clock
  readonly commands: Pick<CommandLayer, 'callUntrusted'>
  log(line: string): void
}

export function openChannel(socket: WebSocket, ports: ChannelPorts): void {
  const feeds = new Map<string, Subscription>()
  let waiting: { resolve(): void; reject(error: Error): void }[] = []
  let unread = 0
  let calls = 0
  let made = 0
  let closed = false

  function send(message: object): void {
    if (closed) return
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const bytes = Buffer.byteLength(text)
    unread += bytes
    hold()
    socket.send(text, () => {
      unread -= bytes
      hold()
      if (unread <= rpcLimits.buffer_bytes / 2) for (const { resolve } of waiting.splice(0)) resolve()
    })
  }

  /** Stops reading while too many calls or bytes are pending: the caller waits, and nothing accumulates here. */
  function hold(): void {
    const busy = calls >= rpcLimits.calls || unread > 2 * rpcLimits.buffer_bytes
    if (busy && !socket.isPaused) socket.pause()
    if (!busy && socket.isPaused) socket.resume()
  }

  const sink: Sink = {
    send,
    isFull: () => unread > rpcLimits.buffer_bytes,
    drained() {
      if (closed) return Promise.reject(new Error('the socket is closed'))
      if (unread <= rpcLimits.buffer_bytes / 2) return Promise.resolve()
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }

  function refused(id: RpcId | null, error: RpcError['error']): void {
    send({ id, error })
  }

  async function call(id: RpcId, method: string, params: unknown): Promise<void> {
    calls += 1
    hold()
    const answer =
      method === 'subscribe'
        ? subscribe(params)
        : method === 'unsubscribe'
          ? unsubscribe(params)
          : await ports.commands.callUntrusted(method, params)
    calls -= 1
    hold()
    if (!answer.ok) return refused(id, { code: numberOf(answer.error.code), message: answer.error.message, data: answer.error })
    send({ id, result: answer.value })
    // Only after the response, which has the id that the notifications refer to.
    if (method === 'subscribe') begin(answer.value as { subscription_id: string }, params as SubscribeParams)
  }

  function subscribe(params: unknown) {
    const fault = subscribeProblem(params)
    if (fault) return refuse('invalid_params', fault)
    const { run_id } = params as SubscribeParams
    if (run_id !== undefined && !ports.journal.run(run_id)) return refuse('not_found', `there is no run ${run_id} on this device`)
    if (feeds.size >= rpcLimits.subscriptions)
      return refuse('limit_reached', `one socket has at most ${rpcLimits.subscriptions} subscriptions`)
    made += 1
    return { ok: true as const, value: { subscription_id: `s${made}` } }
  }

  function begin({ subscription_id }: { subscription_id: string }, params: SubscribeParams): void {
    if (closed) return
    feeds.set(
      subscription_id,
      openSubscription(ports, subscription_id, params, sink, () => feeds.delete(subscription_id)),
    )
  }

  function unsubscribe(params: unknown) {
    const subscription_id = unsubscribeProblem(params)
    if (subscription_id === null)
      return refuse('invalid_params', '`subscription_id` must be the id of a subscription, without other parameters')
    const feed = feeds.get(subscription_id)
    feed?.end()
    return { ok: true as const, value: { ended: feed !== undefined } }
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(1003, 'messages must be text')
    const message = parseMessage(String(data))
    if (!message.ok) return refused(message.id, { code: message.code, message: message.message })
    call(message.id, message.method, message.params).catch((error: unknown) => {
      ports.log(`${message.method} failed: ${error instanceof Error ? error.stack : String(error)}`)
      refused(message.id, { code: rpcErrorCodes.internal_error, message: commandErrors.internal_error.title })
    })
  })
  socket.on('error', (error) => ports.log(`error of a socket of the command channel: ${error.message}`))
  socket.on('close', () => {
    closed = true
    for (const { reject } of waiting) reject(new Error('the socket is closed'))
    waiting = []
    for (const feed of [...feeds.values()]) feed.end()
    stopPinging()
  })
  const stopPinging = keepAlive(socket, ports.clock)
}

/** A reader that does not respond to a ping is gone, or has stopped reading. */
function keepAlive(socket: WebSocket, clock: Clock): () => void {
  let answered = true
  let cancel: () => void = () => undefined
  socket.on('pong', () => {
    answered = true
  })
  const round = () => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
    cancel = clock.after(rpcLimits.ping_ms, round)
  }
  cancel = clock.after(rpcLimits.ping_ms, round)
  return () => cancel()
}

function numberOf(code: string): number {
  if (code === 'unknown_command') return rpcErrorCodes.method_not_found
  if (code === 'invalid_params') return rpcErrorCodes.invalid_params
  if (code === 'internal_error') return rpcErrorCodes.internal_error
  return rpcErrorCodes.refused
}
