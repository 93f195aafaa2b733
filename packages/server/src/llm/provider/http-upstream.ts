// A provider over HTTP: its own key, its own connections, kept open between calls. Node's own client adds the least to a call.
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { version } from '../../version.ts'
import type { StopSignal } from '../stop.ts'
import { ConnectError, type Operation, type Upstream, type UpstreamReply } from '../upstream.ts'
import { readModelList } from './model-list.ts'
import type { ProviderSettings } from './settings.ts'

export interface HttpUpstream extends Upstream {
  /** Lets go of connections nobody uses. */
  close(): void
}

const paths = {
  chat_completions: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  messages: '/messages',
  count_tokens: '/messages/count_tokens',
} as const satisfies Record<Operation, string>

const listBytesMax = 16 * 1024 * 1024
const anthropicVersion = '2023-06-01'

export function httpUpstream(settings: ProviderSettings, { connect_ms = 10_000 } = {}): HttpUpstream {
  const { name, key, operations, auth, stream_usage } = settings
  const base = new URL(settings.base_url)
  const transport = base.protocol === 'https:' ? https : http
  const agent = new transport.Agent({ keepAlive: true, scheduling: 'lifo', maxFreeSockets: 256 })
  const place = {
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    prefix: base.pathname.replace(/\/+$/, ''),
  }
  const own = [
    ...['host', base.host, 'user-agent', `tandem/${version}`, 'accept-encoding', 'identity'],
    ...(key === undefined ? [] : auth === 'x-api-key' ? ['x-api-key', key] : ['authorization', `Bearer ${key}`]),
  ]

  function ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer | undefined,
    signal: StopSignal,
  ) {
    // A flat list goes out as it is; an object would be taken apart and checked name by name.
    const lines = body ? [...own, 'content-type', 'application/json', 'content-length', String(body.length)] : [...own]
    for (const name in headers) lines.push(name, headers[name] ?? '')
    if (auth === 'x-api-key' && headers['anthropic-version'] === undefined) lines.push('anthropic-version', anthropicVersion)
    const { protocol, hostname, port, prefix } = place
    return open({ protocol, hostname, port, agent, method, path: prefix + path, headers: lines }, body, signal, true)
  }

  function open(options: RequestOptions, body: Buffer | undefined, signal: StopSignal, mayBeStale: boolean): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const request = transport.request(options)
      // A request that is over is not hurt by it: it lets go of its connection before that connection serves another.
      signal.addEventListener('abort', () => request.destroy(asError(signal.reason)))
      limitConnecting(request, connect_ms, base.protocol === 'https:')
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) return reject(signal.reason)
        // A kept connection that the other side had already let go: nothing of this request was looked at.
        if (mayBeStale && request.reusedSocket && isReset(error)) return resolve(open({ ...options, agent: false }, body, signal, false))
        reject(new ConnectError(`${name} can not be reached (${error.code ?? 'no connection'})`))
      })
      request.once('response', resolve)
      request.end(body)
    })
  }

  return {
    name,
    operations,
    stream_usage,
    async models(signal) {
      const path = auth === 'x-api-key' ? '/models?limit=1000' : '/models'
      const reply = await ask('GET', path, { accept: 'application/json' }, undefined, signal)
      const text = await whole(reply, listBytesMax)
      if (reply.statusCode !== 200) throw new ConnectError(`${name} answered ${reply.statusCode} when asked for its models`)
      return readModelList(text)
    },
    async send(request): Promise<UpstreamReply> {
      const reply = await ask('POST', paths[request.operation], request.headers, request.body, request.signal)
      return { status: reply.statusCode ?? 502, headers: flat(reply.headers), body: reply }
    },
    betrays: (text) => key !== undefined && text.includes(key),
    close() {
      agent.destroy()
    },
  }
}

/** Everything up to `max` bytes; more is an error. */
export async function whole(body: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > max) throw new ConnectError(`an answer of more than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function limitConnecting(request: ClientRequest, milliseconds: number, tls: boolean): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => request.destroy(Object.assign(new Error('too slow to connect'), { code: 'ETIMEDOUT' })), milliseconds)
    const done = () => clearTimeout(timer)
    socket.once(tls ? 'secureConnect' : 'connect', done)
    socket.once('close', done)
  })
}

function isReset({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted')
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  // The only one that comes as a list, and nobody needs it.
  if (headers['set-cookie'] === undefined) return headers as Record<string, string>
  const all: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) all[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return all
}
