// A scripted model behind the real HTTP API, in a process of its own, for benchmarks. It answers immediately.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Say = { readonly call: string; readonly arguments: string; readonly id: string } | { readonly text: string }

/** Sends its address to the parent process. Requests are searched and not parsed: a long one must not cost more here than in transit. */
export function serveScript(sayTo: (body: string) => Say): void {
  const server = createServer(async (request, response) => {
    const body = await read(request)
    const say = sayTo(body)
    const events = request.url?.endsWith('/responses') ? responseEvents(say) : completionEvents(say)
    if (/"stream": ?true/.test(body)) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(say)))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }))

  // The parent process has ended: nothing else would stop this one.
  process.once('disconnect', () => process.exit(0))
}

/** How many tool results a request has. */
export function resultCount(body: string): number {
  return occurrences(body, '"role":"tool"') + occurrences(body, '"type":"function_call_output"')
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

/** Each answer has an id of its own: LangGraph replaces a message that has the same id. */
let answers = 0

function newAnswer() {
  answers += 1
  return { id: `chatcmpl-${answers}`, created: 1_790_000_000, model: 'bench' }
}

const usage = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 }

function completion(say: Say): object {
  const message = 'text' in say ? { role: 'assistant', content: say.text } : { role: 'assistant', content: null, tool_calls: [called(say)] }
  const finish_reason = 'text' in say ? 'stop' : 'tool_calls'
  return { ...newAnswer(), object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }
}

function completionEvents(say: Say): string[] {
  const about = newAnswer()
  const chunk = (choices: object[], extra: object = {}) => event({ ...about, object: 'chat.completion.chunk', choices, ...extra })
  const delta = (fields: object, finish_reason: string | null = null) => chunk([{ index: 0, delta: fields, finish_reason }])
  const said =
    'text' in say
      ? (say.text.match(/.{1,40}/gs) ?? []).map((content) => delta({ content }))
      : [delta({ tool_calls: [{ index: 0, ...called(say) }] })]
  const end = delta({}, 'text' in say ? 'stop' : 'tool_calls')
  return [delta({ role: 'assistant', content: '' }), ...said, end, chunk([], { usage }), 'data: [DONE]\n\n']
}

function called({ call, arguments: args, id }: Extract<Say, { call: string }>): object {
  return { id, type: 'function', function: { name: call, arguments: args } }
}

function responseEvents(say: Say): string[] {
  const item =
    'text' in say
      ? {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: say.text, annotations: [] }],
        }
      : { type: 'function_call', id: 'fc_1', call_id: say.id, name: say.call, arguments: say.arguments, status: 'completed' }
  const counted = { input_tokens: 1_000, input_tokens_details: null, output_tokens: 20, output_tokens_details: null, total_tokens: 1_020 }
  const typed = (type: string, fields: object) => `event: ${type}\n${event({ type, ...fields })}`
  return [
    typed('response.created', { response: { id: 'resp_1' } }),
    typed('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } }),
    typed('response.output_item.done', { output_index: 0, item }),
    typed('response.completed', { response: { id: 'resp_1', status: 'completed', output: [item], usage: counted } }),
  ]
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
