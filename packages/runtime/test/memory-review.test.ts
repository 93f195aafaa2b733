// Heartbeat reviews: one at a time per agent, with their progress, and what is known of one that failed.
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import type { Scheduler } from '../src/scheduler/scheduler.ts'
import { jumpingClock } from './support/clock/test-jumping-clock.ts'
import type { Script, ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let one: TestAgent
afterEach(() => one.stop())

/** The background use of the model has no tools. */
const whileExtracting =
  (held: Promise<void>): Script =>
  (_, { tools }) =>
    tools === undefined || tools.length === 0 ? { text: '{"items":[]}', hold: held } : { text: 'Fine.' }

test('a review shows its progress, and cannot be started twice at once', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  one = await startTestAgent(whileExtracting(held), { environment: { TANDEM_MEMORY_MODEL: 'on' } })
  const [agent_id, other] = [await one.agent(), await one.agent()]
  for (const text of ['I prefer tabs over spaces.', 'I live in Porto.']) await one.ask(agent_id, text)
  const running = async () => (await one.call('memory_status', {})).running_reviews

  const review = one.call('memory_run_heartbeat_review', { agent_id })
  await expect.poll(running).toEqual([
    {
      ...{ agent_id, conversation_id: null, trigger: 'manual', started_at: expect.any(String) },
      ...{ conversations: 2, conversations_read: 0 },
    },
  ])
  expect(await one.runtime.commands.call('memory_run_heartbeat_review', { agent_id })).toMatchObject({
    ok: false,
    error: { code: 'review_running' },
  })
  expect(await one.call('memory_run_heartbeat_review', { agent_id: other })).toMatchObject({ messages_reviewed: 0, failure: null })
  release()
  expect(await review).toMatchObject({ messages_reviewed: 4, failure: null })
  expect(await running()).toEqual([])
  expect(await one.call('memory_run_heartbeat_review', { agent_id })).toMatchObject({ messages_reviewed: 0, failure: null })
})

test('facts are counted too, although they have no list of their own', async () => {
  one = await startTestAgent(() => ({ text: 'Fine.' }))
  const agent_id = await one.agent()
  await one.ask(agent_id, 'I live in Porto.')
  expect(await one.call('memory_run_heartbeat_review', { agent_id })).toMatchObject({
    summary:
      '1 conversation reviewed: 0 preferences, 0 decisions, 0 procedures, 0 relationships, 0 lessons, 1 other fact or event. 0 replaced, 0 conflicts.',
    memories_reviewed: 1,
    extracted: { preference: [], decision: [], procedural: [], relationship: [], lessons_learned: [] },
  })
})

test('what a review finds is part of it, whatever the time of its message', async () => {
  const clock = jumpingClock(() => false)
  const { promise, resolve } = Promise.withResolvers<void>()
  const turns: ScriptedTurn[] = [{ text: 'Fine.' }, { text: 'Noted.', hold: promise }]
  one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' }, { clock })
  const agent_id = await one.agent()
  await one.ask(agent_id, 'Good morning.')
  await one.call('memory_run_heartbeat_review', { agent_id })
  // The user corrects the time of the device.
  clock.jump(-7_200_000)
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  await one.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'I live in Porto.' })
  const { memories_reviewed } = await one.call('memory_run_heartbeat_review', { agent_id })
  resolve()
  expect(memories_reviewed).toBe(1)
})

