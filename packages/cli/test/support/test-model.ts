// A scripted model over the real protocol: chat completions, streamed, with tool calls.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type Turn =
  /** In this many pieces; the connection breaks after this many of them. */
  | {
      readonly text: string
      readonly pieces?: number
      readonly breakAfter?: number /** Awaited before it answers. */
      readonly after?: () => Promise<unknown>
    }
  | { readonly call: string; readonly arguments: object; readonly text?: string; readonly after?: () => Promise<unknown> }
  /** Fails with this status. */
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** Sends a little text, and then nothing more until it is released. */
  | { readonly hang: true }

export interface TestModel {
  readonly url: string
  /** The request bodies as received. */
  readonly requests: { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }[]
  readonly authorizations: (string | undefined)[]
  /** What it answers next, in order; after the last it reports that there is no more. */
  script(...turns: readonly Turn[]): void
  /** Resolves when a request got the beginning of an answer and waits for the rest. */
  hanging(): Promise<void>
  stop(): Promise<void>
}

export async function testModel(): Promise<TestModel> {
  const turns: Turn[] = []
  let hanging = Promise.withResolvers<void>()
  const requests: TestModel['requests'] = []
  const authorizations: TestModel['authorizations'] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    // Other requests of the runtime to a model's server are not supported here.
    if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end()
    requests.push(JSON.parse(body))
    authorizations.push(request.headers.authorization)
    const turn = turns.shift() ?? { text: 'The script is at its end.' }
    if ('status' in turn)
      return void response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers }).end(turn.body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if ('hang' in turn) {
      send(response, { content: 'Thinking it over' })
      hanging.resolve()
      return
    }
    if ('call' in turn) {
      await turn.after?.()
      if (turn.text) send(response, { content: turn.text })
      const name = turn.call.replaceAll('.', '__')
      const id = `call_${requests.length}`
      send(response, { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] })
      send(response, { tool_calls: [{ index: 0, function: { arguments: JSON.stringify(turn.arguments) } }] })
      return end(response, 'tool_calls')
    }
    await turn.after?.()
    const size = Math.ceil(turn.text.length / (turn.pieces ?? 3))
    for (let at = 0; at < turn.text.length; at += size) {
      if (at === size * (turn.breakAfter ?? -1)) {
        // What was sent must arrive before the connection breaks.
        await new Promise((resolve) => response.write(': breaking\n\n', resolve))
        return void response.destroy()
      }
      send(response, { content: turn.text.slice(at, at + size) })
    }
    end(response, 'stop')
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    authorizations,
    script(...next) {
      turns.splice(0, turns.length, ...next)
      hanging = Promise.withResolvers()
    },
    hanging: () => hanging.promise,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function send(response: ServerResponse, delta: object): void {
  response.write(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
  )
}

function end(response: ServerResponse, finish_reason: string): void {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`)
  response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}
