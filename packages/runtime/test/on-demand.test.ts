// A user can create a recovery point at any moment of a run and restore it; if that is not possible, the reason is reported.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const soon = { timeout: 60_000, interval: 20 }
const at = (name: string) => join(agent.workspace, name)
const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null)
const write = (path: string, content: string) => ({ name: 'fs.write', arguments: { path, content } })
const state = (run_id: string) => agent.runtime.journal.run(run_id)?.state
const created = (run_id: string) =>
  agent.runtime.journal
    .steps(run_id)
    .flatMap(({ step }) => (step.kind === 'checkpoint.created' ? [[step.checkpoint_id, step.call_id]] : []))

/** Starts a run without waiting for it. */
async function start(agent_id: string): Promise<string> {
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Do it' })
  return run.run_id
}

async function take(run_id: string) {
  const { checkpoint } = await agent.call('agent_run_create_checkpoint', { run_id })
  return checkpoint.checkpoint_id
}

/** To the pending approval, without waiting for what follows. */
async function sayYes(run_id: string): Promise<void> {
  const { items } = await agent.call('approval_list', { run_id })
  const { approval_id = '', fingerprint = '' } = items[0]?.approval ?? {}
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
}

async function restore(run_id: string, checkpoint_id: string, on_conflict: 'stop' | 'overwrite' = 'stop') {
  return await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict })
}

test('of a run that has ended: it is recorded and emitted, and what others did since can be restored with it', async () => {
  agent = await startTestAgent([{ text: 'Nothing to do.' }])
  writeFileSync(at('notes'), 'one')
  const { run_id } = await agent.ask(await agent.agent(), 'Look')
  const { checkpoint, unprotected } = await agent.call('agent_run_create_checkpoint', { run_id })
  const { checkpoint_id } = checkpoint
  expect(checkpoint).toMatchObject({ run_id, name: 'task_recovery_point', tool: null, restore_kind: 'filesystem_snapshot' })
  expect([unprotected, created(run_id), state(run_id)]).toEqual([[], [[checkpoint_id, null]], 'completed'])
  const told = agent.runtime.events.list({ limit: -1 }).flatMap(({ event, data }) => (event === 'checkpoint_created' ? [data] : []))
  expect(told).toEqual([
    {
      ...{ checkpoint_id, restore_kind: 'filesystem_snapshot', call_id: null, artifact_count: 2, artifact_bytes: 3 },
      duration_ms: expect.any(Number),
    },
  ])
  writeFileSync(at('notes'), 'two')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  expect(items.map((one) => one.checkpoint_id)).toEqual([checkpoint_id])
  const refused = await agent.runtime.commands.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore', run_id, checkpoint_id },
    on_conflict: 'stop',
  })
  expect([refused.ok, read('notes')]).toEqual([false, 'two'])
  await restore(run_id, checkpoint_id, 'overwrite')
  expect([read('notes'), state(run_id)]).toEqual(['one', 'paused'])
})

test('while the model is streaming: what the run does afterwards is restored, and it continues from the point', async () => {
  const { promise: hold, resolve: speakOn } = Promise.withResolvers<void>()
  agent = await startTestAgent((index) =>
    index === 0 ? { text: 'Let me think.', calls: [write('a', 'agent')], hold } : index === 1 ? { text: 'Done.' } : { text: 'Done again.' },
  )
  writeFileSync(at('a'), 'mine')
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const run_id = await start(agent_id)
  await vi.waitFor(() => expect(agent.model.requests.length).toBe(1), soon)
  const checkpoint_id = await take(run_id)
  expect(state(run_id)).toBe('running')
  speakOn()
  await agent.runtime.settled(run_id)
  expect([state(run_id), read('a')]).toEqual(['completed', 'agent'])
  await restore(run_id, checkpoint_id)
  expect([state(run_id), read('a')]).toEqual(['paused', 'mine'])
  await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  expect(state(run_id)).toBe('completed')
})

test('refused with a code while a call changes files; possible once the call has ended', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'shell.exec', arguments: { command: 'echo half > a; until [ -e go ]; do sleep 0.05; done; echo whole > a' } }] },
    { text: 'Done.' },
  ])
  const { run_id } = await agent.ask(await agent.agent(), 'Do it')
  await sayYes(run_id)
  await vi.waitFor(() => expect(read('a')).toBe('half\n'), soon)
  const refused = await agent.runtime.commands.call('agent_run_create_checkpoint', { run_id })
  const [[before] = []] = created(run_id)
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'run_busy',
      message: `shell.exec is changing files right now; the recovery point ${before} has the state before it`,
      failure_contract: { reason_code: 'call_under_way' },
    },
  })
  writeFileSync(at('go'), '')
  await agent.runtime.settled(run_id)
  const checkpoint_id = await take(run_id)
  writeFileSync(at('a'), 'mine')
  await restore(run_id, checkpoint_id, 'overwrite')
  expect(read('a')).toBe('whole\n')
})

test('while an approval is pending: after a restore it is requested again, and the answer counts', async () => {
  agent = await startTestAgent([{ calls: [write('a', 'agent')] }, { text: 'Done.' }])
  writeFileSync(at('a'), 'mine')
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'manual_each_call' })
  const { run_id } = await agent.ask(agent_id, 'Write')
  const waiting = () => agent.runtime.commands.call('approval_list', { run_id }).then((listed) => listed.ok && listed.value.items.length)
  const answer = async () => {
    await sayYes(run_id)
    await agent.runtime.settled(run_id)
  }
  expect([state(run_id), await waiting()]).toEqual(['paused', 1])
  const checkpoint_id = await take(run_id)
  // Immediately, while the approval is still pending.
  await restore(run_id, checkpoint_id)
  await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  expect([state(run_id), await waiting(), read('a')]).toEqual(['paused', 1, 'mine'])
  await answer()
  expect([state(run_id), read('a')]).toEqual(['completed', 'agent'])
  // And after it was answered.
  await restore(run_id, checkpoint_id)
  expect(read('a')).toBe('mine')
  await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  await answer()
  expect([state(run_id), read('a')]).toEqual(['completed', 'agent'])
})

test('a run that does not exist, and a folder that is missing, are named', async () => {
  agent = await startTestAgent([{ text: 'Nothing to do.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Look')
  const nobody = '01990000-0000-7000-8000-00000000dead'
  const unknown = await agent.runtime.commands.call('agent_run_create_checkpoint', { run_id: nobody })
  expect(unknown).toMatchObject({ ok: false, error: { code: 'not_found', message: `there is no run ${nobody}` } })
  renameSync(agent.workspace, `${agent.workspace}-gone`)
  const gone = await agent.runtime.commands.call('agent_run_create_checkpoint', { run_id })
  expect(gone).toMatchObject({ ok: false, error: { code: 'not_found', failure_contract: { reason_code: 'workspace_gone' } } })
  rmSync(`${agent.workspace}-gone`, { recursive: true })
})
