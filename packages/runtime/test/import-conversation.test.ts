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

  const { run } = await agent.call('agent_run_start', { conversation_id, workspace: agent.workspace, text: 'And then?' })
  await agent.runtime.settled(run.run_id)
  const sent = JSON.stringify(agent.model.requests.at(-1)?.messages)
  const places = ['How do I bake bread?', 'With rye flour.', 'I live in Porto.', 'Good.', 'And then?'].map((text) => sent.indexOf(text))
  expect([places.every((place) => place > 0), places]).toEqual([true, places.toSorted((one, other) => one - other)])
  expect(persons().slice(0, 5)).toEqual([false, false, false, false, true])
  // Nothing ran when it was imported, so nothing is learned from it. Windows list it at once; importing it again changed nothing.
  const others = agent.runtime.events
    .list({ limit: 100 })
    .filter((one) => one.conversation_id === conversation_id && one.run_id !== run.run_id)
  expect(others.map(({ event, data }) => [event, data])).toEqual([['conversation_changed', { change: 'imported' }]])
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

const more = { role: 'user' as const, text: 'And rolls?', created_at: '2024-03-02T10:00:00.000Z' }
const last = { role: 'assistant' as const, text: 'Bake them shorter.', created_at: '2024-03-02T10:01:00.000Z' }
const later = { ...given, updated_at: '2024-03-02T10:01:00.000Z', messages: [...given.messages, more, last] }
const textsOf = async (conversation_id: string) => (await agent.call('message_list', { conversation_id })).items.map(({ text }) => text)
const listed = async () => (await agent.call('conversation_list', {})).items

test('the newer messages of a later export are added to the conversation, once, with their dates', async () => {
  agent = await startTestAgent([{ text: 'As I said.' }])
  const { conversation_id } = await agent.call('conversation_import', given)
  expect(await agent.call('conversation_import', later)).toEqual({ conversation_id, outcome: 'grown' })
  for (const again of [later, given, { ...given, messages: given.messages.slice(1) }]) {
    expect(await agent.call('conversation_import', again)).toEqual({ conversation_id, outcome: 'known' })
  }
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.map(({ text, created_at }) => ({ text, created_at }))).toEqual(
    later.messages.map(({ text, created_at }) => ({ text, created_at })),
  )
  expect(items.at(-2)?.author).toBe('import')
  expect(await listed()).toMatchObject([{ title: 'Bread', created_at: given.created_at, updated_at: later.updated_at }])
  // Both parts are the history of a new run.
  const { run } = await agent.call('agent_run_start', { conversation_id, workspace: agent.workspace, text: 'And then?' })
  await agent.runtime.settled(run.run_id)
  const sent = JSON.stringify(agent.model.requests.at(-1)?.messages)
  const places = [...later.messages.map(({ text }) => text), 'And then?'].map((text) => sent.indexOf(text))
  expect([places.every((place) => place > 0), places]).toEqual([true, places.toSorted((one, other) => one - other)])
})

test('if the user continued the conversation, a later export becomes one of its own that says so, and it grows further', async () => {
  agent = await startTestAgent([{ text: 'With rye.' }])
  const { conversation_id } = await agent.call('conversation_import', given)
  const { run } = await agent.call('agent_run_start', { conversation_id, workspace: agent.workspace, text: 'And then?' })
  await agent.runtime.settled(run.run_id)
  const before = await textsOf(conversation_id)
  expect(await agent.call('conversation_import', given)).toEqual({ conversation_id, outcome: 'known' })
  const copy = await agent.call('conversation_import', later)
  expect(copy.outcome).toBe('copied')
  expect(await agent.call('conversation_import', later)).toEqual({ ...copy, outcome: 'known' })
  expect(await agent.call('conversation_import', given)).toEqual({ conversation_id, outcome: 'known' })
  const latest = { ...later, messages: [...later.messages, { ...more, text: 'Thanks.' }] }
  expect(await agent.call('conversation_import', latest)).toEqual({ ...copy, outcome: 'grown' })
  expect(await textsOf(conversation_id)).toEqual(before)
  expect(await textsOf(copy.conversation_id)).toEqual(latest.messages.map(({ text }) => text))
  expect((await listed()).map(({ title }) => title).toSorted()).toEqual(['Bread', 'Bread (newer export)'])
})

test('of a later export with other branches, only what is new is imported, whichever branch is the current one', async () => {
  agent = await startTestAgent([])
  const path = (leaf_id: string, ...texts: readonly string[]) => ({
    ...{ ...given, leaf_id },
    messages: texts.map((text, index) => ({ ...more, role: index % 2 === 0 ? ('user' as const) : ('assistant' as const), text })),
  })
  const first = await agent.call('conversation_import', path('a1', 'Bread?', 'Rye.'))
  const second = await agent.call('conversation_import', path('b1', 'Bread?', 'Wheat.'))
  // The second one has grown, and has a further branch; the first one is not the current one any more.
  const outcomes = []
  const newer = [path('b3', 'Bread?', 'Wheat.', 'Why?', 'So.'), path('a1', 'Bread?', 'Rye.'), path('b2', 'Bread?', 'Wheat.', 'When?')]
  for (const one of [...newer, ...newer.toReversed()]) outcomes.push(await agent.call('conversation_import', one))
  const third = outcomes[2]?.conversation_id
  expect(outcomes).toEqual([
    { conversation_id: second.conversation_id, outcome: 'grown' },
    { conversation_id: first.conversation_id, outcome: 'known' },
    { conversation_id: third, outcome: 'added' },
    { conversation_id: third, outcome: 'known' },
    { conversation_id: first.conversation_id, outcome: 'known' },
    { conversation_id: second.conversation_id, outcome: 'known' },
  ])
  const all = await Promise.all((await listed()).map(({ conversation_id }) => textsOf(conversation_id)))
  expect(all.map((texts) => texts.join(' ')).toSorted()).toEqual(['Bread? Rye.', 'Bread? Wheat. When?', 'Bread? Wheat. Why? So.'])
})

test('what an earlier Tandem imported, whose paths it did not record, is recognized by its text, however long', async () => {
  agent = await startTestAgent([])
  const long = { ...given, messages: [...given.messages, { ...last, text: 'x'.repeat(100_000) }] }
  const { conversation_id } = await agent.call('conversation_import', long)
  for (let round = 0; round < 2; round += 1) {
    expect(await agent.call('conversation_import', { ...long, leaf_id: 'n5' })).toEqual({ conversation_id, outcome: 'known' })
  }
  const grown = { ...long, leaf_id: 'n6', messages: [...long.messages, more] }
  expect(await agent.call('conversation_import', grown)).toEqual({ conversation_id, outcome: 'grown' })
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
