// Long-term memory in a whole runtime: what the user says in one conversation is known in the next.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
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

/** The first search starts the thread of the index, and a run waits only a second for its memories. */
async function indexed(one: TestAgent, agent_id: string): Promise<void> {
  await until(
    () => one.call('memory_search', { agent_id, query: 'anything' }),
    ({ late }) => !late,
  )
}

/** The run continues with its next turn. */
async function answerQuestion(one: TestAgent, run_id: string): Promise<void> {
  const [pending] = (await one.call('question_list', { run_id })).items
  const question_id = pending?.question.question_id ?? ''
  await one.call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: [], text: 'Yes.' } } })
  await one.runtime.settled(run_id)
}

test('without agents, there is no profile of the user', async () => {
  agent = await startTestAgent([])
  expect(await agent.runtime.commands.call('memory_get_user_model', {})).toMatchObject({
    ok: false,
    error: { code: 'not_found', message: 'there are no agents yet' },
  })
})

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
  // Wherever words of the message are shown, it can be opened.
  const { conversation_id } = memory
  expect(memory.quotes).toMatchObject([{ conversation_id }])
  const { exact_evidence } = await agent.call('memory_search', { agent_id, query: 'pnpm' })
  expect(exact_evidence.map(({ evidence }) => evidence).filter(({ source }) => source === 'message')).toMatchObject([{ conversation_id }])
  const { user_model } = await agent.call('memory_get_user_model', { agent_id })
  const evidence = user_model.preference_signals.flatMap((signal) => signal.evidence)
  expect(evidence.filter(({ source }) => source === 'message')).toMatchObject([{ conversation_id }])
  await indexed(one, agent_id)
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
  await one.call('memory_add', { agent_id, content: 'Never write to Popocatepetl.', memory_kind: 'semantic', subject: 'agent' })
  // Both profiles of a conversation are written when it is created.
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { conversation_id } = conversation
  const profiles = () => {
    const database = new DatabaseSync(`${one.runtime.home}/tandem.db`, { readOnly: true })
    const list = database.prepare('SELECT conversation_id FROM agent_identity_profiles WHERE conversation_id IS NOT NULL').all()
    database.close()
    return list
  }
  await expect.poll(profiles).toEqual([{ conversation_id }])
  const { identity_profile } = await one.call('memory_get_identity_profile', { agent_id, conversation_id })
  expect(identity_profile.boundaries).toContain('Never write to Popocatepetl.')
  const now = await add('I live in Ouagadougou.')
  await one.call('memory_search', { agent_id, query: 'where do I live' })
  expect((await one.call('memory_get', { memory_id: now })).memory.supersedes).toEqual([old])
  await one.call('memory_forget', { memory_id: old })
  const [rule] = (await one.call('memory_list', { words: ['Popocatepetl'] })).items
  await one.call('memory_forget', { memory_id: rule?.id ?? '' })
  await one.call('memory_search', { agent_id, query: 'where do I live' })
  expect((await one.call('memory_get', { memory_id: now })).memory.supersedes).toEqual([])
  await one.restart()
  const home = join(one.folder, 'home')
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const containing = (text: string) =>
    files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text)).map(({ name }) => name)
  expect(containing('Ouagadougou')).toContain('tandem.db')
  expect(containing('Quetzaltenango')).toEqual([])
  expect(containing('Popocatepetl')).toEqual([])
})

test('what states the same is forgotten together; what belongs to others is named', async () => {
  const one = await startTestAgent(() => ({ text: 'Fine.' }))
  agent = one
  const [agent_id, other] = [await one.agent(), await one.agent()]
  const add = (owner: string, content: string) =>
    one.call('memory_add', { agent_id: owner, content, memory_kind: 'semantic' }).then(({ memory }) => memory.id)
  const first = await add(agent_id, 'I live in Quetzaltenango.')
  const merged = await add(agent_id, 'I live in Quetzaltenango!')
  const elsewhere = await add(other, 'I live in Quetzaltenango.')
  const edited = await add(agent_id, 'I was born in Porto.')
  expect((await one.call('memory_get', { memory_id: merged })).memory).toMatchObject({ state: 'superseded', state_reason: 'merged' })
  const forgotten = await one.call('memory_forget', { memory_id: merged })
  expect(forgotten.memories).toBe(2)
  expect(forgotten.remains[0]).toContain(elsewhere)
  const { items } = await one.call('memory_list', { limit: 50 })
  expect(items.map(({ id }) => id).toSorted()).toEqual([elsewhere, edited].toSorted())
  expect(items.map(({ id }) => id)).not.toContain(first)
  expect((await one.call('memory_forget', { memory_id: elsewhere })).remains).toHaveLength(1)
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
  expect(await edges()).toEqual(['Ana Reis expects_update_via email'])
  const { memory: secret } = await one.call('memory_add', {
    ...{ agent_id, conversation_id, content: 'Ben Holt expects updates via Signal.', memory_kind: 'relationship' },
    subject: 'entity:Ben Holt',
  })
  expect(await edges()).toContain('Ben Holt expects_update_via Signal')
  await one.call('memory_edit', { memory_id: secret.id, only_in_conversation: true })
  expect(await edges()).toEqual(['Ana Reis expects_update_via email'])
  await one.call('memory_forget', { memory_id: memory.id })
  expect(await edges()).toEqual(['Ana Reis expects_update_via email'])
})

