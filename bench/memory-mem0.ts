// The peer of the memory benchmark, in a process of its own: `mem0ai` with its own SQLite store, where it is installed already.
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type BenchConversation, type BenchMemory, benchConversations, benchMemories, benchQueries, dimension } from './memory-data.ts'
import { counts, type MeasuredPeer, timed } from './memory-times.ts'

interface Found {
  readonly results: readonly { readonly id: string; readonly memory?: string }[]
}

interface Mem0 {
  add(messages: readonly { readonly role: string; readonly content: string }[], config: unknown): Promise<Found>
  search(query: string, config: unknown): Promise<Found>
}

const [folder = '', url = '', size = '0'] = process.argv.slice(2)
const { Memory } = createRequire(join(folder, 'package.json'))('mem0ai/oss')
const openai = { apiKey: 'bench', baseURL: url, model: 'bench' }
const files = ['vectors.db', 'vectors_entities.db', 'history.db'].map((name) => join(folder, `${size}-${name}`))
const memory: Mem0 = new Memory({
  embedder: { provider: 'openai', config: { ...openai, embeddingDims: dimension } },
  llm: { provider: 'openai', config: openai },
  vectorStore: { provider: 'memory', config: { collectionName: 'bench', dimension, dbPath: files[0] } },
  historyDbPath: files[2],
})

const all = benchMemories(Number(size), counts.adds + counts.found)
const [stored, fresh] = [all.slice(0, Number(size)), all.slice(Number(size))]
const shared = 'shared'
const ownerOf = ({ agent }: BenchMemory) => (agent === null ? shared : `agent-${agent}`)
const given = (owner: string) => ({ userId: 'user', metadata: { owner } })
/** What the first agent may see, as with Tandem. */
const config = { topK: counts.limit, filters: { user_id: 'user', owner: { in: [shared, 'agent-0'] } } }
const added = async (one: BenchMemory, owner = ownerOf(one)) => {
  const { results } = await memory.add([{ role: 'user', content: one.content }], { ...given(owner), infer: false })
  return results[0]?.id
}
for (const one of stored) await added(one)
const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

const flush = await timed(benchConversations(counts.messages), async ({ messages }: BenchConversation) => {
  const roles = { person: 'user', agent: 'assistant', tool: 'tool' }
  const list = messages.map(({ author, text }) => ({ role: roles[author], content: text }))
  const { results } = await memory.add(list, given('agent-0'))
  if (results.length === 0) throw new Error('nothing was extracted')
})

let found = 0
const search = await timed(benchQueries(stored, counts.searches), async (query) => {
  found += (await memory.search(query, config)).results.length
})
if (found < counts.searches) throw new Error(`${counts.searches} searches found ${found}`)

const add = await timed(fresh.slice(0, counts.adds), async (one) => void (await added(one, 'agent-0')))
const addAndFind = await timed(fresh.slice(counts.adds), async (one) => {
  const id = await added(one, 'agent-0')
  const { results } = await memory.search(one.content, config)
  if (!results.some((hit) => hit.id === id)) throw new Error(`it was not found: ${one.content}`)
})

const measured: MeasuredPeer = { flush, search, add, addAndFind, bytes }
process.send?.(measured, () => process.exit(0))
