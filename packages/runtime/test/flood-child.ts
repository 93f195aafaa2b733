// A run whose command writes a gigabyte, in its own process: its cost can be measured, because nothing else happens here.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startTestAgent } from './support/test-agent.ts'

const exec = (text: string) => ({ calls: [{ name: 'shell.exec', arguments: { command: text } }] })

let file_size = -1
const agent = await startTestAgent((_index, { messages }) => {
  const last = messages.at(-1)
  const words = messages.findLast(({ role }) => role === 'user')?.content
  if (last?.role !== 'tool') return exec(words === 'Warm up' ? 'yes | head -c 20000000' : 'yes 0123456789abcdef | head -c 1000000000')
  const file = /bytes are in (\S+);/.exec(String(last.content))?.[1]
  // While the run is active, the file is at the path that the model got.
  if (file) file_size = statSync(file).size
  return { text: 'Done.' }
})
const agent_id = await agent.agent()
await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto', time_limit: { seconds: 600 } })
// What is loaded at first use is not a cost of the output.
await agent.ask(agent_id, 'Warm up')
const before = process.resourceUsage().maxRSS
const { state, results } = await agent.ask(agent_id, 'Flood')
const grown_bytes = (process.resourceUsage().maxRSS - before) * 1024
const told = String(agent.model.requests.at(-1)?.messages.at(-1)?.content)
const outputs = join(agent.folder, 'home', 'outputs')
const kept_size = Math.max(...readdirSync(outputs).map((name) => statSync(join(outputs, name)).size))
await agent.stop()
console.log(JSON.stringify({ state, output: results[0]?.output, told, file_size, kept_size, grown_bytes }))
