// The model of the loop benchmark, in its own process. It reads the job from the prompt, counts the tool results, and answers immediately.
// Requests are searched and not parsed: a long one must not cost more here than in transit.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Say = { readonly call: string; readonly arguments: string; readonly id: string } | { readonly text: string }

const sentence = 'All of it was looked at, and what was found is as it should be. '

/** The name and arguments of each subject's tool; the first one that is offered is called. */
const tools = {
  steps: [
    { name: 'time__now', arguments: {} },
    { name: 'time_now', arguments: {} },
  ],
  write: [
    { name: 'fs__write', arguments: { path: 'hello.txt', content: 'hello\n' } },
    { name: 'write', arguments: { filePath: 'hello.txt', content: 'hello\n' } },
  ],
  command: [
    { name: 'shell__exec', arguments: { command: 'echo hello > hello.txt' } },
    { name: 'exec_command', arguments: { cmd: 'echo hello > hello.txt' } },
    { name: 'shell_command', arguments: { command: 'echo hello > hello.txt' } },
    { name: 'bash', arguments: { command: 'echo hello > hello.txt', description: 'Writes hello.txt' } },
  ],
} as const

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

/** The prompt contains `bench: JOB COUNT`: this many calls of a tool, or an answer of this many characters. */
function sayTo(body: string): Say {
  const [, job = 'answer', count = '20'] = /bench: (\w+) (\d+)/.exec(body.slice(body.lastIndexOf('bench: '))) ?? []
  const made = occurrences(body, '"role":"tool"') + occurrences(body, '"type":"function_call_output"')
  const text = sentence.repeat(Math.ceil(Number(count) / sentence.length)).slice(0, Number(count))
  if (job === 'answer' || made >= Number(count)) return { text: job === 'answer' ? text : 'Done.' }
  const offered = tools[job as keyof typeof tools].find(({ name }) => body.includes(`"name":"${name}"`))
  // A request without tools is for a title.
  return offered ? { call: offered.name, arguments: JSON.stringify(offered.arguments), id: `call_${made}` } : { text: 'A title' }
}

function occurrences(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

const about = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'bench' }
const usage = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 }

function completion(say: Say): object {
  const message = 'text' in say ? { role: 'assistant', content: say.text } : { role: 'assistant', content: null, tool_calls: [called(say)] }
  const finish_reason = 'text' in say ? 'stop' : 'tool_calls'
  return { ...about, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }
}

function completionEvents(say: Say): string[] {
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
