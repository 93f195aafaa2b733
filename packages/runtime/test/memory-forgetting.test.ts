// What the user forgets does not come back from the messages in which it was said; what is said later, and everything else in them, counts.
import { afterEach, expect, test, vi } from 'vitest'
import type { Script, ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })
const wait = { timeout: 60_000 }
const model_on = { TANDEM_MEMORY_MODEL: 'on' }
const lists = 'I prefer bullet lists over long paragraphs in every report.'
const lawyer = 'Paul Stone is my divorce lawyer.'

let one: TestAgent
let turns: ScriptedTurn[] = []
let held: Promise<void> | null = null
afterEach(() => {
  turns = []
  held = null
  return one.stop()
})

const isReading = ({ messages }: { readonly messages: readonly { readonly content: unknown }[] }) =>
  String(messages[0]?.content).startsWith('You read a conversation')

/** Proposes every sentence of every message that it reads, in other words. */
const script: Script = (_, request) => {
  if (!isReading(request)) return turns.shift() ?? { text: 'Fine.' }
  const said = [...String(request.messages[1]?.content).matchAll(/\[([0-9a-f-]{36})\] user: (.*)/g)]
  const items = said.flatMap(([, message, text = '']) =>
    (text.match(/[^.]+\./g) ?? []).map((sentence) => {
      const quote = sentence.trim()
      return { kind: 'semantic', about: 'user', content: `Noted: ${quote}`, message, quote, replaces: null }
    }),
  )
  return { text: JSON.stringify({ items }), ...(held ? { hold: held } : {}) }
}

const readings = () => one.model.requests.filter(isReading).length
const items = async () => (await one.call('memory_list', { limit: 50 })).items
const contents = async () => (await items()).map(({ content }) => content).toSorted()
const forget = async (content: string) => {
  const found = (await items()).find((memory) => memory.content === content)
  await one.call('memory_forget', { memory_id: found?.id ?? '' })
}
/** Waits for the reading before it, and reads again. */
const review = (agent_id: string) => one.call('memory_run_heartbeat_review', { agent_id })

async function openRun(agent_id: string, text: string) {
  const { conversation } = await one.call('conversation_create', { agent_id, workspace: one.workspace })
  const { run } = await one.call('agent_run_start', { conversation_id: conversation.conversation_id, text })
  return run.run_id
}

/** The model reads a message from which the agent has already kept something. */
async function readingWhatIsKept(said: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  one = await startTestAgent(script, { environment: model_on })
  const agent_id = await one.agent()
  turns.push({ calls: [{ name: 'memory.add', arguments: { content: lists, memory_kind: 'preference' } }] })
  await one.ask(agent_id, said)
  await expect.poll(readings, wait).toBe(1)
  expect(await contents()).toEqual([lists])
  return { agent_id, resolve }
}

test('what is forgotten while the model reads the message does not come back; the rest of the message does', async () => {
  const { agent_id, resolve } = await readingWhatIsKept(`${lists} I live in Porto.`)
  await forget(lists)
  resolve()
  await review(agent_id)
  expect(await contents()).toEqual(['I live in Porto.'])
  expect((await one.call('memory_status', {})).dropped).toContainEqual({ reason: 'forgotten', count: expect.any(Number) })
})

test('what the user says again after forgetting it is remembered', async () => {
  const { agent_id, resolve } = await readingWhatIsKept(lists)
  await forget(lists)
  resolve()
  await review(agent_id)
  expect(await contents()).toEqual([])
  await one.ask(agent_id, lists)
  await expect.poll(contents, wait).toEqual([`Noted: ${lists}`])
})

test('"forget everything about me" also covers what the model is reading, and nothing that is said later', async () => {
  const { agent_id, resolve } = await readingWhatIsKept(lists)
  await one.ask(agent_id, 'I live in Porto.')
  await expect.poll(readings, wait).toBe(2)
  await one.call('memory_forget_user', {})
  resolve()
  await review(agent_id)
  expect(await contents()).toEqual([])
  await one.ask(agent_id, 'I live in Porto.')
  await expect.poll(contents, wait).toEqual(['Noted: I live in Porto.'])
})

