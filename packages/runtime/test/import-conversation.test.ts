// Conversations of another assistant: imported once, with their dates, readable, continued with their text, and not the user's words.
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const given = {
  source: 'chatgpt' as const,
  source_id: 'c-1',
  title: 'Bread',
  created_at: '2024-03-01T10:00:00.000Z',
  updated_at: '2024-03-01T11:00:00.000Z',
  messages: [
    { role: 'user' as const, text: 'How do I bake bread?', created_at: '2024-03-01T10:00:00.000Z' },
    { role: 'assistant' as const, text: 'With rye flour.', created_at: '2024-03-01T10:01:00.000Z' },
    { role: 'user' as const, text: 'I live in Porto.', created_at: '2024-03-01T10:02:00.000Z' },
    { role: 'assistant' as const, text: 'Good.', created_at: '2024-03-01T10:03:00.000Z' },
  ],
}

test('it is imported once, marked, with its dates, and a new run knows its text', async () => {
  agent = await startTestAgent([{ text: 'As I said.' }])
  const agent_id = await agent.agent()
  const first = await agent.call('conversation_import', { ...given, agent_id })
  expect(first.outcome).toBe('added')
  const { conversation_id } = first
  expect(await agent.call('conversation_import', { ...given, agent_id })).toEqual({ conversation_id, outcome: 'known' })
  const listed = (await agent.call('conversation_list', {})).items
  expect(listed).toHaveLength(1)
  expect(listed[0]).toMatchObject({ title: 'Bread', imported_from: 'chatgpt', created_at: given.created_at, updated_at: given.updated_at })
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.map(({ role, author, text, created_at }) => ({ role, author, text, created_at }))).toEqual(
    given.messages.map(({ role, ...message }) => ({ role, author: role === 'user' ? 'import' : 'agent', ...message })),
  )
  const no = agent.runtime.journal.conversations.get(conversation_id)?.no ?? 0
  const persons = () => agent.runtime.journal.messages.of(no, { limit: 100 }).map(({ persons_word }) => persons_word)
  expect(persons()).toEqual([false, false, false, false])

  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'And then?' })
  await agent.runtime.settled(run.run_id)
  const sent = JSON.stringify(agent.model.requests.at(-1)?.messages)
  const places = ['How do I bake bread?', 'With rye flour.', 'I live in Porto.', 'Good.', 'And then?'].map((text) => sent.indexOf(text))
  expect([places.every((place) => place > 0), places]).toEqual([true, places.toSorted((one, other) => one - other)])
  expect(persons().slice(0, 5)).toEqual([false, false, false, false, true])
  // Nothing ran when it was imported, so nothing is learned from it.
  expect(
    agent.runtime.events.list({ limit: 100 }).filter(({ conversation_id: of, run_id }) => of === conversation_id && run_id !== run.run_id),
  ).toEqual([])
})

test('what was deleted can be imported again, and the deleted one can still be restored', async () => {
  agent = await startTestAgent([])
  const { conversation_id: first } = await agent.call('conversation_import', given)
  await agent.call('conversation_delete', { conversation_ids: [first] })
  const second = await agent.call('conversation_import', given)
  expect(second.outcome).toBe('added')
  expect((await agent.call('conversation_list', {})).items.map(({ conversation_id }) => conversation_id)).toEqual([second.conversation_id])
  expect((await agent.call('message_list', { conversation_id: second.conversation_id })).items).toHaveLength(given.messages.length)
  expect(await agent.call('conversation_import', given)).toEqual({ conversation_id: second.conversation_id, outcome: 'known' })
  await agent.call('conversation_restore', { conversation_ids: [first] })
  expect((await agent.call('conversation_list', {})).items).toHaveLength(2)
})

test('a later export with more messages adds nothing, and is reported', async () => {
  agent = await startTestAgent([{ text: 'With rye.' }])
  const { conversation_id } = await agent.call('conversation_import', given)
  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'And then?' })
  await agent.runtime.settled(run.run_id)
  const { items: before } = await agent.call('message_list', { conversation_id })
  const more = { role: 'user' as const, text: 'And rolls?', created_at: '2024-03-02T10:00:00.000Z' }
  const again = (messages: typeof given.messages) => agent.call('conversation_import', { ...given, messages })
  expect(await again(given.messages)).toEqual({ conversation_id, outcome: 'known' })
  expect(await again(given.messages.slice(1))).toEqual({ conversation_id, outcome: 'known' })
  expect(await again([...given.messages, more])).toEqual({ conversation_id, outcome: 'grown' })
  expect((await agent.call('message_list', { conversation_id })).items).toEqual(before)
})

test('if it was requested, its messages are the words of the user', async () => {
  agent = await startTestAgent([])
  const { conversation_id } = await agent.call('conversation_import', { ...given, for_memory: true })
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.map(({ author }) => author)).toEqual(['person', 'agent', 'person', 'agent'])
})

test('the steps of an import are those of the contract, also if the assistant wrote first', async () => {
  agent = await startTestAgent([])
  const { conversation_id } = await agent.call('conversation_import', { ...given, source_id: 'c-2', messages: given.messages.slice(1) })
  const { items: runs } = await agent.call('agent_run_list', { conversation_id })
  const run = runs[0]
  if (!run) throw new Error('no run')
  expect(run).toMatchObject({ state: 'completed', title: 'Bread', model: 'ChatGPT (imported)', ended_at: given.updated_at })
  const { items: steps } = await agent.call('agent_run_list_steps', { run_id: run.run_id })
  expect(steps.map(({ seq, kind }) => [seq, kind])).toEqual([
    [0, 'run.started'],
    [1, 'model.completed'],
    [2, 'message.completed'],
    [3, 'message.received'],
    [4, 'model.completed'],
    [5, 'message.completed'],
    [6, 'run.completed'],
  ])
})
