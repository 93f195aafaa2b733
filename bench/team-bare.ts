// The limit of the team benchmark: the three requests of a delegation, one after the other. Nothing is checked, and nothing is stored.
import { Agent, request } from 'node:http'
import { leadPrompt, memberTask, serveTeams } from './team-job.ts'

const [url = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const tools = [
  { type: 'function', function: { name: 'delegate', parameters: { type: 'object', properties: { input: { type: 'string' } } } } },
]
const lead = { role: 'user', content: leadPrompt('delegate') }

interface ReceivedMessage {
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string }[]
}

serveTeams({
  async delegate() {
    const asked = await turn([lead])
    const { content } = await turn([{ role: 'user', content: memberTask(0) }])
    const result = { role: 'tool', tool_call_id: asked.tool_calls?.[0]?.id, content }
    const { content: said } = await turn([lead, { role: 'assistant', ...asked }, result])
    if (asked.tool_calls?.length !== 1 || content !== 'Done.' || said !== 'Done.') throw new Error('the model did not delegate')
  },
})

function turn(messages: readonly object[]): Promise<ReceivedMessage> {
  const body = JSON.stringify({ model: 'bench', messages, tools })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve(JSON.parse(text).choices[0].message))
    })
    call.on('error', reject).end(body)
  })
}