test('a review that fails is listed with the reason, and the next one reads the same messages', async () => {
  one = await startTestAgent(() => ({ text: 'Fine.' }))
  const agent_id = await one.agent()
  await one.ask(agent_id, 'I prefer tabs over spaces.')
  const database = new DatabaseSync(`${one.runtime.home}/tandem.db`)
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON memory_heartbeat_reviews WHEN NEW.failure IS NULL
    BEGIN SELECT RAISE(ABORT, 'the table is locked'); END`)
  for (let round = 0; round < 22; round += 1)
    expect(await one.runtime.commands.call('memory_run_heartbeat_review', { agent_id })).toMatchObject({ ok: false })
  const { items } = await one.call('memory_list_reviews', { agent_id })
  // A cause that stays does not fill the disk.
  expect(items).toHaveLength(20)
  expect(items[0]).toEqual({
    ...{ id: expect.any(String), agent_id, conversation_id: null, trigger: 'manual', summary: '' },
    ...{ messages_reviewed: 0, memories_reviewed: 0, failure: 'the table is locked' },
    extracted: { preference: [], decision: [], procedural: [], relationship: [], lessons_learned: [] },
    resolution: { conflicting: [], superseded: [], archived: [] },
    ...{ started_at: expect.any(String), completed_at: expect.any(String) },
  })
  expect((await one.call('memory_status', {})).running_reviews).toEqual([])
  database.exec('DROP TRIGGER broken')
  database.close()
  expect(await one.call('memory_run_heartbeat_review', { agent_id })).toMatchObject({ messages_reviewed: 2, failure: null })
})

test('a review that the end of the runtime interrupts is not a failure', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  one = await startTestAgent(whileExtracting(held), { environment: { TANDEM_MEMORY_MODEL: 'on' } })
  const agent_id = await one.agent()
  await one.ask(agent_id, 'I prefer tabs over spaces.')
  const review = one.runtime.commands.call('memory_run_heartbeat_review', { agent_id })
  await expect.poll(async () => (await one.call('memory_status', {})).running_reviews.length).toBe(1)
  await one.restart({ TANDEM_MEMORY_MODEL: 'off' })
  release()
  expect(await review).toMatchObject({ ok: false })
  expect((await one.call('memory_list_reviews', { agent_id })).items).toEqual([])
  expect(one.logged.filter((line) => line.includes('could not be recorded'))).toEqual([])
})

/** The model proposes every sentence of the user, in other words. */
const proposing: Script = (_, { messages }) => {
  const [system, asked = ''] = messages.map(({ content }) => String(content))
  if (!system?.startsWith('You read a conversation')) return { text: 'Fine.' }
  const [, message, text = ''] = /\[([0-9a-f-]{36})\] user: (.*)/.exec(asked) ?? []
  const items = (text.match(/[^.]+\./g) ?? []).map((one) => {
    const quote = one.trim()
    return { kind: 'semantic', about: 'workspace', content: `Noted: ${quote}`, message, quote, replaces: null }
  })
  return { text: JSON.stringify({ items }) }
}

/** As `tandem run` and `tandem memory review` without `tandem start`: each process lives for one command. */
async function oneCommandEach() {
  one = await startTestAgent(proposing, { environment: { TANDEM_MEMORY_MODEL: 'on' }, life: 'errand' })
  const agent_id = await one.agent()
  await one.ask(agent_id, 'I prefer tabs over spaces. The choir rehearses in the barn.')
  await one.restart()
  const contents = async () => (await one.call('memory_list', { agent_id })).items.map(({ content }) => content).toSorted()
  const asked = () => one.model.requests.filter(({ tools }) => tools === undefined || tools.length === 0).length
  return { agent_id, contents, asked }
}

test('in a process for one command, the rules read at once, and a review lets the model read what they left', async () => {
  const { agent_id, contents, asked } = await oneCommandEach()
  expect([await contents(), asked()]).toEqual([['I prefer tabs over spaces.'], 0])
  await one.call('memory_run_heartbeat_review', { agent_id })
  expect([await contents(), asked()]).toEqual([['I prefer tabs over spaces.', 'Noted: The choir rehearses in the barn.'], 1])
  await one.call('memory_run_heartbeat_review', { agent_id })
  expect(asked()).toBe(1)
})

test('what was forgotten before the model read it stays forgotten', async () => {
  const { agent_id, contents } = await oneCommandEach()
  await one.call('memory_forget_user', {})
  await one.call('memory_run_heartbeat_review', { agent_id })
  expect(await contents()).toEqual([])
})

test('a review that is due waits until no run is active', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let turns = 0
  const script: Script = () => ({ text: 'Fine.', ...(turns++ === 1 ? { hold: held } : {}) })
  let scheduler: Scheduler | undefined
  one = await startTestAgent(script, {
    features: [
      (ground) => {
        scheduler = ground.scheduler
        return { name: 'schedule' }
      },
    ],
  })
  const agent_id = await one.agent()
  const reviews = async () => {
    await scheduler?.runNow('review_memories')
    return (await one.call('memory_list_reviews', { agent_id })).items.map(({ trigger }) => trigger)
  }
  await one.ask(agent_id, 'I prefer tabs over spaces.')
  const run = one.ask(agent_id, 'Take your time.')
  await expect.poll(() => turns).toBe(2)
  expect(await reviews()).toEqual([])
  release()
  await run
  expect(await reviews()).toEqual(['schedule'])
  expect(await reviews()).toEqual(['schedule'])
})

test('what was proposed and dropped is counted with its reason', async () => {
  const items = (message: string | undefined) => [
    { kind: 'nonsense', about: 'user', content: 'It is so.', message, quote: 'The choir' },
    { kind: 'semantic', about: 'workspace', content: 'The choir sings.', message, quote: 'I never said this' },
  ]
  const script: Script = (_, { messages }) => {
    const [system, asked = ''] = messages.map(({ content }) => String(content))
    if (!system?.startsWith('You read a conversation')) return { text: 'Fine.' }
    return { text: JSON.stringify({ items: items(/\[([0-9a-f-]{36})\] user: /.exec(asked)?.[1]) }) }
  }
  one = await startTestAgent(script, { environment: { TANDEM_MEMORY_MODEL: 'on' } })
  const agent_id = await one.agent()
  await one.ask(agent_id, 'The choir rehearses in the barn.')
  await expect
    .poll(async () => (await one.call('memory_status', {})).dropped)
    .toEqual([
      { reason: 'malformed', count: 1 },
      { reason: 'quote_not_found', count: 1 },
    ])
})

test('an agent without reviews is not reviewed automatically', async () => {
  let scheduler: Scheduler | undefined
  one = await startTestAgent(() => ({ text: 'Fine.' }), {
    features: [
      (ground) => {
        scheduler = ground.scheduler
        return { name: 'schedule' }
      },
    ],
  })
  const agent_id = await one.agent()
  await one.ask(agent_id, 'I prefer tabs over spaces.')
  const reviews = async (without: readonly string[]) => {
    await one.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'without_reviews', value: [...without] }] })
    await scheduler?.runNow('review_memories')
    return (await one.call('memory_list_reviews', { agent_id })).items.length
  }
  expect([await reviews([agent_id]), await reviews([])]).toEqual([0, 1])
})
