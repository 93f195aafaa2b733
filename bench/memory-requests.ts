// A month with a whole runtime and no model in the background, then requests in new conversations: does the prompt contain what a right answer
// needs? Prints figures only. `node bench/memory-requests.ts tuning|tuning-2|held-out|fourth|fifth|sixth [--show]`; of the
// fifth and the sixth, only figures are printed.
import { startTestAgent } from '../packages/runtime/test/support/test-agent.ts'
import { loadMonth, unreadMonths } from './memory-month-data.ts'

const [half = 'tuning', show] = process.argv.slice(2)
const month = loadMonth(half)
const here = await startTestAgent(() => ({ text: 'OK.' }))
const agents = new Map<string, string>()
const conversations = new Map<string, string>()
const known = async (name: string) => {
  const agent_id = agents.get(name) ?? (await here.call('agent_create', { name })).agent.agent_id
  agents.set(name, agent_id)
  return agent_id
}
let asked = 0
for (const message of month.messages.filter(({ author }) => author === 'person')) {
  const agent_id = await known(message.agent)
  const conversation_id =
    conversations.get(message.conversation) ??
    (await here.call('conversation_create', { agent_id, workspace: here.workspace })).conversation.conversation_id
  conversations.set(message.conversation, conversation_id)
  const { run } = await here.call('agent_run_start', { conversation_id, text: message.text })
  await here.runtime.settled(run.run_id)
  asked += 1
}
for (const agent_id of agents.values()) await here.call('memory_run_heartbeat_review', { agent_id })
const status = await here.call('memory_status', {})
let [right, without, old, stated, tokens] = [0, 0, 0, 0, 0]
const { requests } = month
for (const { id, agent, request, right: wanted, wrong } of requests) {
  const agent_id = await known(agent)
  await here.call('memory_search', { agent_id, query: request })
  await here.ask(agent_id, request)
  const prompt = String(here.model.requests.at(-1)?.messages[0]?.content ?? '')
  const lines = prompt
    .toLowerCase()
    .split('\n')
    .filter((line) => line.startsWith('- ['))
  const section = lines.join('\n')
  const has = (words: string, text: string) => words.split('|').some((word) => text.includes(word.toLowerCase()))
  const isRight = wanted.every((words) => has(words, section))
  const isOld = wrong.some((words) => has(words, section))
  // "Wednesdays now, Mondays were too early" says itself which one is old.
  const isStated = wrong.some((words) => lines.some((line) => has(words, line) && !wanted.some((right) => has(right, line))))
  if (isRight) right += 1
  if (wanted.every((words) => has(words, request.toLowerCase()))) without += 1
  if (isOld) old += 1
  if (isStated) stated += 1
  tokens = Math.max(tokens, Math.ceil(section.length / 4))
  if (show === '--show' && !unreadMonths.includes(half) && (!isRight || isOld)) console.log(id, isRight, isOld, request, wanted, wrong)
}
console.log(`${half}: ${asked} messages, ${JSON.stringify(status.memories)}`)
console.log(`${right} of ${requests.length} prompts have what a right answer needs, ${without} without memory`)
console.log(`${old} prompts contain an old value, ${stated} of them in a note without the new one; at most ${tokens} tokens of memories`)
await here.stop()
process.exit(0)
