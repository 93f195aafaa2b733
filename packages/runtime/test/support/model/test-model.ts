// A scripted model behind the real HTTP API. Each request takes the next turn of the script.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedTurn {
  readonly text?: string
  readonly thinking?: string
  readonly refusal?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly finish_reason?: string
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  /** Responds with this status and body instead. */
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly raw?: readonly string[]
  /** A whole response instead of a stream, as JSON unless it is a string. */
  readonly whole?: unknown
  /** Added to the first piece of the message, and to that of each call. */
  readonly provider_fields?: Readonly<Record<string, unknown>>
  readonly call_fields?: Readonly<Record<string, unknown>>
  /** After the last piece the stream stays open until this resolves. */
  readonly openUntil?: Promise<void>
  /** Breaks the connection after this many pieces. */
  readonly breakAfter?: number
  /** The interval between pieces, independent of when the last one was sent: a late timer makes the next one early. */
  readonly slow_ms?: number
  /** Awaited before the piece that ends the answer; of `raw`, before the last one. */
  readonly hold?: Promise<void>
}

type ScriptedRequest = TestModel['requests'][number]

export type Script = (index: number, request: ScriptedRequest) => ScriptedTurn

export interface TestModel {
  readonly base_url: string
  readonly requests: {
    readonly messages: { role: string; content: unknown; tool_calls?: unknown }[]
    readonly tools?: unknown[]
    readonly stream?: boolean
    readonly stream_options?: unknown
  }[]
  /** All requests other than turns, such as `GET /v1/models`. */
  readonly asked: readonly string[]
  /** How many responses the client aborted. */
  readonly aborted: () => number
  close(): Promise<void>
}

/** Responses to requests other than turns, by method and path: `{'GET /v1/models': {data: []}}`. All others are a 404 page. */
export type ServerFacts = Readonly<Record<string, unknown>>

export async function startTestModel(script: readonly ScriptedTurn[] | Script, facts: ServerFacts = {}): Promise<TestModel> {
  const requests: TestModel['requests'] = []
  const asked: string[] = []
  let aborted = 0
  const next = (index: number, request: ScriptedRequest) =>
    typeof script === 'function' ? script(index, request) : (script[index] ?? { text: 'Nothing more is scripted.' })
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const text = await read(request)
    if (!path.endsWith('/v1/chat/completions')) {
      const name = `${request.method} ${path}`
      asked.push(name)
      const fact = facts[name]
      if (fact === undefined) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fact))
    }
    const body = JSON.parse(text)
    const turn = next(requests.length, body)
    requests.push(body)
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1
    })
    await answer(response, turn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    asked,
    aborted: () => aborted,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function answer(response: ServerResponse, turn: ScriptedTurn): Promise<void> {
  if (turn.status) {
    response
      .writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
      .end(turn.body ?? '{"error":{"message":"scripted"}}')
    return
  }
  if (turn.whole !== undefined) {
    const isText = typeof turn.whole === 'string'
    const headers = { 'content-type': isText ? 'text/html' : 'application/json', ...turn.headers }
    return void response.writeHead(200, headers).end(isText ? turn.whole : JSON.stringify(turn.whole))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const pieces = turn.raw ?? piecesOf(turn)
  // After the finish reason, the runtime waits only a few seconds for the rest.
  const held = turn.raw ? pieces.length - 1 : pieces.findIndex((piece) => piece.includes('"finish_reason":"'))
  const began = performance.now()
  for (const [index, piece] of pieces.entries()) {
    if (turn.breakAfter === index) {
      await new Promise((resolve) => response.write(': the end is near\n\n', resolve))
      return void response.destroy()
    }
    if (index === held) await turn.hold
    if (turn.slow_ms) await until(began + (index + 1) * turn.slow_ms)
    if (response.destroyed) return
    response.write(piece)
  }
  await turn.openUntil
  response.end()
}

async function until(due: number): Promise<void> {
  const wait = due - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

function piecesOf(turn: ScriptedTurn): string[] {
  const { text = '', thinking = '', refusal, calls = [], finish_reason, usage, provider_fields = {}, call_fields = {} } = turn
  const chunk = (delta: unknown, finish: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason: finish }] })
  const counted = usage === undefined ? { prompt_tokens: 10, completion_tokens: 5 } : usage
  return [
    chunk({ role: 'assistant', ...provider_fields }),
    ...(thinking ? [chunk({ reasoning_content: thinking })] : []),
    ...(text.match(/.{1,20}/gs) ?? []).map((content) => chunk({ content })),
    ...(refusal ? [chunk({ refusal })] : []),
    ...calls.flatMap(({ name, arguments: args }, index) => {
      const whole = typeof args === 'string' ? args : JSON.stringify(args)
      const half = Math.ceil(whole.length / 2)
      return [
        chunk({
          tool_calls: [
            { index, id: `call_${index}`, type: 'function', function: { name: name.replaceAll('.', '__'), arguments: '' }, ...call_fields },
          ],
        }),
        chunk({ tool_calls: [{ index, function: { arguments: whole.slice(0, half) } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: whole.slice(half) } }] }),
      ]
    }),
    chunk({}, finish_reason ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(counted ? [event({ choices: [], usage: counted })] : []),
    'data: [DONE]\n\n',
  ]
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
