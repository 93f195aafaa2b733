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

test('a secret is refused in whatever field it is', async () => {
  one = await started()
  const agent_id = await one.agent()
  const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const refused = { ok: false, error: { code: 'invalid_params', message: expect.stringContaining('contains a secret') } }
  const { commands } = one.runtime
  const fact = { agent_id, content: 'It is blue.', memory_kind: 'semantic' } as const
  expect(await commands.call('memory_add', { ...fact, subject: `entity:${token}` })).toMatchObject(refused)
  const { memory } = await one.call('memory_add', { ...fact, subject: 'entity:shop' })
  expect(await commands.call('memory_edit', { memory_id: memory.id, subject: `entity:${token}` })).toMatchObject(refused)
  turns.push({ calls: [{ name: 'memory.add', arguments: { content: 'The shop is open.', memory_kind: 'semantic', about: token } }] })
  const { results } = await one.ask(agent_id, 'Go on, please.')
  expect(results).toMatchObject([{ outcome: 'failed' }])
  const { json } = await one.call('memory_export', {})
  const file = JSON.parse(json)
  const [kept] = file.memories
  const others = [{ subject: `entity:${token}` }, { tags: [token] }, { slot: token }].map((fields, index) => ({
    ...kept,
    id: `01a00000-0000-7000-8000-00000000000${index}`,
    ...fields,
  }))
  const imported = await one.call('memory_import', { json: JSON.stringify({ ...file, memories: others }) })
  expect(imported).toMatchObject({ added: 0, refused: others.map(() => ({ reason: 'it contains a secret' })) })
})

test('of two memories in conflict, the agent finds the one that is used; the user finds both', async () => {
  one = await started()
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', {
    ...{ agent_id: null, content: 'The museum opens at nine.', memory_kind: 'semantic', subject: 'entity:museum' },
  })
  await calling(agent_id, 'memory.update', { id: memory.id, content: 'The museum opens at noon.' })
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'museum' })).late).toBe(false)
  const { semantic_recall } = await one.call('memory_search', { agent_id, query: 'When does the museum open?' })
  expect(semantic_recall.map(({ memory: { content }, is_used }) => [content, is_used]).toSorted()).toEqual([
    ['The museum opens at nine.', true],
    ['The museum opens at noon.', false],
  ])
  const { results } = await calling(agent_id, 'memory.search', { query: 'When does the museum open?' })
  const output = JSON.stringify(results)
  expect([output.includes('at nine'), output.includes('at noon')]).toEqual([true, false])
})

test('what has expired is not used, also before it is archived', async () => {
  one = await started()
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', { agent_id, content: 'The museum opens at nine.', memory_kind: 'semantic' })
  await one.call('memory_edit', { memory_id: memory.id, expires_at: '2026-01-31T23:59:59.999Z' })
  expect(await one.call('memory_get', { memory_id: memory.id })).toMatchObject({
    memory: { state: 'active' },
    not_used_because: 'It has expired.',
  })
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'museum' })).late).toBe(false)
  await one.ask(agent_id, 'When does the museum open?')
  expect(JSON.stringify(one.model.requests)).not.toContain('opens at nine')
  const { results } = await calling(agent_id, 'memory.search', { query: 'When does the museum open?' })
  expect(JSON.stringify(results)).not.toContain('opens at nine')
})

test('what was learned in a conversation is archived while it is not remembered, and memories are not searched there', async () => {
  one = await started()
  await one.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'background_model', value: false }] })
  const agent_id = await one.agent()
  const { run_id } = await one.ask(agent_id, 'I prefer pnpm over npm for every project.')
  await expect.poll(async () => (await states(agent_id)).length).toBe(1)
  const [learned] = (await one.call('memory_list', { agent_id })).items
  const id = one.runtime.journal.run(run_id)?.conversation_id ?? ''
  await one.call('memory_set_remembering', { kind: 'conversation', id, remember: false })
  expect(await memoryOf(learned?.id ?? '')).toMatchObject({ state: 'archived', state_reason: 'excluded' })
  await one.ask(agent_id, 'Which package manager do I prefer?')
  expect(JSON.stringify(one.model.requests.at(-1))).not.toContain('pnpm')
  await one.call('memory_set_remembering', { kind: 'conversation', id, remember: true })
  expect(await memoryOf(learned?.id ?? '')).toMatchObject({ state: 'active', state_reason: null })

  await one.call('memory_set_remembering', { kind: 'agent', id: agent_id, remember: false })
  turns.push({ calls: [{ name: 'memory.search', arguments: { query: 'package manager' } }] })
  const { results } = await one.ask(agent_id, 'Search, please.')
  expect([results.map(({ outcome }) => outcome), JSON.stringify(results).includes('pnpm')]).toEqual([['failed'], false])
})

