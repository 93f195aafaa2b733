// Messages that the user writes while a run is open: they wait, can be changed, and are what the run gets next.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandResult } from '@tandem/contract/command'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

let agent: TestAgent
afterEach(() => agent.stop())

const wait = { timeout: 60_000 }

function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

async function start(text: string): Promise<{ readonly run_id: string; readonly conversation_id: string }> {
  const { conversation } = await agent.call('conversation_create', { agent_id: await agent.agent(), workspace: agent.workspace })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text })
  return { run_id: run.run_id, conversation_id: conversation.conversation_id }
}

const stateOf = (run_id: string) => agent.runtime.journal.run(run_id)?.state
const queuedIn = async (run_id: string) => (await agent.call('agent_run_get_queue', { run_id })).queued.map(({ text }) => text)
const lastUser = () => agent.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content

test('queued messages are listed, edited and removed; the run gets what is left, in order, once', async () => {
  const { promise, open } = gate()
  agent = await startTestAgent((index): ScriptedTurn => (index === 0 ? { text: 'First.', hold: promise } : { text: 'Second.' }))
  const { run_id, conversation_id } = await start('Begin')
  const [one, two, three] = [
    await agent.call('agent_run_add_message', { run_id, text: 'one' }),
    await agent.call('agent_run_add_message', { run_id, text: 'two' }),
    await agent.call('agent_run_add_message', { run_id, text: 'three' }),
  ]
  await agent.call('agent_run_edit_queued', { run_id, message_id: one.message_id, text: 'one, changed' })
  const removed = await agent.call('agent_run_remove_queued', { run_id, message_id: two.message_id })
  expect(removed.queued).toMatchObject({ message_id: two.message_id, text: 'two' })
  expect(await queuedIn(run_id)).toEqual(['one, changed', 'three'])
  // Not part of the conversation yet.
  expect((await agent.call('message_list', { conversation_id })).items.map(({ text }) => text)).toEqual(['Begin'])
  open()
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect(await queuedIn(run_id)).toEqual([])
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Begin'],
    ['assistant', 'First.'],
    ['user', 'one, changed'],
    ['user', 'three'],
    ['assistant', 'Second.'],
  ])
  expect(
    agent.model.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content),
  ).toEqual(['Begin', 'one, changed', 'three'])
  for (const [message_id, why] of [
    [three.message_id, 'the agent has received it'],
    [two.message_id, 'it was removed'],
  ] as const) {
    const refused = await agent.runtime.commands.call('agent_run_edit_queued', { run_id, message_id, text: 'late' })
    const message = `message ${message_id} can no longer be changed: ${why}`
    expect(refused).toMatchObject({ ok: false, error: { code: 'transition_refused', message } })
  }
})

test('"send now" interrupts the answer: what was shown stays, and the message is what the model gets next', async () => {
  const { promise } = gate()
  agent = await startTestAgent((index): ScriptedTurn => (index === 0 ? { text: 'A long answer', hold: promise } : { text: 'Short.' }))
  const { run_id, conversation_id } = await start('Explain everything')
  await expect.poll(() => agent.runtime.journal.stream(agent.runtime.journal.run(run_id)?.no ?? 0)?.text, wait).toBe('A long answer')
  await agent.call('agent_run_add_message', { run_id, text: 'Shorter, please' })
  expect(await agent.call('agent_run_send_now', { run_id })).toMatchObject({ run_id, state: 'running', delivered: 1 })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect(agent.model.requests.at(-1)?.messages.slice(-3)).toEqual([
    { role: 'user', content: 'Explain everything' },
    { role: 'assistant', content: 'A long answer\n\n[This response was interrupted here.]' },
    { role: 'user', content: 'Shorter, please' },
  ])
  const kinds = agent.runtime.journal.steps(run_id).map(({ step }) => step.kind)
  expect(kinds.filter((kind) => /^(?:run\.|message\.|text)/.test(kind))).toEqual([
    'run.started',
    'run.paused',
    'text.partial',
    'run.resumed',
    'message.received',
    'message.completed',
    'run.completed',
  ])
  expect((await agent.call('message_list', { conversation_id })).items.map(({ text }) => text)).toEqual([
    'Explain everything',
    'Shorter, please',
    'Short.',
  ])
  const all = await agent.call('message_list', { conversation_id, interrupted: true })
  expect(all.items.map(({ role, text, interrupted = false }) => [role, text, interrupted])).toEqual([
    ['user', 'Explain everything', false],
    ['assistant', 'A long answer', true],
    ['user', 'Shorter, please', false],
    ['assistant', 'Short.', false],
  ])
  let cursor: string | null = null
  const paged: string[] = []
  do {
    const page: CommandResult<'message_list'> = await agent.call('message_list', {
      ...{ conversation_id, interrupted: true, limit: 1 },
      ...(cursor ? { cursor } : {}),
    })
    paged.push(...page.items.map(({ text }) => text))
    cursor = page.next_cursor
  } while (cursor)
  expect(paged).toEqual(all.items.map(({ text }) => text))
  const nothing = await agent.runtime.commands.call('agent_run_send_now', { run_id })
  expect(nothing).toMatchObject({ ok: false, error: { code: 'nothing_pending', message: `run ${run_id} has no queued messages` } })
})

