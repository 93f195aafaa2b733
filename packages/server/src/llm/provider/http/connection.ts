// One connection to a provider. It carries one request at a time, and is free for the next when the last response is complete.
import type { Socket } from 'node:net'
import type { ByteFlow, FlowListener } from '../../flow.ts'
import { type ReplyHead, ResponseParser } from './response-parser.ts'

export interface ProviderReply extends ReplyHead {
  readonly body: ByteFlow
}

/** Notified of the state of a connection. */
export interface ConnectionListener {
  /** It may be reused for this many milliseconds; the last response may still be on its way to its caller. */
  free(connection: Connection, milliseconds: number): void
  lost(connection: Connection): void
}

export class Connection {
  readonly socket: Socket
  #asked: PendingRequest | undefined
  #error: Error | undefined

  constructor(socket: Socket, owner: ConnectionListener) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      // No request is pending.
      if (!this.#asked) socket.destroy()
      else if (this.#asked.take(bytes)) this.#settle(owner, this.#asked)
    })
    socket.on('end', () => {
      if (this.#asked?.takeEnd()) this.#asked = undefined
      // No request is possible any more.
      else if (!this.#asked) socket.destroy()
    })
    socket.on('error', (error) => {
      this.#error = error
    })
    socket.on('close', () => {
      owner.lost(this)
      this.#asked?.fail(this.#error ?? closedError())
      this.#asked = undefined
    })
  }

  /** Only while nothing else is in progress. */
  ask(head: string, body: Buffer | undefined): PendingRequest {
    const asked = new PendingRequest(this)
    this.#asked = asked
    this.socket.write(together(head, body))
    if (body && body.length > joinedMax) this.socket.write(body)
    return asked
  }

  /** Closes it if it still serves `asked`. */
  stop(asked: PendingRequest, reason: Error): void {
    if (this.#asked === asked) this.socket.destroy(reason)
  }

  #settle(owner: ConnectionListener, asked: PendingRequest): void {
    this.#asked = undefined
    // A server that answers before it has read everything will not read the next request either.
    const milliseconds = this.socket.writableLength === 0 ? asked.keeps_ms : 0
    if (milliseconds > 0) owner.free(this, milliseconds)
    else this.socket.destroy()
  }
}

/** Beyond this, data without a listener is left in the system's buffer. */
const heldMax = 256 * 1024

/** One request in progress, and the bytes of its response. */
export class PendingRequest implements ByteFlow {
  readonly reply: Promise<ProviderReply>
  /** Some of the response arrived: the request was received. */
  heard = false
  paused = false

  readonly #connection: Connection
  readonly #reader = new ResponseParser()
  readonly #resolve: (reply: ProviderReply) => void
  readonly #reject: (error: Error) => void
  #listener: FlowListener | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #end: 'whole' | Error | undefined

  constructor(connection: Connection) {
    this.#connection = connection
    const { promise, resolve, reject } = Promise.withResolvers<ProviderReply>()
    this.reply = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  get keeps_ms(): number {
    return this.#reader.keeps_ms
  }

  /** Returns whether this completes the response. */
  take(bytes: Buffer): boolean {
    this.heard = true
    const reader = this.#reader
    const before = reader.head
    let body: Buffer
    try {
      body = reader.push(bytes)
    } catch (error) {
      this.stop(error instanceof Error ? error : closedError())
      return false
    }
    if (reader.head && !before) this.#resolve({ ...reader.head, body: this })
    if (body.length > 0) this.#pass(body)
    if (!reader.done) return false
    this.#finish('whole')
    return true
  }

  /** The other side sends no more; returns whether this completes the response. */
  takeEnd(): boolean {
    if (!this.#reader.close()) return false
    this.#finish('whole')
    return true
  }

  fail(error: Error): void {
    this.#reject(error)
    this.#finish(error)
  }

  stop(reason: Error): void {
    this.#connection.stop(this, reason)
  }

  listen(listener: FlowListener): void {
    this.#listener = listener
    // Before any delivery: the listener may stop immediately.
    if (this.#end === undefined) this.resume()
    for (const bytes of this.#held) listener.data(bytes)
    this.#held = []
    if (this.#end !== undefined) tellEnd(listener, this.#end)
  }

  whole(most: number): Buffer | undefined {
    if (this.#end !== 'whole' || this.#listener || this.#heldBytes > most) return undefined
    const [only, ...more] = this.#held
    this.#held = []
    return more.length === 0 && only ? only : Buffer.concat(only ? [only, ...more] : [])
  }

  pause(): void {
    this.paused = true
    if (this.#end === undefined) this.#connection.socket.pause()
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    if (this.#end === undefined) this.#connection.socket.resume()
  }

  destroy(): void {
    this.stop(closedError())
  }

  #pass(bytes: Buffer): void {
    if (this.#listener) {
      this.#listener.data(bytes)
      return
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes > heldMax) this.pause()
  }

  #finish(end: 'whole' | Error): void {
    if (this.#end !== undefined) return
    // The next request on this connection must not wait for the reader of this one.
    if (this.paused && end === 'whole') this.#connection.socket.resume()
    this.#end = end
    if (this.#listener) tellEnd(this.#listener, end)
  }
}

function tellEnd(listener: FlowListener, end: 'whole' | Error): void {
  if (end === 'whole') listener.end()
  else listener.cut(end)
}

/** Up to this size a request is sent in one piece: copying costs less than a second write. */
const joinedMax = 64 * 1024

function together(head: string, body: Buffer | undefined): Buffer {
  if (!body || body.length > joinedMax) return Buffer.from(head, 'latin1')
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  body.copy(bytes, head.length)
  return bytes
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}
