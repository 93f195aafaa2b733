// What the user and the agent change in a memory stays as it was set.
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let one: TestAgent
afterEach(() => one.stop())

const turns: ScriptedTurn[] = []
const started = () => startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
const memoryOf = async (memory_id: string) => (await one.call('memory_get', { memory_id })).memory

test('a memory that never expires keeps that when it is used in a prompt and confirmed', async () => {
  one = await started()
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', { agent_id, content: 'I prefer tea.', memory_kind: 'preference' })
  await one.call('memory_edit', { memory_id: memory.id, expires_at: null })
  // The first search starts the thread of the index, and a run waits only a second for its memories.
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'tea' })).late).toBe(false)
  await one.ask(agent_id, 'What do I drink?')
  await one.call('memory_confirm', { memory_id: memory.id })
  expect(await memoryOf(memory.id)).toMatchObject({ use_count: 1, confirmed_by_user: true, expires_at: null })
})

test('a memory whose time has passed gets a new time when it is reinstated', async () => {
  one = await started()
  const agent_id = await one.agent()
  const add = (content: string) => one.call('memory_add', { agent_id, content, memory_kind: 'semantic' }).then(({ memory }) => memory.id)
  const [old] = [await add('I live in Porto.'), await add('I live in Lisbon.')]
  await one.call('memory_edit', { memory_id: old, expires_at: '2026-01-31T23:59:59.999Z' })
  await one.call('memory_reinstate', { memory_id: old })
  const { state, expires_at } = await memoryOf(old)
  expect([state, Date.parse(expires_at ?? '') > Date.now()]).toEqual(['active', true])
})

/** Lets the agent call a tool in a new run; returns the run. */
async function calling(agent_id: string, name: string, args: Record<string, unknown>) {
  turns.push({ calls: [{ name, arguments: args }] })
  const ran = await one.ask(agent_id, 'Go on, please.')
  expect(ran.results.map(({ outcome }) => outcome)).toEqual(['succeeded'])
  return ran
}

const states = async (agent_id: string) => {
  const { items } = await one.call('memory_list', { agent_id })
  return items.map(({ content, state, conflicts_with }) => `${conflicts_with.length > 0 ? 'in conflict' : state}: ${content}`).toSorted()
}

test('an update by the agent replaces its own memory; what the user said becomes a conflict', async () => {
  one = await started()
  const agent_id = await one.agent()
  await calling(agent_id, 'memory.add', { content: 'The shop has a search page.', memory_kind: 'semantic', about: 'shop' })
  const [added] = (await one.call('memory_list', { agent_id })).items
  await calling(agent_id, 'memory.update', { id: added?.id, content: 'Orders are found by their number.' })
  expect(await states(agent_id)).toEqual(['active: Orders are found by their number.', 'superseded: The shop has a search page.'])
  // By its earlier id, too.
  await calling(agent_id, 'memory.update', { id: added?.id, content: 'Customers call to find an order.' })
  expect(await states(agent_id)).toEqual([
    'active: Customers call to find an order.',
    'superseded: Orders are found by their number.',
    'superseded: The shop has a search page.',
  ])

  const { memory } = await one.call('memory_add', {
    ...{ agent_id: null, content: 'The museum opens at nine.', memory_kind: 'semantic', subject: 'entity:museum' },
  })
  const { results } = await calling(agent_id, 'memory.update', { id: memory.id, content: 'Tickets are sold online only.' })
  expect(JSON.stringify(results)).toContain('the user decides which one is right')
  expect((await states(agent_id)).filter((line) => line.startsWith('in conflict'))).toEqual([
    'in conflict: The museum opens at nine.',
    'in conflict: Tickets are sold online only.',
  ])
})

test('what an update replaced is used again when a restore undoes the update', async () => {
  one = await started()
  const agent_id = await one.agent()
  await one.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  await calling(agent_id, 'memory.add', { content: 'The shop has a search page.', memory_kind: 'semantic', about: 'shop' })
  const [added] = (await one.call('memory_list', { agent_id })).items
  turns.push(
    { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] },
    { calls: [{ name: 'memory.update', arguments: { id: added?.id, content: 'Orders are found by their number.' } }] },
  )
  const { run_id } = await one.ask(agent_id, 'Write, please.')
  expect(await states(agent_id)).toEqual(['active: Orders are found by their number.', 'superseded: The shop has a search page.'])
  const [point] = (await one.call('agent_run_list_checkpoints', { run_id })).items
  await one.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore', run_id, checkpoint_id: point?.checkpoint_id ?? '', on_conflict: 'stop' },
  })
  await expect.poll(() => states(agent_id)).toEqual(['active: The shop has a search page.', 'archived: Orders are found by their number.'])
})

test('an entity is found by its name, in any case, and by its id', async () => {
  one = await started()
  const agent_id = await one.agent()
  const add = async (subject: string, content: string) =>
    (await one.call('memory_add', { agent_id, content, memory_kind: 'relationship', subject })).memory
  const { id } = await add('entity:Ana Reis', 'Ana Reis maintains the billing service.')
  const { entities } = await one.call('memory_get_relationship_graph', { agent_id })
  const ana = entities.find(({ canonical_name }) => canonical_name === 'Ana Reis')?.id ?? ''
  const about = [await add('entity:ana reis', 'Ana likes tea.'), await add(`entity:${ana}`, 'Ana likes chess.')]
  expect(about.map(({ subject }) => subject)).toEqual(['entity:Ana Reis', 'entity:Ana Reis'])
  expect((await add('entity:Nemo', 'Nemo is a fish.')).subject).toBe('entity:Nemo')
  const edited = await one.call('memory_edit', { memory_id: id, subject: 'entity:ANA REIS' })
  expect(edited.memory.subject).toBe('entity:Ana Reis')
  const unknown = 'entity:01a00000-0000-7000-8000-000000000001'
  const params = { agent_id, content: 'It is blue.', memory_kind: 'semantic', subject: unknown } as const
  expect(await one.runtime.commands.call('memory_add', params)).toMatchObject({ ok: false, error: { code: 'invalid_params' } })
})