test('a run names the memories of its prompt, and what has become of each', async () => {
  const turns: ScriptedTurn[] = []
  const one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
  agent = one
  const agent_id = await one.agent()
  const add = (content: string, memory_kind: 'preference' | 'semantic' = 'preference') =>
    one.call('memory_add', { agent_id, content, memory_kind }).then(({ memory }) => memory.id)
  const kept = await add('I prefer tabs over spaces.')
  const wrong = await add('I prefer tea in the morning.')
  const edited = await add('I prefer British spelling.')
  const archived = await add('I prefer trains over planes.')
  const gone = await add('I prefer Xanadu for the holidays.')
  const unrelated = await add('The printer is on floor two.', 'semantic')
  await indexed(one, agent_id)
  const { run_id } = await one.ask(agent_id, 'What do I prefer?')
  const before = await one.call('memory_of_run', { run_id })
  expect(before.items.map(({ memory_id, version, fate, memory }) => [memory_id, version, fate, memory?.id]).sort()).toEqual(
    [kept, wrong, edited, archived, gone].sort().map((id) => [id, 1, 'active', id]),
  )
  const called = one.runtime.journal.steps(run_id).find(({ step }) => step.kind === 'model.called')
  expect(called?.here.memories).toEqual({
    items: before.items.map(({ memory_id, version }) => ({ id: memory_id, version })),
    tokens: before.tokens,
  })
  expect(JSON.stringify(called?.step)).not.toContain(kept)
  expect((await one.call('agent_run_get', { run_id })).run.memories_used).toBe(5)

  const right = await one.call('memory_record_user_correction', {
    ...{ agent_id, run_id, corrected_memory_id: wrong, wrong: 'tea', right: 'I prefer coffee in the morning.' },
  })
  await one.call('memory_edit', { memory_id: edited, content: 'I prefer American spelling.' })
  await one.call('memory_forget', { memory_id: gone })
  turns.push({ calls: [{ name: 'memory.delete', arguments: { id: archived } }] })
  await one.ask(agent_id, 'Archive what you know about trains.')
  const after = await one.call('memory_of_run', { run_id })
  expect(new Map(after.items.map(({ memory_id, version, fate, memory }) => [memory_id, [version, fate, memory?.content ?? null]]))).toEqual(
    new Map([
      [kept, [1, 'active', 'I prefer tabs over spaces.']],
      [wrong, [1, 'corrected', 'I prefer coffee in the morning.']],
      [edited, [1, 'corrected', 'I prefer American spelling.']],
      [archived, [1, 'archived', 'I prefer trains over planes.']],
      [gone, [1, 'forgotten', null]],
    ]),
  )
  expect(JSON.stringify(after)).not.toContain('Xanadu')
  expect(after.items.find(({ memory_id }) => memory_id === wrong)?.memory?.id).toBe(right.memory.id)
  expect(await one.runtime.commands.call('memory_of_run', { run_id: unrelated })).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

test('a memory that was corrected during a run was used by it too, and only the last prompt is in its step', async () => {
  const turns: ScriptedTurn[] = [{ calls: [{ name: 'ask_user', arguments: { question: 'Shall I?' } }] }]
  const one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
  agent = one
  const agent_id = await one.agent()
  const { memory: old } = await one.call('memory_add', { agent_id, content: 'I prefer tea.', memory_kind: 'preference' })
  await indexed(one, agent_id)
  const { run_id, state } = await one.ask(agent_id, 'What do I drink?')
  expect(state).toBe('paused')
  const { memory } = await one.call('memory_record_user_correction', {
    ...{ agent_id, corrected_memory_id: old.id, wrong: 'tea', right: 'I prefer coffee.' },
  })
  await answerQuestion(one, run_id)
  expect(lastPrompt(one)).toContain('I prefer coffee.')
  const { items } = await one.call('memory_of_run', { run_id })
  expect(items.map(({ memory_id, fate, memory: now }) => [memory_id, fate, now?.content])).toEqual([
    [memory.id, 'active', 'I prefer coffee.'],
    [old.id, 'corrected', 'I prefer coffee.'],
  ])
  const called = one.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'model.called')
  expect(called.map(({ here }) => here.memories?.items)).toEqual([
    [{ id: old.id, version: old.version }],
    [{ id: memory.id, version: memory.version }],
  ])
})

test('a prompt without memories says so, also after one that had some', async () => {
  const turns: ScriptedTurn[] = [{ calls: [{ name: 'ask_user', arguments: { question: 'Shall I?' } }] }]
  const one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
  agent = one
  const agent_id = await one.agent()
  const { memory } = await one.call('memory_add', { agent_id, content: 'I prefer tea.', memory_kind: 'preference' })
  await indexed(one, agent_id)
  const { run_id } = await one.ask(agent_id, 'What do I drink?')
  await one.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'use_in_runs', value: false }] })
  await answerQuestion(one, run_id)
  expect(lastPrompt(one)).not.toContain('I prefer tea.')
  const called = one.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'model.called')
  expect(called.map(({ here }) => here.memories?.items)).toEqual([[{ id: memory.id, version: memory.version }], undefined])
  expect(await one.call('memory_of_run', { run_id })).toMatchObject({ items: [{ memory_id: memory.id, fate: 'active' }], tokens: 0 })
})

