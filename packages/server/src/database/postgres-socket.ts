// The byte stream under one postgres.js connection.
//
// postgres.js 3.4.9 reuses a connection object after its socket closed: a transaction that was still running on it may then
// write to no socket (an exception that cannot be caught) or into the next transaction. So a lost wire never emits `close`:
// it stays open and answers every later write with an error, and the pool starts over with new connections. Only a connection that
// PostgreSQL had no room for is closed as usual: nothing ran on it, and the others of the pool are fine.
import { EventEmitter, once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { readAuthorities } from '../certificate-file.ts'
import type { DatabaseAddress } from '../config/database-url.ts'
import { type StartupOutcome, startupOutcome } from './startup-messages.ts'
import { ConnectionError, errorCode } from './unavailable.ts'

export class PostgresSocket extends EventEmitter {
  readonly #socket: Socket
  #state: 'open' | 'ending' | 'lost' | 'closed' = 'open'
  #loss = lostError()
  #startup: { readonly outcome: StartupOutcome; readonly bytes: Buffer } = { outcome: 'pending', bytes: Buffer.alloc(0) }

  constructor(socket: Socket, onLost: () => void) {
    super()
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      if (this.#startup.outcome === 'pending') this.#readStartup(chunk)
      this.emit('data', chunk)
    })
    // Still paused after the TLS request if the server answered that it has no TLS.
    socket.resume()
    socket.on('drain', () => this.emit('drain'))
    socket.on('error', (error) => {
      this.#loss = wireError(error)
    })
    socket.on('close', () => {
      if (this.#state === 'ending' || this.#startup.outcome === 'out_of_connections') {
        this.#state = 'closed'
        this.emit('close', false)
        return
      }
      this.#state = 'lost'
      onLost()
      this.#refuse()
    })
  }

  get readyState(): 'open' | 'closed' {
    return this.#state === 'open' ? 'open' : 'closed'
  }

  write(chunk: Uint8Array, callback?: () => void): boolean {
    if (this.#state === 'open') return this.#socket.write(chunk, callback)
    setImmediate(() => this.#refuse())
    return true
  }

  end(chunk: Uint8Array): void {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    this.#socket.end(chunk)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  setKeepAlive(enable: boolean, delay: number): void {
    this.#socket.setKeepAlive(enable, delay)
  }

  #readStartup(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#startup.bytes, chunk])
    const outcome = startupOutcome(bytes)
    this.#startup = { outcome, bytes: outcome === 'pending' ? bytes : Buffer.alloc(0) }
  }

  #refuse(): void {
    if (this.listenerCount('error') > 0) this.emit('error', this.#loss)
  }
}

/** Connects within the deadline, with TLS according to the address. */
export async function openPostgresSocket(address: DatabaseAddress, deadline: number, onLost: () => void): Promise<PostgresSocket> {
  const plain = address.socket === undefined ? connect(address.port, address.host) : connect(address.socket)
  plain.setNoDelay(true)
  const timer = setTimeout(() => plain.destroy(new ConnectionError('CONNECT_TIMEOUT', 'the database did not respond in time')), deadline)
  try {
    await once(plain, 'connect')
    return new PostgresSocket(address.tls === 'disable' ? plain : await secure(plain, address), onLost)
  } catch (error) {
    plain.destroy()
    throw wireError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The SSLRequest of PostgreSQL: eight bytes out, `S` or `N` back. */
async function secure(plain: Socket, address: DatabaseAddress): Promise<Socket> {
  const context = await trustedContext(address)
  plain.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
  const answer = await firstBytes(plain)
  if (answer.length !== 1 || (answer[0] !== 0x53 && answer[0] !== 0x4e)) {
    throw new ConnectionError('PROTOCOL', 'the server does not speak PostgreSQL')
  }
  if (answer[0] === 0x4e) {
    if (address.tls === 'prefer') return plain
    throw new ConnectionError('NO_TLS', 'the server does not offer TLS')
  }
  const secured = connectTls({
    socket: plain,
    // The server name that the certificate must match. Without it, an IP address would be compared with `localhost`.
    host: address.host,
    ...(isIP(address.host) ? {} : { servername: address.host }),
    ...(context === undefined ? {} : { secureContext: context }),
    rejectUnauthorized: address.tls === 'verify-full' || address.tls === 'verify-ca',
    ...(address.tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  })
  await once(secured, 'secureConnect')
  return secured
}

/** The authorities of `sslrootcert`, read for every connection: a renewed file needs no restart. */
async function trustedContext({ root_certificate: path }: DatabaseAddress): Promise<SecureContext | undefined> {
  if (path === undefined) return undefined
  try {
    return createSecureContext({ ca: await readAuthorities(path) })
  } catch (error) {
    throw new ConnectionError('ROOT_CERTIFICATE', 'the file of sslrootcert cannot be used', { cause: error })
  }
}

async function firstBytes(socket: Socket): Promise<Buffer> {
  const ended = once(socket, 'close').then(() => {
    throw lostError()
  })
  const [chunk] = await Promise.race([once(socket, 'data'), ended])
  socket.pause()
  ended.catch(() => undefined)
  return Buffer.isBuffer(chunk) ? chunk : Buffer.alloc(0)
}

function lostError(): ConnectionError {
  return new ConnectionError('CONNECTION_LOST', 'the connection to the database was lost')
}

function wireError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error
  const code = errorCode(error instanceof AggregateError ? error.errors[0] : error)
  return new ConnectionError(code ?? 'CONNECTION_LOST', 'the connection to the database failed', { cause: error })
}
