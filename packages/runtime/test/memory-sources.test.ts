// Where memories come from, and where they end: what the user says at any time is read, and nothing else becomes a memory.
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import type { Script, ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })
const wait = { timeout: 60_000 }

let one: TestAgent
let script: Script
afterEach(() => one.stop())

async function started(): Promise<string> {
  script = () => ({ text: 'Fine.' })
  one = await startTestAgent((index, request) => script(index, request))
  return await one.agent()
}

const add = (agent_id: string, content: string) =>
  one.call('memory_add', { agent_id, content, memory_kind: 'semantic' }).then(({ memory }) => memory.id)
const stateOf = (memory_id: string) => one.call('memory_get', { memory_id }).then(({ memory }) => memory.state)

test('what the user writes while a run is open is remembered, too', async () => {
  const agent_id = await started()
  const { promise, resolve } = Promise.withResolvers<void>()
  script = (index): ScriptedTurn => (index === 0 ? { text: 'Renamed.', hold: promise } : { text: 'Fine.' })
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { run } = await one.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Rename the file a.txt.' })
  const { message_id } = await one.call('agent_run_add_message', {
    run_id: run.run_id,
    text: 'I prefer pnpm over npm for every project.',
  })
  resolve()
  const list = async () => (await one.call('memory_list', { agent_id })).items
  await expect.poll(list, wait).toMatchObject([{ memory_kind: 'preference', authority: 'person', quotes: [{ message_id }] }])
})

/** Lets the agent call a tool in a new run; returns what it got. */
async function calling(agent_id: string, name: string, args: Record<string, unknown>, said = 'Go on, please.') {
  const turns: ScriptedTurn[] = [{ calls: [{ name, arguments: args }] }]
  script = () => turns.shift() ?? { text: 'Fine.' }
  const { results } = await one.ask(agent_id, said)
  const [result] = results
  return { outcome: result?.outcome, text: JSON.stringify(result) }
}

async function indexed(agent_id: string): Promise<void> {
  await expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'anything' })).late, wait).toBe(false)
}

test('what was recalled does not become another memory', async () => {
  const agent_id = await started()
  await add(agent_id, 'The janitor looks after the parrots in the hall.')
  await indexed(agent_id)
  const again = { content: 'The janitor looks after the parrots in the hall.', memory_kind: 'semantic', about: 'parrots' }
  const { outcome, text } = await calling(agent_id, 'memory.add', again, 'Who looks after the parrots in the hall?')
  expect([outcome, text]).toEqual(['failed', expect.stringContaining('it repeats what you remember already')])
  expect((await one.call('memory_list', {})).items).toHaveLength(1)
  expect((await one.call('memory_status', {})).dropped).toEqual([{ reason: 'recalled', count: 1 }])
})

test('a conclusion about the user is refused, however the agent names the user', async () => {
  const agent_id = await started()
  for (const about of ['User', 'the user']) {
    const { text } = await calling(agent_id, 'memory.add', { content: 'They fear spiders.', memory_kind: 'semantic', about })
    expect(text).toContain('facts about the user are remembered only if the user states them')
  }
})

