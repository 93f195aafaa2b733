// Branches: a conversation that continues from a message of another one. The other one stays as it is, and can be continued as well.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

let agent: TestAgent
afterEach(() => agent.stop())

/** Answers a message with its last word; "write NAME TEXT" writes a file first. */
function script(_index: number, { messages }: { readonly messages: readonly { role: string; content: unknown }[] }): ScriptedTurn {
  const last = messages.at(-1)
  const text = String(last?.content)
  if (last?.role !== 'user') return { text: 'Written.' }
  const [, path, content] = /write (\S+) (.+)$/.exec(text) ?? []
  return path === undefined ? { text: `You said ${text}` } : { calls: [{ name: 'fs.write', arguments: { path, content } }] }
}

async function say(conversation_id: string, text: string): Promise<string> {
  const { run } = await agent.call('agent_run_start', { conversation_id, text })
  await agent.runtime.settled(run.run_id)
  expect(agent.runtime.journal.run(run.run_id)?.state).toBe('completed')
  return run.run_id
}

async function create(): Promise<string> {
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { conversation } = await agent.call('conversation_create', { agent_id, title: 'Tea', workspace: agent.workspace })
  return conversation.conversation_id
}

const messagesIn = async (conversation_id: string) => (await agent.call('message_list', { conversation_id })).items
const textsIn = async (conversation_id: string) => (await messagesIn(conversation_id)).map(({ text }) => text)
/** What the model got in its last request, without the system prompt. */
const heard = () =>
  (agent.model.requests.at(-1)?.messages ?? []).filter(({ role }) => role !== 'system').map(({ role, content }) => [role, content])

test('a branch before a message has the history before it; both are continued on their own', async () => {
  agent = await startTestAgent(script)
  const parent = await create()
  await say(parent, 'one')
  const second = await say(parent, 'two')
  const before = await messagesIn(parent)
  const two = before.find(({ text }) => text === 'two')?.message_id ?? ''
  const { conversation } = await agent.call('conversation_branch', { message_id: two, keep: 'before' })
  const { conversation_id, branch, title, workspace } = conversation
  expect({ branch, title, workspace }).toEqual({
    branch: { conversation_id: parent, run_id: second, seq: 0 },
    title: 'Tea',
    workspace: agent.workspace,
  })
  await say(conversation_id, 'another two')
  expect(heard()).toEqual([
    ['user', 'one'],
    ['assistant', 'You said one'],
    ['user', 'another two'],
  ])
  expect(await textsIn(conversation_id)).toEqual(['another two', 'You said another two'])
  expect(await messagesIn(parent)).toEqual(before)
  await say(parent, 'three')
  expect(heard().map(([, text]) => text)).toEqual(['one', 'You said one', 'two', 'You said two', 'three'])
  await say(conversation_id, 'and more')
  expect(heard().map(([, text]) => text)).toEqual(['one', 'You said one', 'another two', 'You said another two', 'and more'])
})

test('a branch after an answer keeps it; a branch of a branch has the history of both', async () => {
  agent = await startTestAgent(script)
  const parent = await create()
  await say(parent, 'one')
  await say(parent, 'two')
  const [, answer] = await messagesIn(parent)
  const first = await agent.call('conversation_branch', { message_id: answer?.message_id ?? '', keep: 'through' })
  await say(first.conversation.conversation_id, 'x')
  const [, answerToX] = await messagesIn(first.conversation.conversation_id)
  const second = await agent.call('conversation_branch', { message_id: answerToX?.message_id ?? '', keep: 'through' })
  await say(second.conversation.conversation_id, 'y')
  expect(heard().map(([, text]) => text)).toEqual(['one', 'You said one', 'x', 'You said x', 'y'])
})

