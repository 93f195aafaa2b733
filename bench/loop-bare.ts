// The limit of the loop benchmark: call the model, read, call the tool, call the model again. Nothing is checked, and nothing is stored.
import { Agent, request } from 'node:http'
import { serveJobs } from './loop-job.ts'
import { timeNow, toolFunction } from './loop-tool.ts'

const [url = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[]
  readonly tool_call_id?: string
}

serveJobs({
  steps: async (count) => async () => {
    const messages: Message[] = [{ role: 'user', content: `bench: steps ${count}` }]
    for (;;) {
      const message = await turn(messages)
      messages.push(message)
      if (!message.tool_calls) break
      for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(timeNow()) })
    }
    if (messages.length !== 2 * count + 2) throw new Error(`${messages.length} messages were exchanged`)
  },
})

function turn(messages: readonly Message[]): Promise<Message> {
  const body = JSON.stringify({ model: 'bench', messages, tools: [{ type: 'function', function: toolFunction }], stream: true })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve(fold(text)))
    })
    call.on('error', reject).end(body)
  })
}

function fold(text: string): Message {
  let content = ''
  let tool_calls: Message['tool_calls']
  for (const line of text.split('\n\n')) {
    if (!line.startsWith('data: {')) continue
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: Partial<Message> }[] }
    content += choices[0]?.delta.content ?? ''
    tool_calls ??= choices[0]?.delta.tool_calls
  }
  return tool_calls ? { role: 'assistant', content: null, tool_calls } : { role: 'assistant', content }
}