test('of a memory that applies only in its conversation, the agent finds the words of the message only there', async () => {
  const agent_id = await started()
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { conversation_id } = conversation
  const { run } = await one.call('agent_run_start', { conversation_id, text: 'I prefer pnpm over npm for every project.' })
  await one.runtime.settled(run.run_id)
  const list = async () => (await one.call('memory_list', { agent_id })).items
  await expect.poll(list, wait).toHaveLength(1)
  await indexed(agent_id)
  const search = { query: 'pnpm npm project' }
  expect((await calling(agent_id, 'memory.search', search)).text).toContain('every project')
  await one.call('memory_edit', { memory_id: (await list())[0]?.id ?? '', only_in_conversation: true })
  expect((await calling(agent_id, 'memory.search', search)).text).not.toContain('every project')
  // The user searches everything that they said.
  const { exact_evidence } = await one.call('memory_search', { agent_id, ...search })
  expect(exact_evidence.map(({ evidence }) => evidence.source)).toContain('message')
  script = (_, { messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Found.' } : { calls: [{ name: 'memory.search', arguments: search }] }
  const { run: here } = await one.call('agent_run_start', { conversation_id, text: 'Which one was it?' })
  await one.runtime.settled(here.run_id)
  const found = one.runtime.journal.steps(here.run_id).filter(({ step }) => step.kind === 'tool.result')
  expect(JSON.stringify(found)).toContain('"source":"message"')
})

test('of what the user restricted to a conversation by hand, the messages that say it are found only there', async () => {
  const agent_id = await started()
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { conversation_id } = conversation
  const { run } = await one.call('agent_run_start', { conversation_id, text: 'Can you draw how the gate of the mill is painted teal?' })
  await one.runtime.settled(run.run_id)
  const content = 'The gate of the mill is painted teal.'
  await one.call('memory_add', { agent_id, content, memory_kind: 'semantic', conversation_id, only_in_conversation: true })
  await indexed(agent_id)
  expect((await calling(agent_id, 'memory.search', { query: 'gate mill painted' })).text).not.toContain('teal')
  expect(JSON.stringify(await one.call('memory_search', { agent_id, query: 'gate mill painted' }))).toContain('teal')
})

test('what was copied from a forgotten message is erased, and a search that found it is named', async () => {
  const agent_id = await started()
  const said = 'I prefer pnpm over npm for every project.'
  const { run_id } = await one.ask(agent_id, said)
  const list = async () => (await one.call('memory_list', { agent_id })).items
  await expect.poll(list, wait).toHaveLength(1)
  const [memory] = await list()
  await indexed(agent_id)
  await calling(agent_id, 'memory.search', { query: 'pnpm npm project' })
  const database = new DatabaseSync(`${one.runtime.home}/tandem.db`, { enableForeignKeyConstraints: false })
  const message_id = memory?.quotes[0]?.message_id ?? ''
  const add =
    database.prepare(`INSERT INTO runtime_memory_writeback_candidates (id, run_id, agent_id, conversation_id, reflection_id, memory_kind,
    content, confidence, state, created_at, updated_at) VALUES (?, ?, ?, 'c', ?, 'semantic', ?, 1, 'pending', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`)
  add.run('w-1', run_id, agent_id, 'r-1', said)
  add.run('w-2', run_id, agent_id, 'r-2', 'Write the tests before the code.')
  database
    .prepare("INSERT INTO evolution_sayings (run, what, text, message_id, asks, forbids) VALUES (1, 'demand', ?, ?, 1, 0)")
    .run(said, message_id)
  const { remains } = await one.call('memory_forget', { memory_id: memory?.id ?? '' })
  expect(remains).toContain('The result of a search in which an agent found it stays in the history of its run.')
  const candidates = database.prepare('SELECT id FROM runtime_memory_writeback_candidates').all()
  const sayings = database.prepare('SELECT text FROM evolution_sayings').all()
  database.close()
  expect([candidates.map(({ id }) => id), sayings]).toEqual([['w-2'], []])
})

test('a correction replaces the memory that states what is wrong; without a text it changes nothing', async () => {
  const agent_id = await started()
  const wrong = 'The intern doesn’t feed the two parrots on Mondays.'
  const memory_id = await add(agent_id, wrong)
  const blank = { agent_id, corrected_memory_id: memory_id, wrong, right: ' \n' }
  expect(await one.runtime.commands.call('memory_record_user_correction', blank)).toMatchObject({
    ok: false,
    error: { code: 'invalid_params' },
  })
  expect(await stateOf(memory_id)).toBe('active')
  const { correction, resolution } = await one.call('memory_record_user_correction', {
    agent_id,
    wrong: "the intern doesn't feed the two parrots on mondays",
    right: 'The janitor looks after the birds.',
  })
  expect([correction.corrected_memory_id, resolution.superseded]).toEqual([memory_id, [memory_id]])
  expect(await stateOf(memory_id)).toBe('superseded')
})

test('what the agent keeps of a message is not kept a second time when the run ends', async () => {
  const agent_id = await started()
  const kept = { content: 'The user prefers bullet lists to long paragraphs.', memory_kind: 'preference' }
  await calling(agent_id, 'memory.add', kept, 'I prefer bullet lists over long paragraphs in every report.')
  const counted = async () => (await one.call('memory_status', {})).dropped
  await expect.poll(counted, wait).toEqual([{ reason: 'recalled', count: 1 }])
  expect((await one.call('memory_list', { agent_id })).items.map(({ content }) => content)).toEqual([kept.content])
})

test('a change that the user states replaces the old memory, and what the agent kept of the same words', async () => {
  const agent_id = await started()
  await one.ask(agent_id, 'I keep my notes in Notion.')
  const listed = async () =>
    (await one.call('memory_list', { agent_id })).items.map(({ content, state }) => `${state}: ${content}`).toSorted()
  await expect.poll(listed, wait).toEqual(['active: I keep my notes in Notion.'])
  const kept = { content: 'The user keeps notes in Obsidian.', memory_kind: 'preference' }
  await calling(agent_id, 'memory.add', kept, 'I no longer use Notion, I keep my notes in Obsidian now.')
  await expect
    .poll(listed, { timeout: 5_000 })
    .toEqual([
      'active: I no longer use Notion, I keep my notes in Obsidian now.',
      'superseded: I keep my notes in Notion.',
      'superseded: The user keeps notes in Obsidian.',
    ])
})

test('a memory of the agent that says more than a sentence of the user stays', async () => {
  const agent_id = await started()
  const kept = { content: 'The user drinks oat milk lattes in the morning without sugar.', memory_kind: 'preference' }
  const { outcome } = await calling(agent_id, 'memory.add', kept, 'I prefer oat milk lattes in the morning. Never with sugar.')
  expect(outcome).toBe('succeeded')
  await one.call('memory_run_heartbeat_review', { agent_id })
  const { items } = await one.call('memory_list', { agent_id, states: ['active'] })
  expect(items.map(({ content }) => content)).toContain(kept.content)
})

test('what the user told the agent about itself is in its prompts once, with its id, and counts as used', async () => {
  const agent_id = await started()
  const params = { agent_id, content: 'Always answer in French.', memory_kind: 'semantic', subject: 'agent' } as const
  const { id } = (await one.call('memory_add', params)).memory
  await indexed(agent_id)
  const { run_id } = await one.ask(agent_id, 'Add two and three.')
  const prompt = String(one.model.requests.at(-1)?.messages.find(({ role }) => role === 'system')?.content)
  expect(prompt.split('\n').filter((line) => line.includes(params.content))).toEqual([expect.stringContaining(`- [${id}] (how you work, `)])
  expect((await one.call('memory_of_run', { run_id })).items.map(({ memory_id }) => memory_id)).toEqual([id])
})

test('"forget everything about me" names what stays in the profile', async () => {
  const agent_id = await started()
  const at = (minute: number) => new Date(Date.UTC(2024, 2, 1, 9, minute)).toISOString()
  const messages = Array.from({ length: 30 }, (_, minute) => ({ role: 'user' as const, text: 'Go on.', created_at: at(minute) }))
  await one.call('conversation_import', {
    ...{ agent_id, source: 'chatgpt', source_id: 'c-1', title: 'Bread', created_at: at(0), updated_at: at(29), for_memory: true, messages },
  })
  expect((await one.call('memory_get_user_model', { agent_id })).user_model.cadence_profile.signals).toHaveLength(1)
  const { remains } = await one.call('memory_forget_user', {})
  expect(remains).toContainEqual(expect.stringContaining('The hours at which you usually write stay'))
})