test('a later restore of the other conversation does not change what a branch continues from', async () => {
  agent = await startTestAgent(script)
  const parent = await create()
  const run_id = await say(parent, 'write a.txt A')
  const [, answer] = await messagesIn(parent)
  const { conversation } = await agent.call('conversation_branch', { message_id: answer?.message_id ?? '', keep: 'through' })
  const [point] = (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const { checkpoint_id } = point ?? { checkpoint_id: '' }
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  expect((await messagesIn(parent)).filter(({ set_aside }) => set_aside).map(({ text }) => text)).toEqual(['Written.'])
  await say(conversation.conversation_id, 'What did you do?')
  expect(heard().map(([role]) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  expect(heard().map(([, text]) => text)).toContain('Written.')
})

test('a branch is started once for a key, survives a restart before its first run, and then runs', async () => {
  agent = await startTestAgent(script)
  const parent = await create()
  await say(parent, 'one')
  const [one] = await messagesIn(parent)
  const branch = { message_id: one?.message_id ?? '', keep: 'before' as const, key: 'k1' }
  const { conversation } = await agent.call('conversation_branch', branch)
  await agent.restart()
  expect((await agent.call('conversation_branch', branch)).conversation).toEqual(conversation)
  expect((await agent.call('conversation_list', {})).items).toHaveLength(2)
  await say(conversation.conversation_id, 'uno')
  expect(heard()).toEqual([['user', 'uno']])
})

test('a message that no run has received cannot be branched from', async () => {
  agent = await startTestAgent(script)
  const unknown = '01900000-0000-7000-8000-000000000000'
  expect(await agent.runtime.commands.call('conversation_branch', { message_id: unknown, keep: 'before' })).toMatchObject({
    ok: false,
    error: { code: 'not_found', message: `there is no message ${unknown}` },
  })
})

test('the files can be restored alone: the run and its messages stay as they are, and the restore can be undone', async () => {
  agent = await startTestAgent(script)
  const file = join(agent.workspace, 'a.txt')
  const parent = await create()
  await say(parent, 'write a.txt one')
  const run_id = await say(parent, 'write a.txt two')
  const before = await messagesIn(parent)
  const [point] = (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const { checkpoint_id } = point ?? { checkpoint_id: '' }
  const params = { action: 'restore' as const, run_id, checkpoint_id, on_conflict: 'stop' as const, scope: 'files' as const }
  const restored = await agent.call('agent_run_restore_checkpoint', params)
  expect(restored).toMatchObject({ outcome: 'restored', state: 'completed', set_aside_message_ids: [] })
  expect(readFileSync(file, 'utf8')).toBe('one')
  expect(agent.runtime.journal.run(run_id)?.state).toBe('completed')
  const after = await messagesIn(parent)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(({ role, text }) => [role, text])).toEqual([
    ['system', 'The files were restored to an earlier point for a branch of this conversation: 1 path restored.'],
  ])
  const safety = restored.outcome === 'restored' ? restored.safety_checkpoint_id : ''
  await agent.call('agent_run_restore_checkpoint', { ...params, checkpoint_id: safety })
  expect(readFileSync(file, 'utf8')).toBe('two')
})

test('the files of an older run can be restored while the newest one waits for approval, which stays as it is', async () => {
  agent = await startTestAgent(script)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { conversation_id } = conversation
  const run_id = await say(conversation_id, 'write a.txt one')
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'required' })
  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'write b.txt two' })
  await agent.runtime.settled(run.run_id)
  const [point] = (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const params = { action: 'restore' as const, run_id, checkpoint_id: point?.checkpoint_id ?? '', on_conflict: 'stop' as const }
  expect(await agent.runtime.commands.call('agent_run_restore_checkpoint', params)).toMatchObject({ error: { code: 'run_busy' } })
  expect(await agent.call('agent_run_restore_checkpoint', { ...params, scope: 'files' })).toMatchObject({ outcome: 'restored' })
  expect(existsSync(join(agent.workspace, 'a.txt'))).toBe(false)
  expect(agent.runtime.journal.run(run.run_id)?.state).toBe('paused')
  expect((await agent.call('approval_list', { run_id: run.run_id })).items).toHaveLength(1)
})

test('files that a user changed since then are a conflict, also when only files are restored', async () => {
  agent = await startTestAgent(script)
  const file = join(agent.workspace, 'a.txt')
  const parent = await create()
  const run_id = await say(parent, 'write a.txt one')
  writeFileSync(file, 'mine')
  const [point] = (await agent.call('agent_run_list_checkpoints', { run_id })).items
  const { checkpoint_id } = point ?? { checkpoint_id: '' }
  const params = { action: 'restore' as const, run_id, checkpoint_id, scope: 'files' as const }
  const refused = await agent.runtime.commands.call('agent_run_restore_checkpoint', { ...params, on_conflict: 'stop' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'restore_conflict' } })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  await agent.call('agent_run_restore_checkpoint', { ...params, on_conflict: 'overwrite' })
  expect(existsSync(file)).toBe(false)
})

test('the model and the sandbox mode that were chosen for a conversation apply to its next runs and its branches', async () => {
  agent = await startTestAgent(script)
  const conversation_id = await create()
  const used = (run_id: string) => {
    const run = agent.runtime.journal.run(run_id)
    return [run?.model, run?.sandbox_mode]
  }
  const before = used(await say(conversation_id, 'one'))
  const options = { model: 'chosen/one', sandbox_mode: 'strict' } as const
  const chosen = await agent.call('conversation_set_run_options', { conversation_id, ...options })
  expect(chosen.conversation).toMatchObject(options)
  expect(used(await say(conversation_id, 'two'))).toEqual(['chosen/one', 'strict'])
  // For one run only.
  const once = await agent.call('agent_run_start', { conversation_id, text: 'three', model: 'once/only', sandbox_mode: 'trusted' })
  await agent.runtime.settled(once.run.run_id)
  expect(used(once.run.run_id)).toEqual(['once/only', 'trusted'])
  expect(used(await say(conversation_id, 'four'))).toEqual(['chosen/one', 'strict'])
  const last = (await messagesIn(conversation_id)).at(-1)?.message_id ?? ''
  const { conversation: branch } = await agent.call('conversation_branch', { message_id: last, keep: 'through' })
  expect(branch).toMatchObject(options)
  // What is absent stays as it is.
  const cleared = await agent.call('conversation_set_run_options', { conversation_id, model: null })
  expect([cleared.conversation.model, cleared.conversation.sandbox_mode]).toEqual([undefined, 'strict'])
  await agent.call('conversation_set_run_options', { conversation_id, sandbox_mode: null })
  expect(used(await say(conversation_id, 'five'))).toEqual(before)
  expect(used(await say(branch.conversation_id, 'six'))).toEqual(['chosen/one', 'strict'])
  // Each choice is an event, for the windows and terminals that show the conversation.
  const { items } = await agent.call('event_list', { last: 500 })
  const announced = items.flatMap(({ event }) =>
    event.event === 'conversation_options_changed' ? [[event.conversation_id === conversation_id, event.data]] : [],
  )
  expect(announced).toEqual([
    [true, options],
    [true, { model: null, sandbox_mode: 'strict' }],
    [true, { model: null, sandbox_mode: null }],
  ])
  const nobody = await agent.runtime.commands.call('conversation_set_run_options', { conversation_id: crypto.randomUUID(), model: 'x' })
  expect(nobody).toMatchObject({ ok: false, error: { code: 'not_found' } })
})
