// A provider over HTTP: its own key and connections. The client is our own: a general one costs as much as the rest of a call.
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ProviderSettings } from '../../config/llm/settings.ts'
import { operations as allOperations, type Operation } from '../../operation.ts'
import { version } from '../../version.ts'
import { decoded, wholeText } from '../flow.ts'
import type { StopSignal } from '../stop.ts'
import { ConnectError, type Upstream } from '../upstream.ts'
import type { ProviderReply } from './http/connection.ts'
import { type ConnectionPool, openConnectionPool } from './http/pool.ts'
import { readModelList } from './model-list.ts'

export interface HttpUpstream extends Upstream {
  /** Closes idle connections. */
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
  const pool = poolTo(base, connect_ms)
  const prefix = base.pathname.replace(/\/+$/, '')
  const own = lines({
    host: base.host,
    'user-agent': `tandem/${version}`,
    'accept-encoding': 'identity',
    ...(key === undefined ? {} : auth === 'x-api-key' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
  })
  /** Everything that is the same for every call. */
  const heads = new Map(
    allOperations.map((operation) => [operation, `POST ${prefix}${paths[operation]} HTTP/1.1\r\n${own}content-type: application/json\r\n`]),
  )

  function ask(head: string, body: Buffer | undefined, signal: StopSignal): Promise<ProviderReply> {
    return pool.send({ head, body }, signal).then(plain, (error: unknown) => {
      if (signal.aborted) throw signal.reason
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
      throw new ConnectError(`${name} cannot be reached (${code})`)
    })
  }

  return {
    name,
    operations,
    stream_usage,
    async models(signal) {
      const path = auth === 'x-api-key' ? '/models?limit=1000' : '/models'
      const version = auth === 'x-api-key' ? lines({ 'anthropic-version': anthropicVersion }) : ''
      const head = `GET ${prefix}${path} HTTP/1.1\r\n${own}${version}accept: application/json\r\n\r\n`
      const reply = await ask(head, undefined, signal)
      const text = await wholeText(reply.body, listBytesMax)
      if (reply.status !== 200) throw new ConnectError(`${name} returned ${reply.status} for its list of models`)
      return readModelList(text)
    },
    async send({ operation, headers, body, signal }) {
      const version = auth === 'x-api-key' && headers['anthropic-version'] === undefined
      const more = version ? { ...headers, 'anthropic-version': anthropicVersion } : headers
      return ask(`${heads.get(operation)}content-length: ${body.length}\r\n${lines(more)}\r\n`, body, signal)
    },
    betrays: (text) => key !== undefined && text.includes(key),
    close: () => pool.close(),
  }
}

/** Some proxies compress even if plain bytes are requested. */
function plain(reply: ProviderReply): ProviderReply {
  const encoding = reply.headers['content-encoding'] ?? 'identity'
  const body = encoding === 'identity' ? undefined : decoded(reply.body, encoding)
  if (!body) return reply
  const { 'content-encoding': _, 'content-length': __, ...headers } = reply.headers
  return { ...reply, headers, body }
}

function poolTo(base: URL, connect_ms: number): ConnectionPool {
  const host = base.hostname.replace(/^\[|\]$/g, '')
  const usual = { host, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }
  if (base.protocol === 'http:') {
    const place = { ...usual, port: Number(base.port || 80) }
    return openConnectionPool({ connect: () => connectPlain(place), connected: 'connect', connect_ms })
  }
  // The next connection resumes the TLS session: one round trip less.
  let session: Buffer | undefined
  const place = { ...usual, port: Number(base.port || 443), servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] }
  const keep = (given: Buffer | undefined) => {
    session = given
  }
  const connect = () =>
    connectTls(session ? { ...place, session } : place)
      .on('session', keep)
      .on('error', () => keep(undefined))
  return openConnectionPool({ connect, connected: 'secureConnect', connect_ms })
}

/** Values come from configuration and from requests that Node has parsed: neither can contain a line break. */
function lines(headers: Readonly<Record<string, string>>): string {
  let text = ''
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new Error(`the header ${name} has a character that is not allowed in a header`)
    text += `${name}: ${value}\r\n`
  }
  return text
}
