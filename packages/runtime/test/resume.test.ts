// The terms of a resume are recorded for users and programs; the model gets nothing of them.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const steps = (run_id: string) => agent.runtime.journal.steps(run_id).map(({ step }) => step)
const told = (run_id: string) =>
  agent.runtime.events.list({ run_id, limit: 1_000 }).flatMap((one) => (one.event === 'run_resumed' ? [one.data] : []))
const systems = () =>
  agent.model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'system').map(({ content }) => content))

/** Words that occur only in the contract, and the ids in it. */
function leaks(words: readonly string[]): string[] {
  const said = JSON.stringify(agent.model.requests)
  return ['resume_contract', 'resumed_from', 'pending_calls', 'policy_rechecked', 'cursor_seq', ...words].filter((word) =>
    said.includes(word),
  )
}

test('a restored run resumes with a contract in its journal and its events, and the model gets the same prompt as before', async () => {
  agent = await startTestAgent((_index, { messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Written.' }
      : { calls: [{ name: 'fs.write', arguments: { path: 'kept.txt', content: 'new' } }] },
  )
  writeFileSync(join(agent.workspace, 'kept.txt'), 'old')
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Write')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  const checkpoint_id = items[0]?.checkpoint_id ?? ''
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  const cursor_seq = steps(run_id).length

  const { resume_contract, ...resumed } = await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  const made = steps(run_id)[cursor_seq]
  const call = steps(run_id).findLast((step) => step.kind === 'tool.call')
  const expected = {
    run_id,
    resumed_from: 'restore',
    checkpoint_id,
    cursor_seq,
    pending_calls: [{ call_id: call?.kind === 'tool.call' ? call.call_id : '', tool: 'fs.write', disposition: 'repeat' }],
    pending_approvals: [],
    pending_question: null,
    policy_rechecked: true,
  }
  expect(resume_contract).toEqual(expected)
  expect(made).toMatchObject({ kind: 'run.resumed', resume_contract: expected, seq: cursor_seq })
  expect(resumed).toEqual({ run_id, state: 'running', step_id: made?.step_id })
  expect(told(run_id)).toEqual([{ resume_contract: expected }])
  expect(leaks([checkpoint_id, made?.step_id ?? ''])).toEqual([])
  expect(systems().map(({ length }) => length)).toEqual(systems().map(() => 1))
  expect(new Set(systems().flat()).size).toBe(1)
})

test('a run that waited for approval names the call, and does not resume without an answer', async () => {
  agent = await startTestAgent([{ calls: [{ name: 'fs.write', arguments: { path: 'kept.txt', content: 'new' } }] }, { text: 'Written.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Write')
  const { items } = await agent.call('approval_list', { run_id })
  const approval = items[0]?.approval
  if (!approval) throw new Error('nothing waits')
  const { approval_id, call_id, fingerprint } = approval
  expect(await agent.runtime.commands.call('resume_agent_run', { run_id })).toMatchObject({ ok: false })
  expect(steps(run_id).filter(({ kind }) => kind === 'run.resumed')).toEqual([])

  const cursor_seq = steps(run_id).length + 1
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
  const contracts = steps(run_id).flatMap((step) => (step.kind === 'run.resumed' ? [step.resume_contract] : []))
  expect(contracts).toEqual([
    {
      run_id,
      resumed_from: 'approval',
      checkpoint_id: null,
      cursor_seq,
      pending_calls: [{ call_id, tool: 'fs.write', disposition: 'repeat' }],
      pending_approvals: [],
      pending_question: null,
      policy_rechecked: true,
    },
  ])
  expect(told(run_id)).toEqual(contracts.map((resume_contract) => ({ resume_contract })))
  expect([leaks([approval_id, fingerprint]), new Set(systems().flat()).size]).toEqual([[], 1])
})

test.each([
  ['another environment than the one shown', true],
  ['the environment that was shown', false],
])(
  'an approval of a command in %s: approval is needed again: %s',
  async (_name, changes) => {
    const command = { name: 'shell.exec', arguments: { command: 'echo made > made.txt' } }
    agent = await startTestAgent([{ calls: [command] }, { text: 'Made.' }])
    const { run_id } = await agent.ask(await agent.agent(), 'Make')
    const waiting = async () => (await agent.call('approval_list', { run_id })).items.map(({ approval }) => approval)
    const yes = async () => {
      const [approval] = await waiting()
      if (!approval) throw new Error('nothing waits')
      const { approval_id, fingerprint } = approval
      await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
      await agent.runtime.settled(run_id)
      return approval
    }
    await agent.restart(changes ? { PATH: `${process.env.PATH}:/opt/elsewhere/bin` } : {})
    const first = await yes()
    const made = () => existsSync(join(agent.workspace, 'made.txt'))
    expect([agent.runtime.journal.run(run_id)?.state, made()]).toEqual(changes ? ['paused', false] : ['completed', true])
    if (!changes) return
    // The same call, but it needs another approval.
    const second = await yes()
    expect([second.arguments === first.arguments, second.fingerprint === first.fingerprint]).toEqual([true, false])
    expect([agent.runtime.journal.run(run_id)?.state, made(), await waiting()]).toEqual(['completed', true, []])
  },
  60_000,
)
