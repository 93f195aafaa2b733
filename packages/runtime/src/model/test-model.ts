// A model behind the real HTTP API that says what its script says. Each request takes the next turn of the script.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedTurn {
  readonly text?: string
  readonly thinking?: string
  readonly refusal?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly finish_reason?: string
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  /** Answers with this status and body instead. */
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as they are. */
  readonly raw?: readonly string[]
  /** Breaks the connection after so many pieces. */
  readonly breakAfter?: number
  /** From one piece to the next, whenever the last one got away: a late timer makes the next one early. */
  readonly slow_ms?: number
  /** Waited for before the last piece. */
  readonly hold?: Promise<void>
}

type ScriptedRequest = TestModel['requests'][number]

export type Script = (index: number, request: ScriptedRequest) => ScriptedTurn

export interface TestModel {
  readonly base_url: string
  readonly requests: { readonly messages: { role: string; content: unknown; tool_calls?: unknown }[]; readonly tools?: unknown[] }[]
  /** How many answers were hung up on. */
  readonly aborted: () => number
  close(): Promise<void>
}

export async function startTestModel(script: readonly ScriptedTurn[] | Script): Promise<TestModel> {
  const requests: TestModel['requests'] = []
  let aborted = 0
  const next = (index: number, request: ScriptedRequest) =>
    typeof script === 'function' ? script(index, request) : (script[index] ?? { text: 'Nothing more is scripted.' })
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await read(request))
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
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const pieces = turn.raw ?? piecesOf(turn)
  const began = performance.now()
  for (const [index, piece] of pieces.entries()) {
    if (turn.breakAfter === index) {
      await new Promise((resolve) => response.write(': the end is near\n\n', resolve))
      return void response.destroy()
    }
    if (turn.hold && index === pieces.length - 1) await turn.hold
    if (turn.slow_ms) await until(began + (index + 1) * turn.slow_ms)
    if (response.destroyed) return
    response.write(piece)
  }
  response.end()
}

async function until(due: number): Promise<void> {
  const wait = due - performance.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
}

function piecesOf({ text = '', thinking = '', refusal, calls = [], finish_reason, usage }: ScriptedTurn): string[] {
  const chunk = (delta: unknown, finish: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason: finish }] })
  const counted = usage === undefined ? { prompt_tokens: 10, completion_tokens: 5 } : usage
  return [
    chunk({ role: 'assistant' }),
    ...(thinking ? [chunk({ reasoning_content: thinking })] : []),
    ...(text.match(/.{1,20}/gs) ?? []).map((content) => chunk({ content })),
    ...(refusal ? [chunk({ refusal })] : []),
    ...calls.flatMap(({ name, arguments: args }, index) => {
      const whole = typeof args === 'string' ? args : JSON.stringify(args)
      const half = Math.ceil(whole.length / 2)
      return [
        chunk({
          tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: name.replaceAll('.', '__'), arguments: '' } }],
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
