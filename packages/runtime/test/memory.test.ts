// Long-term memory in a whole runtime: what the user says in one conversation is known in the next.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent | null = null
afterEach(async () => {
  await agent?.stop()
  agent = null
})

/** The system prompt of the last request to the model. */
const lastPrompt = (one: TestAgent) => {
  const system = one.model.requests.at(-1)?.messages.find(({ role }) => role === 'system')
  return typeof system?.content === 'string' ? system.content : ''
}

async function until<Value>(look: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (let round = 0; ; round += 1) {
    const value = await look()
    if (isDone(value)) return value
    if (round > 300) throw new Error(`it did not happen: ${JSON.stringify(value).slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a preference of one conversation is in the prompt of the next, with its source, until it is forgotten', async () => {
  const one = await startTestAgent(() => ({ text: 'Fine.' }))
  agent = one
  await agent.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'background_model', value: false }] })
  const agent_id = await agent.agent()
  await agent.ask(agent_id, 'I prefer pnpm over npm for every project. Please rename the file a.txt.')
  const { items } = await until(
    () => one.call('memory_list', { agent_id }),
    ({ items: list }) => list.length > 0,
  )
  expect(items).toMatchObject([{ memory_kind: 'preference', authority: 'person', agent_id: null, state: 'active', subject: 'user' }])
  const [memory] = items
  if (!memory) throw new Error('no memory')
  expect(memory.content).toContain('pnpm')
  const details = await agent.call('memory_get', { memory_id: memory.id })
  expect(details.sources[0]?.excerpt).toContain('I prefer pnpm')
  await agent.ask(agent_id, 'Which package manager do I use?')
  expect(lastPrompt(agent)).toContain(memory.id)
  expect(lastPrompt(agent)).toContain('pnpm')
  const { remains } = await agent.call('memory_forget', { memory_id: memory.id })
  expect(remains.join(' ')).toContain('message')
  await agent.ask(agent_id, 'Which package manager do I use now?')
  expect(lastPrompt(agent)).not.toContain(memory.id)
})

test('a forgotten memory leaves no byte of its text on disk, and no other memory refers to it', async () => {
  const one = await startTestAgent(() => ({ text: 'Fine.' }))
  agent = one
  const agent_id = await one.agent()
  const add = (content: string) => one.call('memory_add', { agent_id, content, memory_kind: 'semantic' }).then(({ memory }) => memory.id)
  const old = await add('I live in Quetzaltenango.')
  const now = await add('I live in Ouagadougou.')
  await one.call('memory_search', { agent_id, query: 'where do I live' })
  expect((await one.call('memory_get', { memory_id: now })).memory.supersedes).toEqual([old])
  await one.call('memory_forget', { memory_id: old })
  await one.call('memory_search', { agent_id, query: 'where do I live' })
  expect((await one.call('memory_get', { memory_id: now })).memory.supersedes).toEqual([])
  await one.restart()
  const home = join(one.folder, 'home')
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const containing = (text: string) =>
    files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text)).map(({ name }) => name)
  expect(containing('Ouagadougou')).toContain('tandem.db')
  expect(containing('Quetzaltenango')).toEqual([])
})

test('the graph of an agent has what was added by hand, and neither what was replaced nor what stays in one conversation', async () => {
  const one = await startTestAgent(() => ({ text: 'Fine.' }))
  agent = one
  const agent_id = await one.agent()
  const edges = async () => {
    const graph = await one.call('memory_get_relationship_graph', { agent_id })
    const names = new Map(graph.entities.map(({ id, canonical_name }) => [id, canonical_name]))
    return graph.edges
      .map((edge) => `${names.get(edge.subject_entity_id)} ${edge.edge_kind} ${names.get(edge.object_entity_id)}`)
      .toSorted()
  }
  const { memory } = await one.call('memory_add', {
    ...{ agent_id, content: 'Ana Reis expects updates via Slack.', memory_kind: 'relationship' },
    subject: 'entity:Ana Reis',
  })
  expect(await edges()).toEqual(['Ana Reis expects_update_via Slack'])
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { conversation_id } = conversation
  await one.call('memory_record_user_correction', {
    ...{ agent_id, conversation_id, corrected_memory_id: memory.id },
    ...{ wrong: 'via Slack', right: 'Ana Reis expects updates via e-mail.' },
  })
  expect(await edges()).toEqual(['Ana Reis expects_update_via e-mail'])
  const { memory: secret } = await one.call('memory_add', {
    ...{ agent_id, conversation_id, content: 'Ben Holt expects updates via Signal.', memory_kind: 'relationship' },
    subject: 'entity:Ben Holt',
  })
  expect(await edges()).toContain('Ben Holt expects_update_via Signal')
  await one.call('memory_edit', { memory_id: secret.id, only_in_conversation: true })
  expect(await edges()).toEqual(['Ana Reis expects_update_via e-mail'])
  await one.call('memory_forget', { memory_id: memory.id })
  expect(await edges()).toEqual(['Ana Reis expects_update_via e-mail'])
})
