// Messages that a run had not received when it ended: after a failure they start one new run, after a stop they wait for the user.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ScriptedTurn, startTestModel } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'

vi.setConfig({ testTimeout: 120_000 })

const wait = { timeout: 60_000 }

function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

describe('in one process', () => {
  let agent: TestAgent
  afterEach(() => agent.stop())

  async function start(text: string, max_turns?: number) {
    const agent_id = await agent.agent()
    if (max_turns !== undefined) await agent.call('agent_update', { agent_id, max_turns })
    const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
    const { conversation_id } = conversation
    const { run } = await agent.call('agent_run_start', { conversation_id, text, key: 'start' })
    await expect.poll(() => agent.model.requests.length, wait).toBe(1)
    return { agent_id, conversation_id, run_id: run.run_id }
  }

  const statesOf = async (conversation_id: string) =>
    (await agent.call('agent_run_list', { conversation_id })).items.map(({ state }) => state).toReversed()
  const saidIn = async (conversation_id: string) =>
    (await agent.call('message_list', { conversation_id })).items.flatMap(({ role, text }) => (role === 'system' ? [] : [text]))
  const queuedIn = async (run_id: string) => (await agent.call('agent_run_get_queue', { run_id })).queued

  test('after a failure, one new run starts with all of them, in order', async () => {
    const first = gate()
    agent = await startTestAgent(
      (index): ScriptedTurn => (index === 0 ? { refusal: 'No.', hold: first.promise } : { text: 'Both of them.' }),
    )
    const { conversation_id, run_id } = await start('Begin')
    const one = await agent.call('agent_run_add_message', { run_id, text: 'one' })
    await agent.call('agent_run_add_message', { run_id, text: 'two' })
    first.open()
    await expect.poll(() => statesOf(conversation_id), wait).toEqual(['failed', 'completed'])
    expect(await saidIn(conversation_id)).toEqual(['Begin', 'No.', 'one', 'two', 'Both of them.'])
    expect(agent.model.requests[1]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Begin',
      '[The run before this message failed: No.]\n\none',
      'two',
    ])
    expect(await queuedIn(run_id)).toEqual([])
    const [next] = (await agent.call('agent_run_list', { conversation_id })).items
    const [started] = agent.runtime.journal.steps(next?.run_id ?? '')
    expect(started?.step).toMatchObject({ kind: 'run.started', message_id: one.message_id })
    // Who follows the failed run finds the one that was started, and starts no other.
    expect(await agent.call('agent_run_send_now', { run_id })).toEqual({ run_id: next?.run_id, state: 'completed', delivered: 0 })
    await agent.restart()
    expect(await statesOf(conversation_id)).toEqual(['failed', 'completed'])
  })

  test('a run that fails again does not start itself again', async () => {
    const first = gate()
    agent = await startTestAgent(
      (index): ScriptedTurn =>
        index === 0 ? { refusal: 'No.', hold: first.promise } : { status: 401, body: '{"error":{"message":"no key"}}' },
    )
    const { conversation_id, run_id } = await start('Begin')
    await agent.call('agent_run_add_message', { run_id, text: 'go on' })
    first.open()
    await expect.poll(() => statesOf(conversation_id), wait).toEqual(['failed', 'failed'])
    await agent.restart()
    expect(await statesOf(conversation_id)).toEqual(['failed', 'failed'])
    expect(await queuedIn(run_id)).toEqual([])
    expect(agent.model.requests).toHaveLength(2)
  })

  test('a run without turns left receives nothing: the next one answers', async () => {
    const first = gate()
    agent = await startTestAgent((index): ScriptedTurn => {
      return index === 0 ? { calls: [{ name: 'fs.list', arguments: { path: '.' } }], hold: first.promise } : { text: 'Here I am.' }
    })
    const { conversation_id, run_id } = await start('Look', 1)
    await agent.call('agent_run_add_message', { run_id, text: 'go on' })
    first.open()
    await expect.poll(() => statesOf(conversation_id), wait).toEqual(['failed', 'completed'])
    expect(await saidIn(conversation_id)).toEqual(['Look', 'go on', 'Here I am.'])
  })

  test('after a stop, they wait: they can be changed, removed and sent, also after a restart', async () => {
    agent = await startTestAgent(
      (index): ScriptedTurn => (index === 0 ? { text: 'Half', hold: new Promise(() => undefined) } : { text: 'Whole.' }),
    )
    const { conversation_id, run_id } = await start('Begin')
    const file = { name: 'a.txt', media_type: 'text/plain', data: Buffer.from('a').toString('base64') }
    const { attachment } = await agent.call('attachment_add', file)
    const one = await agent.call('agent_run_add_message', { run_id, text: 'one', attachments: [attachment] })
    const two = await agent.call('agent_run_add_message', { run_id, text: 'two' })
    await agent.call('agent_run_cancel', { run_id })
    expect(await saidIn(conversation_id)).not.toContain('one')
    await agent.restart()
    expect(await queuedIn(run_id)).toMatchObject([
      { run_id, message_id: one.message_id, text: 'one', attachments: [attachment] },
      { run_id, text: 'two', attachments: [] },
    ])
    expect(await statesOf(conversation_id)).toEqual(['canceled'])
    await agent.call('agent_run_remove_queued', { run_id, message_id: two.message_id })
    await agent.call('agent_run_edit_queued', { run_id, message_id: one.message_id, text: 'one, changed' })
    const sent = await agent.call('agent_run_send_now', { run_id })
    expect(sent).toMatchObject({ state: 'running', delivered: 1 })
    await agent.runtime.settled(sent.run_id)
    expect(await statesOf(conversation_id)).toEqual(['canceled', 'completed'])
    expect(await queuedIn(run_id)).toEqual([])
    const { items } = await agent.call('message_list', { conversation_id })
    expect(items.find(({ message_id }) => message_id === one.message_id)).toMatchObject({ text: 'one, changed', attachments: [attachment] })
  })

  test('if another run of the conversation is open, it gets them', async () => {
    const second = gate()
    agent = await startTestAgent((index): ScriptedTurn => {
      if (index === 0) return { text: 'Half', hold: new Promise(() => undefined) }
      return index === 1 ? { text: 'Another.', hold: second.promise } : { text: 'All.' }
    })
    const { conversation_id, run_id } = await start('Begin')
    await agent.call('agent_run_add_message', { run_id, text: 'late' })
    await agent.call('agent_run_cancel', { run_id })
    const { run } = await agent.call('agent_run_start', { conversation_id, text: 'Something else' })
    expect(await agent.call('agent_run_send_now', { run_id })).toMatchObject({ run_id: run.run_id, delivered: 1 })
    expect(await queuedIn(run_id)).toMatchObject([{ run_id: run.run_id, text: 'late' }])
    second.open()
    await agent.runtime.settled(run.run_id)
    expect((await saidIn(conversation_id)).slice(-4)).toEqual(['Something else', 'Another.', 'late', 'All.'])
  })

  test('if no run can be started, the failed run shows why, and they wait for the user', async () => {
    const first = gate()
    agent = await startTestAgent((index): ScriptedTurn => (index === 0 ? { refusal: 'No.', hold: first.promise } : { text: 'Now.' }))
    const { conversation_id, run_id } = await start('Begin')
    await agent.call('agent_run_add_message', { run_id, text: 'late' })
    rmSync(agent.workspace, { recursive: true })
    first.open()
    await agent.runtime.settled(run_id)
    const message = `the folder of the conversation does not exist (${agent.workspace}): choose an existing folder`
    expect(agent.runtime.journal.steps(run_id).at(-1)?.step).toMatchObject({ kind: 'error', failure_contract: { details: { message } } })
    mkdirSync(agent.workspace)
    await agent.restart()
    expect(await queuedIn(run_id)).toMatchObject([{ run_id, text: 'late' }])
    expect(await statesOf(conversation_id)).toEqual(['failed'])
    await agent.call('agent_run_send_now', { run_id })
    await expect.poll(() => statesOf(conversation_id), wait).toEqual(['failed', 'completed'])
  })

  test('a message whose answer was lost is written once, whether it started the run or was queued', async () => {
    const first = gate()
    agent = await startTestAgent((index): ScriptedTurn => (index === 0 ? { text: 'Hello.', hold: first.promise } : { text: 'Again.' }))
    const { conversation_id, run_id } = await start('Begin')
    const again = await agent.call('agent_run_add_message', { run_id, text: 'Begin', key: 'start' })
    const [started] = agent.runtime.journal.steps(run_id)
    expect(started?.step).toMatchObject({ kind: 'run.started', message_id: again.message_id })
    expect(await queuedIn(run_id)).toEqual([])
    await agent.call('agent_run_add_message', { run_id, text: 'Next', key: 'next' })
    first.open()
    await agent.runtime.settled(run_id)
    const { run } = await agent.call('agent_run_start', { conversation_id, text: 'Next', key: 'next' })
    expect(run.run_id).toBe(run_id)
    expect(await saidIn(conversation_id)).toEqual(['Begin', 'Hello.', 'Next', 'Again.'])
  })

  test('a queued message cannot have an attachment that is not stored', async () => {
    agent = await startTestAgent((): ScriptedTurn => ({ text: 'Half', hold: new Promise(() => undefined) }))
    const { run_id } = await start('Begin')
    const attachment = { file_id: '01990000-0000-7000-8000-000000000001', name: 'gone.txt', media_type: 'text/plain', size: 1 }
    const refused = await agent.runtime.commands.call('agent_run_add_message', { run_id, text: 'See', attachments: [attachment] })
    const message = 'the attachment gone.txt is not stored on this device: add it again'
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_found', message } })
    expect(await queuedIn(run_id)).toEqual([])
  })
})