test('what was said again in an open run before it was forgotten does not come back when that run ends', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(script)
  const agent_id = await one.agent()
  await one.ask(agent_id, lists)
  await expect.poll(contents, wait).toEqual([lists])
  turns.push({ text: 'Noted.', hold: promise })
  const run_id = await openRun(agent_id, `Once more: ${lists} I live in Porto.`)
  await forget(lists)
  resolve()
  await one.runtime.settled(run_id)
  await review(agent_id)
  expect(await contents()).toEqual(['I live in Porto.'])
})

test('the agent does not keep forgotten words of an earlier message either', async () => {
  one = await startTestAgent(script)
  const agent_id = await one.agent()
  const run_id = await openRun(agent_id, lists)
  await one.runtime.settled(run_id)
  await expect.poll(contents, wait).toEqual([lists])
  await forget(lists)
  turns.push({ calls: [{ name: 'memory.add', arguments: { content: lists, memory_kind: 'preference' } }] })
  const conversation_id = one.runtime.journal.run(run_id)?.conversation_id ?? ''
  const { run } = await one.call('agent_run_start', { conversation_id, text: 'Go on, please.' })
  await one.runtime.settled(run.run_id)
  expect(JSON.stringify(one.runtime.journal.steps(run.run_id))).toContain('the user chose to forget it')
  expect(await contents()).toEqual([])
})

test('a restore and its undoing do not bring back what was forgotten, nor a second copy of what was not', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(script, { environment: model_on })
  const agent_id = await one.agent()
  await one.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  turns.push({ calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] }, { text: 'Written.', hold: promise })
  const run_id = await openRun(agent_id, 'Write the file, please')
  await expect.poll(() => one.model.requests.length, wait).toBe(2)
  const { message_id } = await one.call('agent_run_add_message', { run_id, text: `${lists} I live in Porto.` })
  resolve()
  await one.runtime.settled(run_id)
  await expect.poll(contents, wait).toEqual([`Noted: ${lists}`, 'Noted: I live in Porto.'].toSorted())
  await forget(`Noted: ${lists}`)
  const restore = async (checkpoint_id: string) => {
    const params = { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' } as const
    const restored = await one.call('agent_run_restore_checkpoint', params)
    if (restored.outcome !== 'restored') throw new Error('it was not restored')
    return restored
  }
  const mark = () => one.runtime.journal.flushMark(one.runtime.journal.run(run_id)?.no ?? 0).flushed_through_seq
  const before = mark()
  const [point] = (await one.call('agent_run_list_checkpoints', { run_id })).items
  const { set_aside_message_ids, safety_checkpoint_id } = await restore(point?.checkpoint_id ?? '')
  expect(set_aside_message_ids).toContain(message_id)
  await expect.poll(mark, wait).toBeLessThan(before)
  await restore(safety_checkpoint_id ?? '')
  expect(one.runtime.journal.messages.get(message_id)?.set_aside).toBe(false)
  await review(agent_id)
  expect(mark()).toBeGreaterThanOrEqual(before)
  expect(await contents()).toEqual(['Noted: I live in Porto.'])
})

test('a restore archives what rests only on messages that it set aside, unless it is what the user said; undoing it uses that again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const guess = 'Deploys go to shop.example.net.'
  const readsMore: Script = (...call) => {
    const turn = script(...call)
    if (!isReading(call[1]) || turn.text === undefined) return turn
    const { items } = JSON.parse(turn.text) as { readonly items: readonly { readonly quote: string }[] }
    const guessed = items.flatMap((item) => (item.quote.includes('Porto') ? [] : [{ ...item, kind: 'procedural', content: guess }]))
    return { ...turn, text: JSON.stringify({ items: [...items, ...guessed] }) }
  }
  one = await startTestAgent(readsMore, { environment: model_on })
  const agent_id = await one.agent()
  await one.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  turns.push({ calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] }, { text: 'Written.', hold: promise })
  const run_id = await openRun(agent_id, 'I live in Porto.')
  await expect.poll(() => one.model.requests.length, wait).toBe(2)
  await one.call('agent_run_add_message', { run_id, text: 'The shop is deployed on Fridays.' })
  resolve()
  await one.runtime.settled(run_id)
  const said = ['Noted: I live in Porto.', 'Noted: The shop is deployed on Fridays.']
  await expect.poll(contents, wait).toEqual([guess, ...said])
  const guessed = async () => {
    const memory = (await items()).find(({ content }) => content === guess)
    return [memory?.authority, memory?.state, memory?.state_reason]
  }
  expect(await guessed()).toEqual(['untrusted', 'active', null])
  const restore = async (checkpoint_id: string) => {
    const restored = await one.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
    return restored.outcome === 'restored' ? restored.safety_checkpoint_id : null
  }
  const [point] = (await one.call('agent_run_list_checkpoints', { run_id })).items
  const safety_checkpoint_id = await restore(point?.checkpoint_id ?? '')
  await expect.poll(guessed, wait).toEqual(['untrusted', 'archived', 'set_aside'])
  const active = (await items()).filter(({ state }) => state === 'active')
  expect(active.map(({ content }) => content).toSorted()).toEqual(said)
  await restore(safety_checkpoint_id ?? '')
  await expect.poll(guessed, wait).toEqual(['untrusted', 'active', null])
})

