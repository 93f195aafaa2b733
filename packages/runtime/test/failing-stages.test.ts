// Each stage at which something can fail, in a whole runtime: the event that tells of it, and the failure contract, as the specification's table of errors has it.
import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import type { ToolPolicy } from '@tandem/contract/tool'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from '../src/model/test-model.ts'
import { startTestAgent, type TestAgent } from './test-agent.ts'

let agent: TestAgent | undefined
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

const brief = ({ taxonomy, stage, reason_code }: FailureContract) => [taxonomy, stage, reason_code]

/** What the events of a run say of its failures. */
function told(here: TestAgent, run_id: string) {
  return here.runtime.events
    .list({ run_id, limit: 1_000 })
    .flatMap(({ event, failure_contract }) => (failure_contract ? [[event, ...brief(failure_contract)]] : []))
}

const call = (name: string, args: unknown): ScriptedTurn => ({ calls: [{ name, arguments: args }] })

test.each<[string, ScriptedTurn, { tool?: string; fields?: Partial<ToolPolicy> }, readonly (readonly string[])[]]>([
  ['a tool there is not', call('fs.levitate', {}), {}, [['tool_call_failed', 'none', 'tool_resolution', 'unknown_tool']]],
  ['arguments that do not fit', call('fs.read', { path: 7 }), {}, [['tool_call_failed', 'none', 'tool_validation', 'invalid_arguments']]],
  [
    'a tool that is off',
    call('fs.read', { path: 'a' }),
    { tool: 'fs.read', fields: { enabled: false } },
    [['tool_call_failed', 'policy_failure', 'policy_enforcement', 'tool_disabled']],
  ],
  [
    'a path outside the scope of the policy',
    call('fs.read', { path: 'a' }),
    { tool: 'fs.read', fields: { fs_scope: { roots: ['elsewhere'], globs: ['**'] } } },
    [
      ['sandbox_violation', 'sandbox_failure', 'sandbox_enforcement', 'sandbox_blocked'],
      ['tool_call_failed', 'policy_failure', 'policy_enforcement', 'path_out_of_scope'],
    ],
  ],
  [
    'a host outside the scope of the policy',
    call('http.request', { method: 'GET', url: 'http://example.org/' }),
    { tool: 'http.request', fields: { approval_mode: 'auto', network_scope: { hosts: ['example.net'] } } },
    [
      ['sandbox_violation', 'sandbox_failure', 'sandbox_enforcement', 'sandbox_blocked'],
      ['tool_call_failed', 'policy_failure', 'policy_enforcement', 'host_out_of_scope'],
    ],
  ],
  ['a file that is missing', call('fs.read', { path: 'nowhere' }), {}, [['tool_call_failed', 'none', 'tool_execution', 'not_found']]],
  ['a model that refuses', { refusal: 'I will not.' }, {}, [['run_failed', 'none', 'model_call', 'model_refused']]],
  [
    'a model that rejects the request',
    { status: 400, body: '{"error":{"message":"no"}}' },
    {},
    [
      ['model_call_failed', 'none', 'model_call', 'rejected'],
      ['run_failed', 'none', 'model_call', 'rejected'],
    ],
  ],
])('%s', async (_name, turn, { tool, fields }, expected) => {
  agent = await startTestAgent([turn, { text: 'I see.' }])
  const agent_id = await agent.agent()
  if (tool && fields) await agent.policy(agent_id, tool, fields)
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(told(agent, run_id)).toEqual(expected)
})

test('what the sandbox blocks', async () => {
  agent = await startTestAgent([call('fs.write', { path: '../outside.txt', content: 'x' }), { text: 'I see.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto', fs_scope: { roots: ['..'], globs: ['**'] } })
  const { run_id } = await agent.ask(agent_id, 'Go')
  const failures = told(agent, run_id)
  expect(failures.filter(([event]) => event === 'tool_call_failed').map(([, taxonomy]) => taxonomy)).toEqual(['sandbox_failure'])
  expect(failures.every(([, taxonomy]) => taxonomy === 'sandbox_failure')).toBe(true)
})

test('a recovery point that can’t be kept: the call is not made', async () => {
  const command = { command: 'touch made.txt' }
  agent = await startTestAgent([call('shell.exec', command), { text: 'I see.' }], {
    environment: { TANDEM_CHECKPOINT_QUOTA_GB: '0.00000001' },
  })
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  writeFileSync(join(agent.workspace, 'kept.txt'), randomBytes(10_000))
  const { run_id, state, results } = await agent.ask(agent_id, 'Go')
  expect(told(agent, run_id)).toEqual([['tool_call_failed', 'none', 'checkpoint', 'quota_reached']])
  const kinds = agent.runtime.journal.steps(run_id).map(({ step }) => step.kind)
  expect([state, results.map(({ outcome }) => outcome), kinds.includes('tool.started')]).toEqual(['completed', ['failed'], false])
  expect(readdirSync(agent.workspace)).toEqual(['kept.txt'])
}, 60_000)

test('a restore that meets what a person changed since', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'Written.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Go')
  writeFileSync(join(agent.workspace, 'a.txt'), 'mine')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  const restore = { action: 'restore', run_id, checkpoint_id: items[0]?.checkpoint_id ?? '', on_conflict: 'stop' } as const
  const refused = await agent.runtime.commands.call('agent_run_restore_checkpoint', restore)
  expect(refused.ok ? null : [refused.error.code, refused.error.failure_contract && brief(refused.error.failure_contract)]).toEqual([
    'restore_conflict',
    ['none', 'restore', 'restore_conflict'],
  ])
}, 60_000)

test('a call that a person denies', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'I see.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  const { items } = await agent.call('approval_list', { run_id })
  const [asked] = items
  if (!asked) throw new Error('nothing waits')
  const { approval_id, fingerprint } = asked.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'not now' } })
  await agent.runtime.settled(run_id)
  expect(told(agent, run_id)).toEqual([['tool_call_failed', 'none', 'approval', 'denied_by_user']])
})

test('a run whose folder is gone can’t be resumed, says so, and goes on when it is back', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'Written.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  const { items } = await agent.call('approval_list', { run_id })
  const [asked] = items
  if (!asked) throw new Error('nothing waits')
  const { approval_id, fingerprint } = asked.approval
  const answer = { kind: 'approval', approval_id, fingerprint, answer: 'once' } as const
  const away = join(agent.folder, 'away')
  renameSync(agent.workspace, away)
  const refused = await agent.runtime.commands.call('agent_run_resume', { run_id, answer })
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'resume_unavailable', failure_contract: { taxonomy: 'resume_failure', stage: 'resume', reason_code: 'workspace_gone' } },
  })
  const errors = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'error' ? [brief(step.failure_contract)] : []))
  expect(errors).toEqual([['resume_failure', 'resume', 'workspace_gone']])
  renameSync(away, agent.workspace)
  await agent.call('agent_run_resume', { run_id, answer })
  await agent.runtime.settled(run_id)
  expect(agent.runtime.journal.run(run_id)?.state).toBe('completed')
  rmSync(join(agent.workspace, 'a.txt'))
})