interface RuntimeProcess {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  readonly child: ChildProcess
}

const preload = new URL('./support/test-crash-preload.ts', import.meta.url).href

async function startProcess(folder: string, model_url: string, plan: CrashPlan | null): Promise<RuntimeProcess> {
  const program = fileURLToPath(new URL('./support/test-runtime-process.ts', import.meta.url))
  const env = { ...process.env, ...(plan ? { TANDEM_TEST_CRASH_PLAN: JSON.stringify(plan) } : {}) }
  const child = fork(program, [folder, model_url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env, execArgv: ['--import', preload] })
  const waiting = new Map<number, (answer: { ok: boolean; value: never; error: unknown }) => void>()
  let last = 0
  await once(child, 'message')
  child.on('message', ({ no, answer }: { no: number; answer: never }) => waiting.get(no)?.(answer))
  return {
    child,
    call(name, params) {
      last += 1
      const no = last
      return new Promise((resolve, reject) => {
        waiting.set(no, ({ ok, value, error }) => (ok ? resolve(value) : reject(new Error(`${name}: ${JSON.stringify(error)}`))))
        child.send({ no, name, params })
      })
    },
  }
}

test('killed between the end of the run and the start of the next one: the next process starts it, once', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-unsent-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const first = gate()
  const model = await startTestModel((index) => (index === 0 ? { refusal: 'No.', hold: first.promise } : { text: 'Here.' }))
  const children: ChildProcess[] = []
  const open = async (plan: CrashPlan | null) => {
    const opened = await startProcess(folder, model.base_url, plan)
    children.push(opened.child)
    return opened
  }
  try {
    const doomed = await open({ kill: 'at', n: 1, among: ['run_ended'] })
    const { agent } = await doomed.call('agent_create', { name: 'Tester' })
    const { conversation } = await doomed.call('conversation_create', { agent_id: agent.agent_id, workspace })
    const { conversation_id } = conversation
    const { run } = await doomed.call('agent_run_start', { conversation_id, text: 'Begin' })
    await expect.poll(() => model.requests.length, wait).toBe(1)
    await doomed.call('agent_run_add_message', { run_id: run.run_id, text: 'go on' })
    const killed = once(doomed.child, 'exit')
    first.open()
    expect((await killed)[1]).toBe('SIGKILL')
    // Killed again at the first point of the run that it starts: that run exists, and nothing starts another.
    const second = await open({ kill: 'at', n: 1, among: ['run_started'] })
    if (second.child.exitCode === null && second.child.signalCode === null) await once(second.child, 'exit')
    const last = await open(null)
    const states = async () => (await last.call('agent_run_list', { conversation_id })).items.map(({ state }) => state)
    await expect.poll(states, wait).toEqual(['paused', 'failed'])
    const [paused] = (await last.call('agent_run_list', { conversation_id })).items
    await last.call('resume_agent_run', { run_id: paused?.run_id ?? '' })
    await expect.poll(states, wait).toEqual(['completed', 'failed'])
    const { items } = await last.call('message_list', { conversation_id })
    expect(items.map(({ text }) => text)).toEqual(['Begin', 'No.', 'go on', 'Here.'])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