test('a sentence that leans on forgotten words does not bring them back', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(script)
  const agent_id = await one.agent()
  turns.push({ calls: [{ name: 'memory.add', arguments: { content: lawyer, memory_kind: 'relationship', about: 'user' } }] })
  turns.push({ text: 'Noted.', hold: promise })
  const run_id = await openRun(agent_id, `${lawyer} I prefer to see him on Mondays.`)
  await expect.poll(contents, wait).toEqual([lawyer])
  await forget(lawyer)
  resolve()
  await one.runtime.settled(run_id)
  await review(agent_id)
  expect((await contents()).filter((content) => content.includes('Stone'))).toEqual([])
})

test.each(['off', 'on'])('"forget everything about me" covers what later sentences lean on, with the model %s', async (model) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(script, { environment: { TANDEM_MEMORY_MODEL: model } })
  const agent_id = await one.agent()
  turns.push({ text: 'Noted.', hold: promise })
  const run_id = await openRun(agent_id, lawyer)
  await expect.poll(() => one.model.requests.length, wait).toBe(1)
  await one.call('memory_forget_user', {})
  await one.call('agent_run_add_message', { run_id, text: 'I prefer to see him on Mondays.' })
  resolve()
  await one.runtime.settled(run_id)
  await review(agent_id)
  expect((await contents()).filter((content) => content.includes('Stone'))).toEqual([])
})

test('"forget everything about me" covers what no run has received yet, and what the model would write about the user by name', async () => {
  const aboutMaria: Script = (...call) => {
    const turn = script(...call)
    return isReading(call[1]) ? { ...turn, text: String(turn.text).replaceAll('"about":"user"', '"about":"Maria"') } : turn
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(aboutMaria, { environment: model_on })
  const agent_id = await one.agent()
  turns.push({ text: 'Noted.', hold: promise })
  const run_id = await openRun(agent_id, 'I have a nut allergy.')
  await expect.poll(() => one.model.requests.length, wait).toBe(1)
  await one.call('agent_run_add_message', { run_id, text: 'I live in Porto.' })
  await one.call('memory_forget_user', {})
  resolve()
  await one.runtime.settled(run_id)
  await review(agent_id)
  expect(await contents()).toEqual([])
  expect(readings()).toBe(0)
  await one.ask(agent_id, 'I live in Lisbon.')
  await expect.poll(contents, wait).toEqual(['Noted: I live in Lisbon.'])
})

test('what was forgotten before the model read its run is not shown to the model; the other messages of the run are', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  one = await startTestAgent(script, { environment: model_on, life: 'errand' })
  const agent_id = await one.agent()
  turns.push({ text: 'Reading.', hold: promise })
  const run_id = await openRun(agent_id, lists)
  await one.call('agent_run_add_message', { run_id, text: 'The choir rehearses in the barn.' })
  resolve()
  await one.runtime.settled(run_id)
  await one.restart()
  expect([await contents(), readings()]).toEqual([[lists], 0])
  await forget(lists)
  await review(agent_id)
  expect(await contents()).toEqual(['Noted: The choir rehearses in the barn.'])
  expect(JSON.stringify(one.model.requests.filter(isReading))).not.toContain('bullet lists')
})