test('a later statement replaces what was known, also if it was said about something else or only ends it', async () => {
  const one = await startTestAgent(() => ({ text: 'Fine.' }))
  agent = one
  await one.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'background_model', value: false }] })
  const agent_id = await one.agent()
  const states = async () => {
    const { items } = await one.call('memory_list', { agent_id, states: ['active', 'superseded'] })
    return items.map(({ content, state }) => `${state}: ${content}`).toSorted()
  }
  // Nothing is known that this could end.
  await one.ask(agent_id, 'So no skylight.')
  await one.ask(agent_id, 'We decided on a skylight over the stairs. I always leave semicolons out of my code.')
  await until(states, (list) => list.length === 2)
  await one.ask(agent_id, 'So no skylight.')
  await one.ask(agent_id, "Semicolons: I give in, everybody wants them. So we're back to semicolons, everywhere.")
  const list = await until(states, (some) => some.filter((line) => line.startsWith('superseded')).length === 2)
  expect(list).toEqual([
    'active: No skylight.',
    "active: Semicolons: I give in, everybody wants them. So we're back to semicolons, everywhere.",
    'superseded: I always leave semicolons out of my code.',
    'superseded: We decided on a skylight over the stairs.',
  ])
})

test('a model says which known memory an item replaces; what it invents, confuses or may not decide stays as it is', async () => {
  const shown: string[] = []
  const one = await startTestAgent(
    (_, { messages }) => {
      const [system, asked = ''] = messages.map(({ content }) => String(content))
      if (!system?.startsWith('You read a conversation')) return { text: 'Fine.' }
      shown.push(asked)
      const idOf = (words: string) => new RegExp(String.raw`\[([0-9a-f-]{36})\] [^\n]*${words}`).exec(asked)?.[1]
      const item = (quote: string, replaces: string | undefined = undefined) => {
        return {
          kind: 'semantic',
          about: 'workspace',
          content: `It is so: ${quote}.`,
          message: idOf(`user: [^\n]*${quote}`),
          quote,
          replaces,
        }
      }
      const items = asked.includes('Wednesdays')
        ? [
            item('the choir meets on Wednesdays', idOf('the choir rehearses')),
            item('tea is at four', idOf('the hall is cold')),
            item('the hall has a boiler', '00000000-0000-4000-8000-000000000000'),
            item('the band plays in the barn', idOf('The band')),
          ]
        : [item('the choir rehearses on Tuesdays'), item('the hall is cold')]
      return { text: JSON.stringify({ items }) }
    },
    { environment: { TANDEM_MEMORY_MODEL: 'on' } },
  )
  agent = one
  const agent_id = await one.agent()
  const subject = `workspace:${basename(one.workspace)}`
  await one.call('memory_add', { agent_id, content: 'The band plays in the garage.', memory_kind: 'semantic', subject })
  const list = async () => (await one.call('memory_list', { agent_id, states: ['active', 'superseded'] })).items
  // What waits for a review never reaches a model, whatever it has in common with what is said.
  const content = 'The choir meets at choir.example.com.'
  const memory = { ...(await one.call('memory_list', { agent_id })).items[0], id: '01a00000-0000-7000-8000-000000000009', content }
  const unreviewed = { ...memory, authority: 'untrusted', confirmed_by_user: false, source_type: 'tool_call', quotes: [] }
  await one.call('memory_import', { json: JSON.stringify({ format: 'tandem-memory', version: 1, memories: [unreviewed] }) })
  expect((await one.call('memory_list', { agent_id, to_review: true })).items).toMatchObject([{ content }])
  await one.ask(agent_id, 'Note that the choir rehearses on Tuesdays and the hall is cold')
  await until(list, (items) => items.length === 4)
  await one.ask(agent_id, 'Note that the choir meets on Wednesdays, tea is at four, the hall has a boiler and the band plays in the barn')
  const items = await until(list, (all) => all.length === 8)
  expect(shown.at(-1)).toContain('It is so: the choir rehearses on Tuesdays.')
  expect(shown.join('\n')).not.toContain('choir.example.com')
  const idOf = (words: string) => items.find(({ content }) => content.includes(words))?.id
  expect(items.filter(({ state }) => state === 'superseded').map(({ id }) => id)).toEqual([idOf('Tuesdays')])
  expect(items.find(({ supersedes }) => supersedes.length > 0)?.id).toBe(idOf('Wednesdays'))
  // The user wrote it by hand: only the user may replace it.
  expect(items.find(({ id }) => id === idOf('barn'))?.conflicts_with).toEqual([idOf('garage')])
})
