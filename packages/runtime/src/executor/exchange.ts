// One request to an executor and its response, which is limited in size or read as a stream. Redirects are not followed, and nothing is decompressed.
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { executorLimits } from '@tandem/contract/executor'
import type { Clock } from '../clock/clock.ts'
import { ExecutorFailure } from './connection.ts'
import type { ExecutorAddress } from './rule/address.ts'
import type { ExecutorResponse } from './rule/reading.ts'

export interface ExecutorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to the address of the executor. */
  readonly path: string
  /** JSON if it is text. */
  readonly body?: string | Uint8Array
}

export async function exchange(
  socket: Socket,
  address: ExecutorAddress,
  token: string,
  asked: ExecutorRequest,
  signal: AbortSignal,
): Promise<ExecutorResponse> {
  const sent = begun(socket, address, token, asked, signal)
  try {
    const incoming = await responseTo(sent, asked.body)
    return { status: incoming.statusCode ?? 0, body: await limitedBody(incoming) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ExecutorFailure) throw error
    throw failureOf(error)
  } finally {
    sent.destroy()
    socket.destroy()
  }
}

interface StreamLimits {
  readonly signal: AbortSignal
  readonly clock: Clock
  /** A connection without any data for this time counts as lost. */
  readonly quiet_ms: number
}

/** `chunks` is null unless the status is 200. Whoever reads them limits their size. */
export async function streamed(
  socket: Socket,
  address: ExecutorAddress,
  token: string,
  asked: ExecutorRequest,
  { signal, clock, quiet_ms }: StreamLimits,
): Promise<ExecutorResponse & { readonly chunks: AsyncGenerator<Buffer> | null }> {
  const quiet = () => socket.destroy(new ExecutorFailure('timed_out', `no data within ${quiet_ms / 1_000} s`))
  let cancel = clock.after(quiet_ms, quiet)
  const sent = begun(socket, address, token, asked, signal)
  const end = () => {
    cancel()
    sent.destroy()
    socket.destroy()
  }
  const failed = (error: unknown) => {
    signal.throwIfAborted()
    return error instanceof ExecutorFailure ? error : failureOf(error)
  }
  async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of incoming) {
        yield chunk
        cancel()
        cancel = clock.after(quiet_ms, quiet)
      }
    } catch (error) {
      throw failed(error)
    } finally {
      end()
    }
  }
  try {
    const incoming = await responseTo(sent, asked.body)
    const status = incoming.statusCode ?? 0
    if (status === 200) return { status, body: '', chunks: chunksOf(incoming) }
    const body = await limitedBody(incoming)
    end()
    return { status, body, chunks: null }
  } catch (error) {
    end()
    throw failed(error)
  }
}

function begun(socket: Socket, address: ExecutorAddress, token: string, { method, path, body }: ExecutorRequest, signal: AbortSignal) {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
  return request({
    method,
    path: `${address.path}${path}`,
    createConnection: () => socket,
    headers: {
      host: address.authority,
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'close',
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    },
    maxHeaderSize: 32 * 1024,
    signal,
  })
}

async function responseTo(sent: ReturnType<typeof request>, body: string | Uint8Array | undefined): Promise<IncomingMessage> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.once('upgrade', (_, upgraded) => {
      upgraded.destroy()
      reject(new ExecutorFailure('malformed_response', 'it switched to another protocol'))
    })
    sent.end(body)
  })
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ExecutorFailure('malformed_response', 'its response is compressed, which was not requested')
  return incoming
}

async function limitedBody(incoming: IncomingMessage): Promise<string> {
  const { response_bytes } = executorLimits
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > response_bytes) throw new ExecutorFailure('response_too_large', `its response has more than ${response_bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The parser's errors mean that something else than HTTP answers. */
function failureOf(error: unknown): ExecutorFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error).slice(0, 200)
  if (code === 'HPE_HEADER_OVERFLOW') return new ExecutorFailure('response_too_large', 'its headers are too long', { cause: error })
  return code.startsWith('HPE_')
    ? new ExecutorFailure('malformed_response', `its response is not valid HTTP (${code})`, { cause: error })
    : new ExecutorFailure('unreachable', `the connection ended before the response (${code})`, { cause: error })
}
