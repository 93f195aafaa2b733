// A provider of models for tests: a real HTTP server that answers like OpenAI and like Anthropic, and can simulate failures.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatBody, chatEvents, type ModelAnswer, messageBody, messageEvents, responsesBody, responsesEvents } from './upstream-format.ts'

/** The behavior for one request. Default: a successful response of the requested API. */
export interface Behaviour {
  readonly answer?: ModelAnswer
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of a response: a text, or a value as JSON. */
  readonly body?: string | Buffer | object
  /** Instead of a response: these pieces, each its own write. */
  readonly pieces?: readonly (string | Uint8Array)[]
  /** The stream in writes of this many bytes, even if that splits a character. */
  readonly bytes_a_write?: number
  /** Between two writes. */
  readonly pause_ms?: number
  readonly line_end?: '\r\n'
  /** Comments, blank lines and unknown fields between the events. */
  readonly comments?: true
  /** Before the head of the response. */
  readonly delay_ms?: number
  /** Head and these first writes, then the end below. By default the whole response is written first. */
  readonly writes?: number
  /** How it ends. `hang`: never; `cut`: the connection closes in the middle; `reset`: same with RST. `writes: 0` hangs after the head. */
  readonly end?: 'well' | 'hang' | 'cut' | 'reset'
  /** Writes nothing, not even a head: `end` happens immediately. */
  readonly silent?: true
}

export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds of `performance.now()`. */
  readonly at: number
  /** Resolves with the time at which the caller disconnected before the response was complete. */
  readonly aborted: Promise<number>
  readonly state: { ended?: 'well' | 'aborted' | 'broken'; written: number }
}

export interface TestUpstream extends AsyncDisposable {
  /** Without a path. */
  readonly url: string
  readonly requests: Recorded[]
  /** For the next requests that are not for models, one each. */
  next(...behaviours: readonly Behaviour[]): void
  /** For all others; `{}` succeeds. */
  always(behaviour: Behaviour): void
  /** Resolves when this many requests (except for models) have arrived. */
  arrived(count: number): Promise<Recorded>
  forget(): void
  close(): Promise<void>
}