test('"send now" while a command runs starts nothing if the runtime is stopped meanwhile', async () => {
  agent = await startTestAgent(() => ({ calls: [{ name: 'shell.exec', arguments: { command: 'sleep 600' } }] }))
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Wait' })
  const { run_id } = run
  const began = () => agent.runtime.journal.steps(run_id).some(({ step }) => step.kind === 'tool.started')
  await expect.poll(began, wait).toBe(true)
  await agent.call('agent_run_add_message', { run_id, text: 'Hurry' })
  const sent = agent.runtime.commands.call('agent_run_send_now', { run_id })
  // From here on it waits for the command, which only the end of the runtime interrupts.
  await new Promise(setImmediate)
  await agent.restart({}, async () => {
    expect(await sent).toMatchObject({ ok: false, error: { code: 'storage_unavailable', message: 'the runtime is stopping' } })
    expect(agent.model.requests).toHaveLength(1)
  })
  expect(await queuedIn(run_id)).toEqual(['Hurry'])
})

test('while an approval is pending, a message waits; "send now" withdraws the approval, and the call is not made', async () => {
  agent = await startTestAgent((index): ScriptedTurn => {
    return index === 0 ? { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] } : { text: 'I did not write it.' }
  })
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'required' })
  const { run_id } = await agent.ask(agent_id, 'Write a.txt')
  expect(agent.runtime.journal.run(run_id)?.pause_reason).toBe('approval')
  await agent.call('agent_run_add_message', { run_id, text: 'Better not' })
  expect(agent.runtime.journal.run(run_id)?.pause_reason).toBe('approval')
  expect(await queuedIn(run_id)).toEqual(['Better not'])
  await agent.call('agent_run_send_now', { run_id })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect((await agent.call('approval_list', {})).items).toEqual([])
  expect(existsSync(join(agent.workspace, 'a.txt'))).toBe(false)
  expect(lastUser()).toBe('Better not')
  const results = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  expect(results.map(({ outcome, failure_contract }) => [outcome, failure_contract?.details.message])).toEqual([
    ['canceled', 'fs.write was not called: the user wrote a message first'],
  ])
})

test('a question is closed by "send now", too', async () => {
  agent = await startTestAgent((index): ScriptedTurn => {
    return index === 0 ? { calls: [{ name: 'ask_user', arguments: { question: 'Red or blue?' } }] } : { text: 'Green it is.' }
  })
  const { run_id } = await agent.ask(await agent.agent(), 'Paint it')
  await agent.call('agent_run_add_message', { run_id, text: 'Green' })
  await agent.call('agent_run_send_now', { run_id })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect((await agent.call('question_list', {})).items).toEqual([])
})

test('a run that was paused or restored continues with what the user writes', async () => {
  const { promise } = gate()
  agent = await startTestAgent((index): ScriptedTurn => {
    const turns: ScriptedTurn[] = [
      { text: 'Thinking', hold: promise },
      { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] },
      { text: 'Written.' },
    ]
    return turns[index] ?? { text: 'As you wish.' }
  })
  const { run_id } = await start('Work')
  await agent.policy(agent.runtime.journal.run(run_id)?.agent_id ?? '', 'fs.write', { approval_mode: 'auto' })
  await expect.poll(() => agent.model.requests.length, wait).toBe(1)
  await agent.call('agent_run_pause', { run_id })
  expect(stateOf(run_id)).toBe('paused')
  await agent.call('agent_run_add_message', { run_id, text: 'Go on, quickly' })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect(agent.model.requests[1]?.messages.at(-1)?.content).toBe('Go on, quickly')
  const [point] = (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const { checkpoint_id } = point ?? { checkpoint_id: '' }
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  expect(existsSync(join(agent.workspace, 'a.txt'))).toBe(false)
  await agent.call('agent_run_add_message', { run_id, text: 'Do not write' })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  // The call that was undone is not simply made again.
  expect(existsSync(join(agent.workspace, 'a.txt'))).toBe(false)
  expect(lastUser()).toBe('Do not write')
})

test('the next run knows how the last one ended', async () => {
  agent = await startTestAgent(
    (index): ScriptedTurn => (index === 0 ? { text: 'Half', hold: new Promise(() => undefined) } : { text: 'Ok.' }),
  )
  const { run_id, conversation_id } = await start('Work')
  await expect.poll(() => agent.model.requests.length, wait).toBe(1)
  await agent.call('agent_run_cancel', { run_id })
  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'What happened?' })
  await agent.runtime.settled(run.run_id)
  expect(lastUser()).toBe('[The run before this message was stopped. What it had not finished was not done.]\n\nWhat happened?')
  const next = await agent.call('agent_run_start', { conversation_id, text: 'Thanks' })
  await agent.runtime.settled(next.run.run_id)
  expect(lastUser()).toBe('Thanks')
})

test('a queued message survives a restart, and a message that cannot be delivered stays with the user', async () => {
  agent = await startTestAgent((index): ScriptedTurn => {
    return index === 0 ? { calls: [{ name: 'ask_user', arguments: { question: 'Continue?' } }] } : { text: 'Done.' }
  })
  const { run_id } = await agent.ask(await agent.agent(), 'Ask me')
  await agent.call('agent_run_add_message', { run_id, text: 'Also this' })
  await agent.restart()
  expect(await queuedIn(run_id)).toEqual(['Also this'])
  await agent.call('agent_run_send_now', { run_id })
  await expect.poll(() => stateOf(run_id), wait).toBe('completed')
  expect(lastUser()).toBe('Also this')
})
