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
