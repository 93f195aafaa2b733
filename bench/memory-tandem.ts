// Tandem in the memory benchmark, in a process that has just started: flushes first, while it knows nothing from earlier ones.
import { type BenchMemory, benchConversations, benchMemories, benchQueries } from './memory-data.ts'
import { openMemoryDevice } from './memory-device.ts'
import { counts, type MeasuredTandem, timed } from './memory-times.ts'

const [home = '', url = '', size = '0'] = process.argv.slice(2)
const device = openMemoryDevice(home, url)
const { recall, call } = device
const agent_id = device.agents[0] ?? ''
const { limit } = counts
const all = benchMemories(Number(size), counts.adds + counts.found)
const [stored, fresh] = [all.slice(0, Number(size)), all.slice(Number(size))]
const queries = benchQueries(stored, counts.searches)
await recall.settled()

let flushed = 0
const said = benchConversations(counts.messages).map((messages) => ({
  messages,
  ...device.conversation(agent_id, '/bench/harbor-dispatch'),
}))
const flush = await timed(
  said,
  async ({ conversation_id }) => {
    flushed += (await call('memory_compact', { agent_id, conversation_id })).flushed_memory_ids.length
  },
  async ({ messages, no }) => {
    device.say(agent_id, no, messages)
    await recall.settled()
  },
)
await recall.settled()

let found = 0
const search = await timed(queries, async (query) => {
  const { semantic_recall, exact_evidence, semantic } = await call('memory_search', { agent_id, query, limit })
  if (semantic !== 'used') throw new Error(`the embedder was not used: ${semantic}`)
  found += semantic_recall.length + exact_evidence.length
})
if (found < queries.length) throw new Error(`${queries.length} searches found ${found}`)

const added = ({ memory_kind, subject, content }: BenchMemory) => call('memory_add', { agent_id, memory_kind, subject, content })
const add = await timed(fresh.slice(0, counts.adds), async (memory) => void (await added(memory)))
await recall.settled()
const addAndFind = await timed(fresh.slice(counts.adds), async (one) => {
  const { memory } = await added(one)
  const { exact_evidence } = await call('memory_search', { agent_id, query: one.content, limit })
  if (!exact_evidence.some(({ memory_id }) => memory_id === memory.id)) throw new Error(`it was not found: ${one.content}`)
})

let characters = 0
const runs = queries.slice(0, counts.prompts).map((query) => device.ask(agent_id, query))
await recall.settled()
const prompt = await timed(runs, async (run) => {
  characters += (await device.prompt(run)).length
})
if (characters < 100 * runs.length) throw new Error(`${runs.length} prompts have ${characters} characters of memories`)

await device.stop()
const measured: MeasuredTandem = { flush, search, add, addAndFind, prompt, flushed }
process.send?.(measured, () => process.exit(0))