test('an agent with preferences of its own shares none, however they were learned', async () => {
  one = await started()
  const [agent_id, other] = [await one.agent(), await one.agent()]
  const own = { section: 'memory', setting: 'own_preferences', value: [agent_id] }
  await one.call('runtime_set_settings', { sections: [own, { section: 'memory', setting: 'background_model', value: false }] })
  const corrected = async (who: string) => {
    const right = 'I prefer tea.'
    return (await one.call('memory_record_user_correction', { agent_id: who, wrong: 'coffee', right, memory_kind: 'preference' })).memory
  }
  expect([(await corrected(agent_id)).agent_id, (await corrected(other)).agent_id]).toEqual([agent_id, null])
  await one.ask(agent_id, 'I prefer pnpm over npm for every project.')
  await expect
    .poll(async () => (await one.call('memory_list', { words: ['pnpm'] })).items.map((memory) => memory.agent_id))
    .toEqual([agent_id])
})

test('"forget everything about me" includes what names the user as an entity', async () => {
  one = await started()
  const agent_id = await one.agent()
  const add = (subject: string, content: string) => one.call('memory_add', { agent_id, content, memory_kind: 'relationship', subject })
  await add('user', 'My name is Ana Reis.')
  await add('entity:Ana Reis', 'Ana Reis lives in Porto.')
  await add('entity:Ben Holt', 'Ben Holt lives in Faro.')
  expect((await one.call('memory_forget_user', {})).memories).toBe(2)
  expect(await states(agent_id)).toEqual(['active: Ben Holt lives in Faro.'])
})

test('a memory whose kind changes is kept as long as its new kind, unless the user chose the date', async () => {
  one = await started()
  const agent_id = await one.agent()
  const add = (memory_kind: 'episodic' | 'decision') =>
    one.call('memory_add', { agent_id, content: `The museum opens at nine (${memory_kind}).`, memory_kind }).then(({ memory }) => memory)
  const [event, decision, chosen] = [await add('episodic'), await add('decision'), await add('episodic')]
  const edited = (memory_id: string, fields: object) =>
    one.call('memory_edit', { memory_id, ...fields }).then(({ memory }) => memory.expires_at)
  // Exactly as long, from when it was made.
  const lasts = (expires_at: string | null, { created_at }: typeof event) => Date.parse(String(expires_at)) - Date.parse(created_at)
  const changed = await edited(event.id, { memory_kind: 'decision' })
  expect(lasts(changed, event)).toBe(lasts(decision.expires_at, decision))
  expect(lasts(changed, event)).toBeGreaterThan(lasts(event.expires_at, event))
  const date = '2027-01-31T23:59:59.999Z'
  await edited(chosen.id, { expires_at: date })
  expect(await edited(chosen.id, { memory_kind: 'decision' })).toBe(date)
})

test('a memory that the agent deletes or that expires is in conflict with nothing', async () => {
  one = await started()
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', {
    ...{ agent_id: null, content: 'The museum opens at nine.', memory_kind: 'semantic', subject: 'entity:museum' },
  })
  await calling(agent_id, 'memory.update', { id: memory.id, content: 'The museum opens at noon.' })
  const [other = ''] = (await memoryOf(memory.id)).conflicts_with
  expect(other).not.toBe('')
  await calling(agent_id, 'memory.delete', { id: other })
  expect([(await memoryOf(other)).state, (await memoryOf(memory.id)).conflicts_with]).toEqual(['archived', []])
})

test('a search of the agent counts as use, and a conclusion of an agent is no relationship', async () => {
  one = await started()
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', { agent_id, content: 'The museum opens at nine.', memory_kind: 'semantic' })
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'museum' })).late).toBe(false)
  await one.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'use_in_runs', value: false }] })
  await calling(agent_id, 'memory.search', { query: 'museum' })
  expect(await memoryOf(memory.id)).toMatchObject({ use_count: 1, last_used_at: expect.any(String) })
  const conclusion = { content: 'Anna keeps the keys of the museum.', memory_kind: 'relationship', about: 'Anna' }
  await calling(agent_id, 'memory.add', conclusion)
  await calling(agent_id, 'memory.add', conclusion)
  const list = (await one.call('memory_list', { agent_id, states: ['active'] })).items.filter(({ subject }) => subject === 'entity:Anna')
  expect(list.map(({ memory_kind, content }) => [memory_kind, content])).toEqual([['semantic', conclusion.content]])
})
