// One process of a runtime that remembers: it continues what an earlier one left until all of it is done.
// usage: node --import test-memory-kill.ts test-memory-process.ts FOLDER MODEL_URL. The last line of the output is the result.
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../src/runtime.ts'
import { beginPhase, writesByPhase, writesOfMemories } from './test-memory-kill.ts'

const [folder = '', base_url = ''] = process.argv.slice(2)
const workspace = join(folder, 'workspace')
const alive = setInterval(() => undefined, 60_000)

const said = [
  'I prefer tabs over spaces in every project.',
  'We decided to use Postgres for the billing service, because it is what we know.',
  'Ana Reis maintains the billing service and expects updates via Slack.',
  'From now on I prefer spaces over tabs, tabs are history.',
  'Scrap Postgres then: the billing service uses SQLite.',
]

const runtime = openRuntime({
  home: join(folder, 'home'),
  workspace,
  environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: base_url, TANDEM_MODEL: 'test/model' },
  log: (line) => console.error(line),
})

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answered = await runtime.commands.call(name, params)
  if (!answered.ok) throw new Error(`${name}: ${answered.error.code}: ${answered.error.message}`)
  return answered.value
}

const { items: agents } = await call('agent_list', { limit: 100 })
const agent_id = (agents.find(({ agent }) => agent.name === 'Worker') ?? (await call('agent_create', { name: 'Worker' })).agent).agent_id
const { items: known } = await call('conversation_list', { agent_id, limit: 100 })
const { conversation_id } = known[0] ?? (await call('conversation_create', { agent_id, workspace })).conversation
for (const [index, text] of said.entries()) {
  const { run } = await call('agent_run_start', { conversation_id, text, key: `said:${index}` })
  // One that an earlier process left is continued.
  for (;;) {
    await runtime.settled(run.run_id)
    const { state } = (await call('agent_run_get', { run_id: run.run_id })).run
    if (state === 'completed') break
    if (state !== 'paused') throw new Error(`the run is ${state}`)
    await call('resume_agent_run', { run_id: run.run_id })
  }
}
beginPhase('review')
if ((await call('memory_list_reviews', { agent_id })).items.length === 0) await call('memory_run_heartbeat_review', { agent_id })
beginPhase('import')
await call('memory_import', { json: JSON.stringify({ format: 'tandem-memory', version: 1, memories: imported() }) })
beginPhase('after')
await flushed()
const end = await howItEnded()
await runtime.stop()
clearInterval(alive)
console.log(JSON.stringify({ end, writes: writesOfMemories(), phases: writesByPhase() }))

/** Two of them contradict each other: the later one replaces the earlier one. */
function imported() {
  const place = (at: number, city: string) => ({
    ...{ id: `01a00000-0000-7000-8000-00000000000${at}`, agent_id: null, conversation_id: null, only_in_conversation: false },
    ...{ memory_kind: 'semantic', subject: 'user', slot: null, content: `I live in ${city}.`, quotes: [], procedure: null },
    ...{ state: 'active', state_reason: null, confidence: 0.8, source_type: 'memory_flush', source_run_id: null, authority: 'person' },
    ...{ confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: [], last_used_at: null, use_count: 0, tags: [] },
    ...{ created_at: `2026-03-0${at}T10:00:00.000Z`, updated_at: `2026-03-0${at}T10:00:00.000Z`, version: 1 },
  })
  return [place(1, 'Porto'), place(2, 'Braga')]
}

/** What was said in the last run becomes memories beside it. */
async function flushed(): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { items } = await call('memory_list', { limit: 100 })
    if (items.some(({ content }) => content.includes('SQLite'))) return
    if (round > 600) throw new Error('what was said last was not remembered')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function howItEnded() {
  const { items } = await call('memory_list', { limit: 100, states: ['active', 'superseded', 'archived'] })
  const contents = new Map(items.map(({ id, content }) => [id, content]))
  const named = (ids: readonly string[]) => ids.map((id) => contents.get(id) ?? id).toSorted()
  const graph = await call('memory_get_relationship_graph', { agent_id })
  const names = new Map(graph.entities.map(({ id, canonical_name }) => [id, canonical_name]))
  return {
    memories: items
      .map(({ content, memory_kind, subject, state, state_reason, supersedes, conflicts_with, quotes }) => ({
        ...{ content, memory_kind, subject, state, state_reason, quotes: quotes.map(({ excerpt }) => excerpt).toSorted() },
        ...{ supersedes: named(supersedes), conflicts_with: named(conflicts_with) },
      }))
      .toSorted((left, right) => (left.content < right.content ? -1 : 1)),
    edges: graph.edges
      .map((edge) => `${names.get(edge.subject_entity_id)} ${edge.edge_kind} ${names.get(edge.object_entity_id)} ${edge.edge_weight}`)
      .toSorted(),
    reviews: (await call('memory_list_reviews', { agent_id })).items.length,
  }
}