export async function startTestUpstream(): Promise<TestUpstream> {
  const requests: Recorded[] = []
  const queue: Behaviour[] = []
  let otherwise: Behaviour = {}
  let waiting: { count: number; resolve: (request: Recorded) => void }[] = []

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The caller disconnected during its request: there is nothing to record.
      return
    }
    const recorded = record(request, response, Buffer.concat(chunks))
    if (recorded.method === 'GET') return models(recorded, response)
    requests.push(recorded)
    waiting = waiting.filter(({ count, resolve }) => {
      if (requests.length >= count) resolve(requests[count - 1] ?? recorded)
      return requests.length < count
    })
    await answer(recorded, response, queue.shift() ?? otherwise)
  })
  server.keepAliveTimeout = 60_000
  const close = () => closeServer(server)
  return {
    url: await listen(server),
    requests,
    next: (...behaviours) => void queue.push(...behaviours),
    always(behaviour) {
      otherwise = behaviour
    },
    arrived(count) {
      const there = requests[count - 1]
      if (there) return Promise.resolve(there)
      return new Promise((resolve) => waiting.push({ count, resolve }))
    },
    forget() {
      requests.length = 0
      queue.length = 0
      otherwise = {}
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function record(request: IncomingMessage, response: ServerResponse, body: Buffer): Recorded {
  const state: Recorded['state'] = { written: 0 }
  const aborted = Promise.withResolvers<number>()
  response.once('close', () => {
    if (response.writableFinished) state.ended = 'well'
    else if (state.ended === undefined) {
      state.ended = 'aborted'
      aborted.resolve(performance.now())
    }
  })
  const { method = '', url: path = '', headers } = request
  return { method, path, headers, body, at: performance.now(), aborted: aborted.promise, state }
}

async function answer({ path, body, state }: Recorded, response: ServerResponse, behaviour: Behaviour): Promise<void> {
  if (behaviour.delay_ms) await sleep(behaviour.delay_ms)
  if (response.destroyed) return
  if (!behaviour.silent) {
    const { type, writes } = replyFor(path, body, behaviour)
    const some = writes.slice(0, behaviour.writes ?? writes.length)
    const length = type === 'application/json' && behaviour.end === undefined ? { 'content-length': String(size(some)) } : {}
    response.writeHead(behaviour.status ?? 200, { 'content-type': type, 'x-request-id': 'req_upstream', ...length, ...behaviour.headers })
    response.flushHeaders()
    for (const [index, piece] of some.entries()) {
      if (index > 0 && behaviour.pause_ms) await sleep(behaviour.pause_ms)
      if (response.destroyed) return
      // Waits for a slow reader, as a provider would.
      if (!response.write(piece)) await taken(response)
      state.written += piece.length
    }
  }
  switch (behaviour.end ?? 'well') {
    case 'well':
      response.end()
      return
    case 'hang':
      return
    case 'cut':
      state.ended = 'broken'
      // What was written must arrive first.
      await sleep(5)
      response.socket?.destroySoon()
      return
    case 'reset':
      state.ended = 'broken'
      await sleep(5)
      response.socket?.resetAndDestroy()
  }
}

function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

function replyFor(path: string, body: Buffer, behaviour: Behaviour): { type: string; writes: readonly Uint8Array[] } {
  const json = 'application/json'
  const events = 'text/event-stream; charset=utf-8'
  const asked = parse(body)
  if (behaviour.pieces)
    return {
      type: asked.stream ? events : json,
      writes: behaviour.pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    }
  if (behaviour.body !== undefined) return { type: json, writes: [bytesOf(behaviour.body)] }
  if (!asked.stream) return { type: json, writes: [bytesOf(bodyFor(path, asked, behaviour.answer))] }

  const given = eventsFor(path, asked, behaviour.answer)
  const texts = behaviour.comments ? given.flatMap((event) => [': PROCESSING\n\n', `id: 7\nretry: 100\nunknown: x\n${event}`, '\n']) : given
  const writes = texts.map((text) => Buffer.from(behaviour.line_end ? text.replaceAll('\n', behaviour.line_end) : text))
  return { type: events, writes: behaviour.bytes_a_write ? cut(Buffer.concat(writes), behaviour.bytes_a_write) : writes }
}

interface Asked {
  readonly model: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly input?: string | readonly unknown[]
  readonly encoding_format?: string
}

function parse(body: Buffer): Asked {
  try {
    return JSON.parse(body.toString())
  } catch {
    // Only the request misbehaves; its response is complete.
    return { model: '' }
  }
}

function eventsFor(path: string, { model, stream_options }: Asked, answer: ModelAnswer | undefined): string[] {
  if (path.endsWith('/messages')) return messageEvents(model, answer)
  if (path.endsWith('/responses')) return responsesEvents(model, answer)
  return chatEvents(model, answer, stream_options?.include_usage === true)
}

function bodyFor(path: string, { model, input, encoding_format }: Asked, answer: ModelAnswer | undefined): object {
  if (path.endsWith('/count_tokens')) return { input_tokens: 42 }
  if (path.endsWith('/messages')) return messageBody(model, answer)
  if (path.endsWith('/responses')) return responsesBody(model, answer)
  if (!path.endsWith('/embeddings')) return chatBody(model, answer)
  const inputs = Array.isArray(input) ? input : [input]
  const data = inputs.map((_, index) => {
    const numbers = [0.25, -0.5, index]
    const packed = Buffer.from(new Float32Array(numbers).buffer).toString('base64')
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? packed : numbers }
  })
  return { object: 'list', data, model, usage: { prompt_tokens: 6, total_tokens: 6 } }
}

/** Both providers list models at the same path; Anthropic's callers send its version header. */
function models({ headers }: Recorded, response: ServerResponse): void {
  const anthropic = headers['anthropic-version'] !== undefined
  const ids = anthropic ? ['claude-test', 'claude-other'] : ['gpt-test', 'gpt-other', 'embed-test']
  const data = ids.map((id) =>
    anthropic
      ? { type: 'model', id, display_name: `The ${id}`, created_at: '2026-01-01T00:00:00Z' }
      : { id, object: 'model', created: 1_780_000_000, owned_by: 'test' },
  )
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(anthropic ? { data, has_more: false, first_id: ids[0], last_id: ids.at(-1) } : { object: 'list', data }))
}

function bytesOf(body: string | Buffer | object): Uint8Array {
  return typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
}

function cut(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => bytes.subarray(index * length, (index + 1) * length))
}

function size(writes: readonly Uint8Array[]): number {
  return writes.reduce((sum, piece) => sum + piece.length, 0)
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port')
  return `http://127.0.0.1:${address.port}`
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
